/** A worker thread that reads answers; see `read/pool.ts`. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
// Not the whole package, whose database has no business here: a thread that is ended while it loads one takes the process along.
import { notedWork } from '@comity/collection/internal'
import type { AttemptNote } from '@comity/collection'
import { release } from '../documents/leftovers.ts'
import { keepUnread, read } from './reading.ts'
import { TermSender } from './term-sender.ts'
import type { TermFeed } from './term-sender.ts'
import { TopicReader } from './topic-reader.ts'
import type { Answered, Reading, ReadingMemory, ReadingOptions } from './reading.ts'

/** `isUnread`: it was too much before, and is only kept. */
export interface Work {
  readonly id: number
  readonly answered: Answered
  readonly isUnread?: boolean | undefined
  readonly note?: AttemptNote | undefined
}
/** To whom the terms of pages go from now on. */
export interface FeedWork {
  readonly feed: TermFeed
}
type Message = readonly Work[] | FeedWork
export type Done = { readonly id: number } & ({ readonly reading: Reading } | { readonly error: Error })

/** What a thread is started with. `current`: the number of what it reads, so that others can see that it gets no further. */
export interface ReadingThreadData {
  readonly options: ReadingOptions
  readonly current: Int32Array
}

const { options, current } = workerData as ReadingThreadData
const memory: ReadingMemory = { topic: new TopicReader(options.topic), terms: new TermSender() }

/** Under load answers go back a few at a time: a message costs as much as a tenth of reading a page. */
const MAX_BATCH = 8

const IDLE = -1
const port = parentPort ?? fail()

port.on('message', (first: Message) => {
  take(first)
  while (batch.length > 0 && batch.length < MAX_BATCH) {
    const next: { message: Message } | undefined = receiveMessageOnPort(port)
    if (next === undefined) break
    take(next.message)
  }
  bringBack()
  Atomics.store(current, 0, IDLE)
})

let batch: Done[] = []

function take(message: Message): void {
  if ('feed' in message) return memory.terms.begin(message.feed)
  for (const work of message) if (batch.push(readOne(work)) >= MAX_BATCH) bringBack()
}

function bringBack(): void {
  memory.terms.send()
  if (batch.length === 0) return
  port.postMessage(
    batch,
    batch.flatMap((done) => ('reading' in done ? buffersOf(done.reading) : [])),
  )
  batch = []
}

// It has started.
port.postMessage([] satisfies Done[])

function fail(): never {
  throw new Error('reading-worker.ts is started by ReadingPool, as a worker thread')
}

function readOne({ id, answered, isUnread, note }: Work): Done {
  Atomics.store(current, 0, id)
  try {
    if (isUnread === true) return { id, reading: keepUnread(answered, options) }
    return { id, reading: notedWork(note, () => read(answered, options, memory)) }
  } catch (error) {
    return { id, error: error as Error }
  } finally {
    // A copy: who sent it has the other.
    release(answered.body)
  }
}

function buffersOf({ record, beside, links }: Reading): ArrayBuffer[] {
  const buffers = [record.buffer, beside.buffer, links.rows.buffer, links.texts.buffer, links.anchors.buffer]
  return buffers.filter((buffer) => buffer.byteLength > 0)
}
