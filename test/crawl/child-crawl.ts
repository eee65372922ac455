/** Start a crawl in a child process, wait for its end or kill it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CrawlOptions, CrawlSummary } from '@comity/crawler'

export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'lookup'; readonly id: number; readonly host: string }
  | ({ readonly kind: 'done' } & ChildReport)

export interface LookupAnswer {
  readonly id: number
  readonly addresses?: readonly string[]
  readonly error?: string
}

export interface ChildCall {
  /** Crawl into each of these, one after the other. */
  readonly into: readonly string[]
  readonly options: Partial<CrawlOptions>
  /** Look a name up for the child. */
  readonly lookup?: (host: string) => Promise<readonly string[]>
}

export interface ChildReport {
  readonly summaries: readonly CrawlSummary[]
  /** Of each crawl, the most bytes of anonymous memory the process had at any moment. */
  readonly memory: readonly number[]
  /** After each crawl, the bytes that the collector had to leave. */
  readonly kept: readonly number[]
  /** Every address that was connected to, or tried. */
  readonly attempts: readonly string[]
}

export interface ChildCrawl {
  /** The process runs our code; the collection is about to be opened. */
  readonly ready: Promise<void>
  /** Undefined when it was killed. Rejects when it failed by itself, with what it wrote to stderr. */
  readonly finished: Promise<ChildReport | undefined>
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>
}

export function startCrawl({ into, options, lookup }: ChildCall): ChildCrawl {
  const call = JSON.stringify({ into, options, asksForNames: lookup !== undefined })
  const child = fork(join(import.meta.dirname, 'crawl-child.ts'), [call], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    execArgv: [],
  })
  const gone = once(child, 'exit')
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let report: ChildReport | undefined
  let stderr = ''
  child.stderr?.on('data', (piece: Buffer) => (stderr = (stderr + piece.toString()).slice(-5_000)))
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'ready') onReady()
    else if (message.kind === 'done') report = message
    else if (lookup !== undefined)
      void answerLookup(message, lookup).then((answer) => child.connected && child.send(answer))
  })
  const finished = gone.then(([code, signal]): ChildReport | undefined => {
    onReady()
    if (signal === 'SIGKILL') return undefined
    if (code === 0 && report !== undefined) return report
    throw new Error(`the crawl ended with ${code ?? signal} and said:\n${stderr}`)
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
  }
  return { ready, finished, kill }
}

async function answerLookup(
  { id, host }: { id: number; host: string },
  lookup: (host: string) => Promise<readonly string[]>,
): Promise<LookupAnswer> {
  try {
    return { id, addresses: await lookup(host) }
  } catch (error) {
    return { id, error: String(error) }
  }
}
