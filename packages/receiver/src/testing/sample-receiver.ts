/**
 * Sample receiver: a receiver on loopback for the tests, in a folder that is gone with them, with a clock that is set and a
 * web that is a table of files. `https://a.example` publishes keys, has a key file, and is subscribed to.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  contentDigest,
  hubLinks,
  hubSignature,
  KEY_DIRECTORY_PATH,
  newKeyRing,
  publishedKeys,
  PUSH_TAG,
  signingKeyOf,
  signMessage,
  verificationUrl,
  writeBatchPage,
  writeChangeNotification,
  SYNC_MANIFEST,
  writeClosing,
  writeKeyRing,
  writeKeySet,
  writeSyncDocument,
  ZipWriter,
} from '@comity/protocol'
import type { HeaderList, KeyRing, SignOptions } from '@comity/protocol'
import type { InboxItem, InboxScheme, Subscription } from '@comity/collection'
import { ReceiverService } from '../service.ts'
import type { ReceiverSettings } from '../port.ts'
import type { FetchedFrom } from '../proof/speaker-proof.ts'

export const AT: number = Date.UTC(2026, 10, 1)
export const SITE = 'https://a.example'
export const PUBLIC = 'https://crawler.example'
export const KEY = 'key-of-a-example'
export const RING: KeyRing = newKeyRing(Buffer.alloc(32, 1), AT - 86_400_000)
export const STRANGER: KeyRing = newKeyRing(Buffer.alloc(32, 2), AT - 86_400_000)
export const TOPIC: string = `${SITE}/changelist.xml`
export const HUB: string = `${SITE}/hub`

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** `type` of a problem, without its beginning. */
  readonly kind: string | undefined
}

export interface Question {
  readonly method?: string | undefined
  readonly headers?: HeaderList | undefined
  readonly body?: string | Uint8Array | undefined
  readonly onInterim?: ((status: number, location: string | undefined) => void) | undefined
}

export interface SampleReceiver {
  readonly service: ReceiverService
  readonly dir: string
  readonly port: number
  readonly clock: { now: number }
  /** What sites serve, by URL. */
  readonly web: Map<string, FetchedFrom>
  readonly asked: string[]
  readonly errors: unknown[]
  readonly ask: (path: string, question?: Question) => Promise<Reply>
  /** Signed, and sent. */
  readonly push: (question: SignedPush) => Promise<Reply>
  readonly items: () => Promise<InboxItem[]>
  /** A subscription that its hub has verified. */
  readonly subscribed: (scheme?: InboxScheme, topic?: string) => Promise<Subscription>
  readonly deliver: (
    subscription: Subscription,
    body: string | Uint8Array,
    more?: Question & { type?: string },
  ) => Promise<Reply>
}

export interface SignedPush extends Question {
  readonly path?: string | undefined
  readonly type?: string | undefined
  readonly origin?: string | undefined
  readonly sign?: Partial<SignOptions> | undefined
  /** Where the receiver says that it is. */
  readonly base?: string | undefined
}

export const file = (body: string, status = 200): FetchedFrom => ({ status, headers: [], body: Buffer.from(body) })

export async function sampleReceiver(
  t: Pick<TestContext, 'after'>,
  settings: Partial<ReceiverSettings> & { readonly dir?: string } = {},
): Promise<SampleReceiver> {
  const dir = settings.dir ?? mkdtempSync(join(tmpdir(), 'comity-receiver-'))
  // A restart takes its time.
  const clock = { now: settings.dir === undefined ? AT : AT + 10_000 }
  const [asked, errors]: [string[], unknown[]] = [[], []]
  const web = new Map<string, FetchedFrom>([
    [`${SITE}${KEY_DIRECTORY_PATH}`, file(writeKeySet(publishedKeys(RING, AT)))],
    [`${SITE}/${KEY}.txt`, file(KEY)],
  ])
  const fetchFrom = async (origin: string, path: string): Promise<FetchedFrom> => {
    asked.push(origin + path)
    return web.get(origin + path) ?? file('not found', 404)
  }
  const keyRing = writeKeyRing(newKeyRing(Buffer.alloc(32, 9), AT))
  const all = { after: 0, publicUrl: PUBLIC, strangersPriority: 1, keyRing, ...settings, dir }
  const inbox = { minFreeBytes: 0, ...settings.inbox }
  const world = { now: () => clock.now, fetchFrom, onError: (error: unknown) => errors.push(error) }
  const service = await ReceiverService.open({ ...all, inbox }, world)
  const { port } = await service.listen()
  t.after(async () => {
    await service.close()
    if (settings.dir === undefined) rmSync(dir, { recursive: true, force: true })
  })
  const ask = (path: string, question: Question = {}): Promise<Reply> => askReceiver(port, path, question)
  const subscribed = async (scheme: InboxScheme = 'changes', topic = TOPIC): Promise<Subscription> => {
    const { token } = (await service.subscribe({ origin: SITE, topic, hub: HUB, scheme }))!
    const { search } = new URL(
      verificationUrl(PUBLIC, { mode: 'subscribe', topic, challenge: 'c', leaseSeconds: 86_400 }),
    )
    await ask(`/websub/${token}${search}`)
    return (await service.subscriptions()).find((one) => one.token === token)!
  }
  let nonces = 0
  return {
    service,
    dir,
    port,
    clock,
    web,
    asked,
    errors,
    ask,
    subscribed,
    items: () => service.read(0, 10_000),
    push: (question) => ask(question.path ?? '/push', signedQuestion(question, clock.now, `nonce ${nonces++}`)),
    deliver: ({ token, secret, topic }, body, { type = 'application/xml', headers = [], ...more } = {}) => {
      const own = [
        ['Content-Type', type],
        ['Link', hubLinks([HUB], topic)],
        ['X-Hub-Signature', hubSignature(secret, Buffer.from(body))],
      ] as const
      const given = new Set(headers.map(([name]) => name.toLowerCase()))
      const fields = [...own.filter(([name]) => !given.has(name.toLowerCase())), ...headers]
      return ask(`/websub/${token}`, { method: 'POST', body, headers: fields, ...more })
    },
  }
}

/** The fields that a site adds to what it pushes. */
export function signedQuestion(question: SignedPush, at: number, nonce: string): Question {
  const {
    path = '/push',
    method = 'POST',
    type = 'application/warc',
    origin = SITE,
    body = '',
    headers = [],
  } = question
  const own: HeaderList = [
    ...(method === 'DELETE' ? [] : [['Content-Type', type] as const]),
    ['Content-Digest', contentDigest(Buffer.from(body))],
    ['Signature-Agent', `sig1="${origin}"`],
  ]
  const all = [...own, ...headers]
  const covered = ['@method', '@target-uri', ...new Set(all.map(([name]) => name.toLowerCase()))]
  const key = signingKeyOf(RING, at)
  const options = { key, at, lifeMs: 300_000, covered, tag: PUSH_TAG, nonce, ...question.sign }
  const fields = signMessage({ method, url: `${question.base ?? PUBLIC}${path}`, headers: all }, options)
  return { ...question, method, headers: [...all, ...fields], body }
}

export function askReceiver(port: number, path: string, question: Question = {}): Promise<Reply> {
  const { method = 'GET', headers = [], body, onInterim } = question
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const length: HeaderList = bytes === undefined ? [] : [['Content-Length', String(bytes.length)]]
    const fields = [...headers, ...length].flat()
    const call = httpRequest({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: ['Host', 'crawler.example', ...fields],
      agent: false,
    })
    call.on('information', ({ statusCode, headers: { location } }) => onInterim?.(statusCode, location))
    call.on('error', reject)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const kind = /"urn:comity:problem:([a-z-]+)"/.exec(text)?.[1]
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, kind })
      })
    })
    call.end(bytes)
  })
}

/** Bytes on a connection, and all that comes back. */
export function askRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

/** A change notification of so many pages. */
export function notification(paths: readonly string[] = ['/1'], origin: string = SITE): string {
  const changes = paths.map((path) => ({ url: `${origin}${path}`, change: 'updated' as const, changedAt: AT }))
  return writeChangeNotification({ changes })
}

/** A WARC with a page for each path, and its closing. */
export function warc(paths: readonly string[] = ['/1'], origin: string = SITE, body = '<p>words</p>'): Buffer {
  const headers: HeaderList = [['Content-Type', 'text/html']]
  const pages = paths.map((path) =>
    writeBatchPage({ url: `${origin}${path}`, status: 200, headers, body: Buffer.from(body) }, AT),
  )
  const closing = writeClosing({ sent: paths.length, unchanged: 0, rest: [], refused: [] }, `${origin}/`, AT)
  return Buffer.concat([...pages, closing])
}

/** A dump: a ZIP with a manifest. */
export function dump(
  paths: readonly string[] = ['/1'],
  capability: 'resourcedump-manifest' | 'changedump-manifest' = 'changedump-manifest',
  origin: string = SITE,
): Buffer {
  const zip = new ZipWriter(new Date(AT))
  const facts = paths.map((path, i) => ({
    url: `${origin}${path}`,
    path: `/r/${i}`,
    change: 'updated' as const,
    changedAt: AT,
  }))
  const manifest = Buffer.from(writeSyncDocument({ capability, at: AT, from: AT, until: AT }, facts))
  const files = [...paths.map((path, i) => [`r/${i}`, Buffer.from(path)] as const), [SYNC_MANIFEST, manifest] as const]
  const pieces = files.flatMap(([name, body]) => {
    const head = zip.begin(name)
    zip.add(body)
    return [head, body, zip.end()]
  })
  return Buffer.concat([...pieces, zip.finish()])
}

/** The addresses that an item speaks of, when it holds signals. */
export const urlsOf = ({ body }: InboxItem): string[] =>
  Buffer.from(body)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { url: string }).url)
