/** A worker thread that reads answers; see `reading-pool.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { read } from './reading.ts'
import type { Answered, Reading, ReadingOptions } from './reading.ts'

export type Work = { readonly id: number; readonly answered: Answered }
export type Done = { readonly id: number } & ({ readonly reading: Reading } | { readonly error: Error })

const options = workerData as ReadingOptions

parentPort?.on('message', (work: Work) => {
  const done = attempt(work)
  parentPort?.postMessage(done, 'reading' in done ? buffersOf(done.reading) : [])
})

function attempt({ id, answered }: Work): Done {
  try {
    return { id, reading: read(answered, options) }
  } catch (error) {
    return { id, error: error as Error }
  }
}

function buffersOf({ response, request, links }: Reading): ArrayBuffer[] {
  const buffers = [response.buffer, request.buffer, links.rows.buffer, links.texts.buffer, links.anchors.buffer]
  return buffers.filter((buffer) => buffer.byteLength > 0)
}
