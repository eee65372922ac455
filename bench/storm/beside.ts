/**
 * What goes on beside a storm: a crawl in this thread, as it runs beside the receiver's in a watch, kept to a pace by its
 * politeness; and a server of its pages, searched a few times a second.
 */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl } from '@comity/crawler'
import { politeDefaults } from '@comity/frontier'
import { addressOf } from './web.ts'
import type { WebOrder, WebReply } from './web.ts'

export interface BesideFigures {
  readonly pagesPerSecond: number
  /** Milliseconds of each search, sorted. */
  readonly searchMs: readonly number[]
  readonly searchesFailed: number
  /** Pages that the searches found, all together. */
  readonly found: number
}

export interface Beside extends AsyncDisposable {
  /** Since the last time. */
  figures(): Promise<BesideFigures>
}

const SITES = 20
const PAGES_PER_CONNECTION = 5
const SEARCHES_PER_SECOND = 20
/** A server that has just started compiles its code while it answers. */
const WARM_UP_MS = 5_000

export async function beside(dir: string, pagesPerSecond: number): Promise<Beside> {
  await using opened = new AsyncDisposableStack()
  const web = fork(join(import.meta.dirname, 'web.ts'), { serialization: 'advanced' })
  opened.defer(() => ended(web))
  const { ports } = (await asked(web, { kind: 'serve', sites: SITES })) as WebReply & { kind: 'serving' }
  const seeds = ports.map((port, site) => `http://${addressOf(site)}:${port}/`)
  const stop = new AbortController()
  let pages = 0
  const delayMs = (1_000 * SITES * PAGES_PER_CONNECTION) / pagesPerSecond
  const politeness = { ...politeDefaults, delayMs, pagesPerConnection: PAGES_PER_CONNECTION, slowdown: 0 }
  const began = Promise.withResolvers<void>()
  const crawling = crawl({
    into: dir,
    options: {
      seeds,
      allowPrivate: true,
      privateDelayMs: delayMs,
      politeness,
      index: true,
      userAgent: 'comity-bench/0.1',
    },
    signal: stop.signal,
    onControl: () => began.resolve(),
    onProgress: ({ totals }) => (pages = totals.pages),
  })
  opened.defer(async () => {
    stop.abort()
    await crawling
  })
  await Promise.race([began.promise, crawling])
  const server = spawn(process.execPath, [COMITY, 'serve', dir, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  opened.defer(() => ended(server))
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  web.send({ kind: 'ask', url, perSecond: SEARCHES_PER_SECOND } satisfies WebOrder)
  await sleep(WARM_UP_MS)
  await asked(web, { kind: 'waits' })
  let [since, before] = [Date.now(), pages]
  const all = opened.move()
  return {
    figures: async () => {
      const { ms, failed, found } = (await asked(web, { kind: 'waits' })) as WebReply & { kind: 'waits' }
      const rate = (1_000 * (pages - before)) / (Date.now() - since)
      ;[since, before] = [Date.now(), pages]
      return { pagesPerSecond: rate, searchMs: ms.toSorted((a, b) => a - b), searchesFailed: failed, found }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const COMITY = join(import.meta.dirname, '../../packages/cli/src/main.ts')

async function asked(web: ChildProcess, order: WebOrder): Promise<WebReply> {
  web.send(order)
  const [reply] = (await once(web, 'message')) as [WebReply]
  return reply
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
