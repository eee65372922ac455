/** A worker thread that reads pages; see `node/page-threads.ts`. */
import { workerData } from 'node:worker_threads'
import { PageReader } from './page-reading.ts'
import type { PageReading, PageSource } from './page-reading.ts'
import { ReadingPacker } from './packed-reading.ts'
import type { PageThreadData, PagesRead, PagesToRead } from './page-threads.ts'

const { port, state } = workerData as PageThreadData
const [SENT, CURRENT] = [0, 1]
const reader = new PageReader()
const packer = new ReadingPacker()

port.on('message', ({ pages, bodies }: PagesToRead) => {
  let at = 0
  const readings = pages.map(({ id, length, ...page }) => {
    Atomics.store(state, CURRENT, id)
    const body = bodies.subarray(at, (at += length))
    return { id, reading: packer.pack(attempt({ ...page, body })) }
  })
  port.postMessage({ readings } satisfies PagesRead)
  Atomics.store(state, CURRENT, 0)
  Atomics.add(state, SENT, 1)
  Atomics.notify(state, SENT)
})

function attempt(source: PageSource): PageReading {
  try {
    return reader.read(source)
  } catch (error) {
    return { kind: 'fault', error }
  }
}
