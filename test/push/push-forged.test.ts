/** Forged, replayed and reordered pushes against a watch that runs, and keys and hubs at places where nobody may be asked. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import {
  KEY_DIRECTORY_PATH,
  newKeyRing,
  publishedKeys,
  signingKeyOf,
  writeApiCatalog,
  writeKeySet,
  API_CATALOG_PATH,
  API_CATALOG_TYPE,
} from '@comity/protocol'
import type { KeyRing } from '@comity/protocol'
import type { Question } from '../../packages/receiver/src/testing/sample-receiver.ts'
import { nextSecond, page, PushWatch, until } from './push-watch.ts'
import { PushSender, warcOf } from './push-sender.ts'
import type { SentReply } from './push-sender.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

/** Where the watch may ask, and where it may not. */
const ALLOWED = '127.0.61.0/24'
const FORBIDDEN = '127.0.62.1'
const CRAWL = { allowPrivate: [ALLOWED], dumps: false }
const LONG = { timeout: 120_000 }

interface Host extends AsyncDisposable {
  readonly origin: string
  readonly asked: string[]
}

type Answer = (request: IncomingMessage, response: ServerResponse, origin: string) => void

async function host(address: string, answer: Answer): Promise<Host> {
  const asked: string[] = []
  let origin = ''
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response, origin)
  })
  await new Promise<void>((resolve) => void server.listen(0, address, resolve))
  origin = `http://${address}:${(server.address() as AddressInfo).port}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return { origin, asked, [Symbol.asyncDispose]: close }
}

const ringOf = (seed: number): KeyRing => newKeyRing(Buffer.alloc(32, seed), Date.now() - 86_400_000)
const [OWN, STRANGE] = [ringOf(1), ringOf(2)]

/** A site that publishes keys, and has a page. */
const publishing =
  (ring: KeyRing): Answer =>
  ({ url }, response) => {
    if (url === KEY_DIRECTORY_PATH) response.end(writeKeySet(publishedKeys(ring, Date.now())))
    else if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page('Home'))
    else response.writeHead(404).end()
  }

const version = (origin: string, title: string, at = Date.now()): Buffer =>
  warcOf([{ url: `${origin}/`, body: page(title), at }])

/** A watch of a site that was crawled. */
async function watching({ origin }: Host): Promise<PushWatch> {
  const into = newDirectory()
  await quickCrawl(into, [`${origin}/`], CRAWL)
  // What the crawl found is of before.
  await nextSecond()
  const watch = new PushWatch(into, { crawl: CRAWL })
  await watch.opened
  return watch
}

describe('a push that is not what it says', { concurrency: 1 }, () => {
  it('is refused, whatever is forged of it, and the watch goes on', LONG, async () => {
    await using site = await host('127.0.61.1', publishing(OWN))
    await using other = await host('127.0.61.2', publishing(STRANGE))
    await using watch = await watching(site)
    const sender = new PushSender(watch.doors.url, site.origin, () => OWN)
    const body = version(site.origin, 'Forged')
    const now = Date.now()
    const spoilt = (question: Question): Question => ({ ...question, body: version(site.origin, 'Spoilt') })
    const cases: [sentence: string, act: () => Promise<SentReply>, kind: string][] = [
      ['a key of somebody else', () => sender.push({ body, sign: { key: signingKeyOf(STRANGE, now) } }), 'key-unknown'],
      [
        'a key of somebody else, under the name of the right one',
        () =>
          sender.push({ body, sign: { key: { ...signingKeyOf(STRANGE, now), keyId: signingKeyOf(OWN, now).keyId } } }),
        'forged',
      ],
      ['another body', () => sender.ask('/push', spoilt(sender.signed({ body }))), 'wrong-digest'],
      ['another target', () => sender.ask('/push?again', sender.signed({ body })), 'forged'],
      ['signed an hour ago', () => sender.push({ body, sign: { at: now - 3_600_000 } }), 'stale'],
      ['signed in an hour', () => sender.push({ body, sign: { at: now + 3_600_000 } }), 'stale'],
      ['in another’s name', () => sender.push({ body, origin: other.origin }), 'key-unknown'],
      ['pages of another', () => sender.push({ body: version(other.origin, 'Forged') }), 'foreign'],
    ]
    for (const [sentence, act, kind] of cases) assert.equal((await act()).kind, kind, sentence)
    assert.deepEqual(watch.events, [])
    const good = sender.signed({ body: version(site.origin, 'Good') })
    assert.equal((await sender.ask('/push', good)).status, 202)
    for (let i = 0; i < 3; i++) assert.equal((await sender.ask('/push', good)).kind, 'replayed')
    await until('the good one', () => watch.outcomes(`${site.origin}/`).length > 0)
    assert.deepEqual(watch.outcomes(`${site.origin}/`), ['applied'])
    const { totals } = (await watch.doors.figures())!
    for (const [, , kind] of cases) assert.ok((totals.refused[kind as keyof typeof totals.refused] ?? 0) > 0, kind)
  })

  it('is refused after a restart too, when it was taken before it', LONG, async () => {
    await using site = await host('127.0.61.3', publishing(OWN))
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], CRAWL)
    let [port, url] = [0, '']
    const ahead: Question[] = []
    {
      await using watch = new PushWatch(into, { crawl: CRAWL })
      await watch.opened
      ;({ port } = watch)
      ;({ url } = watch.doors)
      const sender = new PushSender(url, site.origin, () => OWN)
      // One by a clock that is right, one by a clock that is half a minute ahead: no clock of ours tells the latter from a new one.
      for (const at of [Date.now(), Date.now() + 30_000]) {
        const question = sender.signed({ body: version(site.origin, `Of ${at}`), sign: { at } })
        assert.equal((await sender.ask('/push', question)).status, 202)
        ahead.push(question)
      }
      await until('both', () => watch.events.length >= 2)
    }
    await using again = new PushWatch(into, { crawl: CRAWL, port })
    await again.opened
    const sender = new PushSender(url, site.origin, () => OWN)
    for (const question of ahead) assert.equal((await sender.ask('/push', question)).kind, 'unreachable')
    assert.deepEqual(again.events, [])
    const later = { body: version(site.origin, 'Later'), sign: { at: Date.now() + 40_000 } }
    assert.equal((await sender.push(later)).status, 202)
  })

  it('is not taken for newer than it is: versions that come in the wrong order', LONG, async () => {
    await using site = await host('127.0.61.4', publishing(OWN))
    await using watch = await watching(site)
    const sender = new PushSender(watch.doors.url, site.origin, () => OWN)
    const now = Date.now()
    for (const [title, at] of [
      ['Second', now],
      ['First', now - 60_000],
    ] as const) {
      const before = watch.events.length
      assert.equal((await sender.push({ body: version(site.origin, title, at) })).status, 202)
      await until(title, () => watch.events.length > before)
    }
    assert.deepEqual(watch.outcomes(`${site.origin}/`), ['applied', 'older'])
  })
})

describe('keys of a site', { concurrency: 1 }, () => {
  const directories: [sentence: string, address: string, answer: (elsewhere: string) => Answer][] = [
    [
      'that lead elsewhere',
      '127.0.61.11',
      (elsewhere) => (_, response) => response.writeHead(302, { location: elsewhere }).end(),
    ],
    [
      'without end',
      '127.0.61.12',
      () => (_, response) => {
        const keys = `{"keys":[${JSON.stringify(publishedKeys(OWN, Date.now())[0])}],"x":"`
        const more = Buffer.alloc(1 << 20, 'x')
        const write = (): void => {
          while (!response.destroyed && response.write(more));
          response.once('drain', write)
        }
        response.on('error', () => undefined)
        response.write(keys)
        write()
      },
    ],
    ['that are a page', '127.0.61.13', () => (_, response) => response.end('<html>')],
    [
      'of a name that every object has',
      '127.0.61.14',
      () => (_, response) => response.end('{"keys":{"constructor":1}}'),
    ],
  ]
  for (const [sentence, address, answer] of directories) {
    it(`${sentence} prove nothing, and nobody else is asked`, LONG, async () => {
      await using elsewhere = await host('127.0.61.19', publishing(OWN))
      await using site = await host(address, answer(`${elsewhere.origin}${KEY_DIRECTORY_PATH}`))
      await using watch = new PushWatch(newDirectory(), { crawl: CRAWL })
      await watch.opened
      const sender = new PushSender(watch.doors.url, site.origin, () => OWN)
      const push = (): Promise<SentReply> => sender.push({ body: version(site.origin, 'Forged') })
      await until('a refusal that lasts', async () => (await push()).kind === 'unreachable')
      assert.deepEqual([elsewhere.asked, watch.events], [[], []])
      assert.ok(site.asked.filter((one) => one.includes(KEY_DIRECTORY_PATH)).length <= 2, site.asked.join(', '))
    })
  }

  it('at a private address that is not allowed are not asked for', LONG, async () => {
    await using site = await host(FORBIDDEN, publishing(OWN))
    await using watch = new PushWatch(newDirectory(), { crawl: CRAWL })
    await watch.opened
    const sender = new PushSender(watch.doors.url, site.origin, () => OWN)
    assert.equal((await sender.push({ body: version(site.origin, 'Forged') })).kind, 'unreachable')
    const notice = `/indexnow?url=${site.origin}/&key=a-key-of-nobody`
    assert.equal((await sender.ask(notice, { method: 'GET' })).status, 202)
    await until('a look at both', async () => ((await watch.doors.figures())?.totals.refused.unreachable ?? 0) > 0)
    assert.deepEqual(site.asked, [])
  })
})

/** A site whose catalogue names a hub. */
const naming =
  (hub: string): Answer =>
  ({ url }, response, origin) => {
    if (url === API_CATALOG_PATH)
      response
        .writeHead(200, { 'content-type': API_CATALOG_TYPE })
        .end(writeApiCatalog(`${origin}/`, { hub, 'push-pages': `${origin}/push/pages` }))
    else publishing(OWN)({ url } as IncomingMessage, response, origin)
  }
const accepting: Answer = (_, response) => response.writeHead(202).end()
const posts = ({ asked }: Host): string[] => asked.filter((one) => one.startsWith('POST'))

describe('a hub that a site names', { concurrency: 1 }, () => {
  const hubs: [
    sentence: string,
    address: string,
    hubOf: (allowed: Host, forbidden: Host) => string,
    heard: string[],
  ][] = [
    ['at an allowed address is asked', '127.0.61.21', ({ origin }) => `${origin}/hub?a=b`, ['POST /hub?a=b']],
    ['at a private address is not asked', '127.0.61.22', (_, { origin }) => `${origin}/hub`, []],
    [
      'that leads to a private address is not followed',
      '127.0.61.23',
      ({ origin }) => `${origin}/away`,
      ['POST /away'],
    ],
    [
      'at a private address, spelt otherwise, is not asked',
      '127.0.61.24',
      (_, { origin }) => `${origin.replace(FORBIDDEN, '2130722305')}/hub`,
      [],
    ],
    ['with a password is not asked', '127.0.61.25', ({ origin }) => `${origin.replace('//', '//u:p@')}/hub`, []],
  ]
  for (const [sentence, address, hubOf, heard] of hubs) {
    it(sentence, LONG, async () => {
      await using forbidden = await host(FORBIDDEN, accepting)
      await using allowed = await host('127.0.61.29', ({ url }, response) => {
        if (url === '/away') response.writeHead(307, { location: `${forbidden.origin}/hub` }).end()
        else response.writeHead(202).end()
      })
      await using site = await host(address, naming(hubOf(allowed, forbidden)))
      const into = newDirectory()
      await quickCrawl(into, [`${site.origin}/`], CRAWL)
      await using watch = new PushWatch(into, { crawl: CRAWL, watch: { subscribeTo: ['pages'] } })
      await watch.opened
      await until('the catalogue', () => site.asked.includes(`GET ${API_CATALOG_PATH}`))
      // Written down before it is asked; what cannot be asked at all is not.
      if (!sentence.includes('password'))
        await until('a wish', async () => (await watch.doors.subscriptions()).length > 0)
      await until('what was to be heard', () => posts(allowed).length >= heard.length)
      await new Promise((resolve) => setTimeout(resolve, 500))
      assert.deepEqual([posts(allowed), forbidden.asked], [heard, []])
    })
  }
})
