// Runs alone: it holds thousands of connections.
/**
 * One address that holds all it can get, of each server that we run, leaves another one served: connections, streams, and
 * whatever else is held for as long as somebody likes. Who was turned away is counted where the operator looks.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { judgeOrigin } from '@comity/site/testing'
import { lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { comesTrue, quickCrawl } from '../crawl/quick-crawl.ts'
import { running } from '../running-command.ts'
import type { Running } from '../running-command.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const LIMIT = { timeout: 120_000 }
const [GREEDY, MODEST] = ['127.0.0.2', '127.0.0.3']
/** More than any of them has for one address. */
const MOST = 4_000
const AT_ONCE = 400
/** No server of ours sends anybody away for being slow before this. */
const SENT_AWAY_MS = 4_000

const folder = temporaryFolder()
const servers = new AsyncDisposableStack()
after(async () => {
  await servers.disposeAsync()
  folder[Symbol.dispose]()
})

before(async () => {
  const site = servers.use(await createSmallSite({ '/': page('Home') }))
  await quickCrawl(folder.at('collection'), [`${site.origin}/`])
  mkdirSync(folder.at('files'))
  writeFileSync(join(folder.at('files'), 'index.html'), page('Home'))
})

/** Ended with the tests, should one fail. */
const started = (args: readonly string[], place: RegExp): Promise<Running> =>
  running(args, place, (child) => servers.defer(() => void child.kill('SIGKILL')))

interface Server {
  readonly start: () => Promise<Running>
  /** What anybody may ask for. */
  readonly path: string
  /** A stream that is answered for as long as somebody listens. */
  readonly stream?: string
  /** How often somebody was turned away for this reason; asked while it runs, or of what it said at its end. */
  readonly counted?: (at: Running, reason: string) => Promise<number>
  readonly countedAtEnd?: (ended: Ended, reason: string) => number
}

const refusedAt = async ({ ledger }: Running, reason: string): Promise<number> => {
  const told = (await (await fetch(`${ledger!}refused.json`)).json()) as Record<string, Record<string, number>>
  return told['pages']![reason] ?? told['services']![reason] ?? 0
}

const PUBLISHED = /"url":"http:\/\/127\.0\.0\.1:(?<port>\d+)\/","ledger":"(?<ledger>[^"]+)"/
const publish = (name: string, ...from: string[]): Promise<Running> =>
  started(
    ['publish', ...from, '--base', 'http://a.example/', '--serve', '0', '--ledger', '0', '--json'].concat([
      '--journal',
      folder.at(name),
    ]),
    PUBLISHED,
  )

const table: Record<string, Server> = {
  'comity serve': {
    start: () =>
      started(['serve', folder.at('collection'), '--port', '0', '--json'], /"url":"http:\/\/127\.0\.0\.1:(?<port>\d+)/),
    path: '/healthz',
    stream: '/api/v1/live',
    counted: async ({ port }, reason) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const name = reason === 'too-many-listeners' ? 'too-many-streams' : reason
      return Number(new RegExp(`comity_http_refused_total\\{reason="${name}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
    },
  },
  'comity publish, from files': {
    start: () => publish('published', folder.at('files')),
    path: '/index.html',
    stream: '/push/events',
    counted: refusedAt,
  },
  'comity publish --proxy': {
    start: async () => publish('proxied', '--proxy', servers.use(await judgeOrigin()).url),
    path: '/robots.txt',
    stream: '/push/events',
    counted: refusedAt,
  },
  'comity gateway --proxy': {
    start: async () =>
      started(
        ['gateway', '--proxy', servers.use(await judgeOrigin()).url, '--listen', '0', '--json'],
        /http:\/\/127\.0\.0\.1:(?<port>\d+) answers for/,
      ),
    path: '/index.html',
    countedAtEnd: (ended, reason) => Number(new RegExp(`"${reason}":\\s*(\\d+)`).exec(ended.stdout)?.[1] ?? 0),
  },
  'comity watch, which receives': {
    start: () =>
      started(
        ['watch', folder.at('collection'), '--listen', '127.0.0.1:0', '--allow-private', '--json'].concat([
          '--user-agent',
          'comity-test/1.0 (+https://example.org/bot)',
        ]),
        /heard at http:\/\/127\.0\.0\.1:(?<port>\d+)/,
      ),
    path: '/',
    countedAtEnd: (ended, reason) => {
      const { watch } = lastJson(ended) as { watch?: { pushes?: { doors?: { refused: Record<string, number> } } } }
      return watch?.pushes?.doors?.refused[reason] ?? 0
    },
  },
}

interface Held extends Disposable {
  readonly open: ReadonlySet<Socket>
  readonly closed: number
}

/** As many connections as it gets; on each something is said. */
async function holdAll(port: number, said: string, isEnough: (text: string) => boolean): Promise<Held> {
  const open = new Set<Socket>()
  const turned = { closed: 0, refused: 0 }
  const one = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: GREEDY })
    open.add(socket)
    await new Promise<void>((resolve) => {
      let [heard, connectedAt] = ['', Infinity]
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        // Who was in, and is sent away by the clock, was not turned away.
        if (performance.now() - connectedAt < SENT_AWAY_MS) turned.closed++
        resolve()
      })
      socket.on('data', (bytes) => {
        heard += bytes.toString('latin1')
        if (/^HTTP\/1\.1 [45]/.test(heard)) turned.refused++
        if (isEnough(heard)) resolve()
      })
      socket.on('connect', () => {
        connectedAt = performance.now()
        // Who is turned away is so at once: a moment later it is most likely in.
        if (said === '') setTimeout(resolve, 50)
        else socket.write(said)
      })
    })
  }
  for (let tries = 0; tries < MOST && turned.closed + turned.refused < AT_ONCE; tries += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  return {
    open,
    closed: turned.closed,
    [Symbol.dispose]: () => {
      for (const socket of open) socket.destroy()
    },
  }
}

/** What somebody else is answered with; '' when the connection is closed without a word. */
async function askFrom(port: number, path: string, localAddress = MODEST): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  return await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${path} is not answered`)), 30_000)
    const over = (line: string): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(line)
    }
    socket.on('error', () => over(''))
    socket.on('close', () => over(''))
    socket.on('connect', () => socket.write(get(path)))
    socket.on('data', (bytes) => over(bytes.toString('latin1').split('\r\n', 1)[0]!))
  })
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

for (const [name, { start, path, stream, counted, countedAtEnd }] of Object.entries(table))
  test(`${name}: one address that holds all it can get leaves another one served`, LIMIT, async () => {
    const server = await start()
    const isCounted = async (reason: string): Promise<void> => {
      if (counted !== undefined) assert.ok(await comesTrue(async () => (await counted(server, reason)) > 0), reason)
    }
    assert.match(await askFrom(server.port, path), /^HTTP\/1\.1 200 /)
    {
      using held = await holdAll(server.port, '', () => false)
      assert.ok(held.closed >= AT_ONCE, `${held.open.size} connections were let in`)
      for (let times = 0; times < 3; times++) assert.match(await askFrom(server.port, path), /^HTTP\/1\.1 200 /)
      await isCounted('too-many-connections')
    }
    if (stream !== undefined) {
      // Until all that was held is free again.
      assert.ok(await comesTrue(async () => (await askFrom(server.port, path)).includes(' 200 ')))
      using held = await holdAll(server.port, get(stream), (text) => text.includes('\r\n\r\n'))
      assert.ok(held.open.size > 0)
      for (let times = 0; times < 3; times++) assert.match(await askFrom(server.port, stream), /^HTTP\/1\.1 200 /)
      await isCounted('too-many-listeners')
    }
    const ended = await server.stop()
    assert.equal(ended.code, 0, ended.stderr)
    if (countedAtEnd !== undefined) assert.ok(countedAtEnd(ended, 'too-many-connections') > 0, ended.stdout)
  })

/** A notice for a host where nobody listens. */
const claim = (host: string): string => `/indexnow?url=${encodeURIComponent(`http://${host}:1/`)}&key=a-key-of-nobody`

test(
  'an address that names host after host makes a watch call a few of them, and others are looked up',
  LIMIT,
  async () => {
    const watch = await table['comity watch, which receives']!.start()
    const hosts = Array.from({ length: 40 }, (_, n) => `127.0.60.${n + 1}`)
    const answers = await Promise.all(hosts.map((host) => askFrom(watch.port, claim(host), GREEDY)))
    const refused = answers.filter((line) => line.includes(' 429 ')).length
    assert.ok(refused >= 20, answers.join('\n'))
    assert.match(await askFrom(watch.port, claim('127.0.61.1')), / 202 /)
    const ended = await watch.stop()
    assert.equal(ended.code, 0, ended.stderr)
    const { sites, watch: told } = lastJson(ended) as {
      sites: number
      watch: { pushes: { doors: { refused: Record<string, number> } } }
    }
    assert.equal(told.pushes.doors.refused['too-many-look-ups'], refused)
    // Its own, and those that were called.
    assert.ok(sites <= 1 + 20 + 1, `${sites} sites`)
  },
)
