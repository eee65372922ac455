/** The thread that indexes while a crawl runs; see `indexing/indexing.ts`. Reads the collection beside its writer. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import { Collection } from '@comity/collection'
import type { TermFeed } from '@comity/ingest'
import { IndexUpdater } from './index-updater.ts'
import type { IndexUpdaterReport, IndexUpdaterOptions } from './index-updater.ts'
import { ReadPages } from './read-pages.ts'

export interface IndexingStart {
  readonly dir: string
  readonly options: Partial<Pick<IndexUpdaterOptions, 'writer' | 'commitEveryMs' | 'hitsEveryMs' | 'isSuccessor'>>
}

/**
 * To the thread. `committed`: there is something new. `rest`: take in what there is, let go of the collection, and begin
 * anew when called. `finish`: take in the rest, put everything in order, end. `end`: the same, but leave what takes long.
 */
export type IndexingCall = 'committed' | 'rest' | 'finish' | 'end'
/** A reader that tells what pages say. */
export interface IndexingFeed {
  readonly feed: TermFeed
}

/** From it: how far it is, counted since it began or last rested; and when it rests or has ended. */
export type IndexingNews =
  | { readonly kind: 'begun' }
  | { readonly kind: 'report' | 'resting' | 'ended'; readonly report: IndexUpdaterReport }

const port = parentPort ?? fail()
const { dir, options } = workerData as IndexingStart

const calls: IndexingCall[] = ['committed']
let wake: () => void = () => undefined
const readPages = new ReadPages(join(dir, 'index'))

port.on('message', hear)
// What was said before is heard before the first page is taken in.
for (let said = receiveMessageOnPort(port); said !== undefined; said = receiveMessageOnPort(port)) hear(said.message)

function hear(call: IndexingCall | IndexingFeed): void {
  if (typeof call === 'object') return readPages.connect(call.feed)
  calls.push(call)
  wake()
}

port.postMessage({ kind: 'begun' } satisfies IndexingNews)

try {
  for (let call = await run(); call === 'rest'; call = await run()) await called()
} finally {
  readPages[Symbol.dispose]()
}
port.close()

/** Follow the collection until it is time to rest or to end. */
async function run(): Promise<IndexingCall> {
  await using collection = Collection.openReadOnly(dir)
  await using updater = new IndexUpdater(collection, { ...options, readPages })
  for (;;) {
    const call = takeCalls()
    const onCommit = (report: IndexUpdaterReport): void => tell('report', report)
    if (call === 'committed') await updater.takeIn(onCommit)
    else await updater.catchUp(onCommit)
    if (call === 'finish') await updater.finish()
    if (call !== 'committed') {
      updater.leave()
      tell(call === 'rest' ? 'resting' : 'ended', updater.report)
      return call
    }
    tell('report', updater.report)
    // Messages come in between two steps.
    do {
      while (calls.length === 0 && (await updater.step(onCommit))) await turn()
      await called(updater.waitMs)
    } while (calls.length === 0)
  }
}

function tell(kind: 'report' | 'resting' | 'ended', report: IndexUpdaterReport): void {
  port.postMessage({ kind, report } satisfies IndexingNews)
}

/** The weightiest of what was called since. */
function takeCalls(): IndexingCall {
  const taken = calls.splice(0)
  return taken.find((call) => call !== 'committed') ?? 'committed'
}

/** Somebody calls, or what waits has waited for so long. */
async function called(mostMs?: number): Promise<void> {
  if (calls.length > 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  wake = resolve
  const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs)
  await promise
  clearTimeout(timer)
}

function fail(): never {
  throw new Error('indexing-worker.ts is started by Indexing, as a worker thread')
}
