/** A worker thread that receives what sites send; see `thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { InboxItem } from '@comity/collection'
import { faultOf } from './receiver-call.ts'
import type { ReceiverCall, ReceiverMessage, ReceiverReport, ReceiverThreadData } from './receiver-call.ts'
import { ReceiverService } from './service.ts'
import type { FetchedFrom } from './proof/speaker-proof.ts'

const port = parentPort ?? fail()
const fetching = new Map<number, (fetched: FetchedFrom) => void>()
let fetches = 0
let kept = 0
let isTelling = false

const service = ReceiverService.open(workerData as ReceiverThreadData, {
  now: () => Date.now(),
  fetchFrom: (origin, path) => {
    const { promise, resolve } = Promise.withResolvers<FetchedFrom>()
    fetching.set(++fetches, resolve)
    report({ kind: 'fetch', id: fetches, origin, path })
    return promise
  },
  onError: (error) => report({ kind: 'trouble', fault: faultOf(error) }),
  tell: (sentence) => report({ kind: 'told', sentence }),
  onKept: (last) => {
    kept = last
    // In a storm one message tells of many.
    if (!isTelling) setTimeout(tellKept, TELL_EVERY_MS)
    isTelling = true
  },
})
// Whoever asks first is told.
service.catch(() => undefined)

const TELL_EVERY_MS = 20

function tellKept(): void {
  isTelling = false
  report({ kind: 'kept', last: kept })
}

port.on('message', (message: ReceiverMessage) => {
  if (message.kind === 'fetched') {
    fetching.get(message.id)?.(message.fetched)
    fetching.delete(message.id)
  } else void (message.kind === 'close' ? close() : answer(message))
})

async function answer({ id, method, args }: ReceiverCall): Promise<void> {
  try {
    const receiver = await service
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `thread.ts` has the types of both ends.
    const ask = receiver[method] as (...given: readonly unknown[]) => Promise<unknown>
    const value = await ask.apply(receiver, [...args])
    report({ kind: 'value', id, value }, method === 'read' ? buffersOf(value as InboxItem[]) : [])
  } catch (error) {
    report({ kind: 'failed', id, fault: faultOf(error) })
  }
}

/** Bodies are handed over, not copied; items that were read together share one buffer. */
function buffersOf(items: readonly InboxItem[]): ArrayBuffer[] {
  const buffers = new Set(items.map(({ body }) => body.buffer))
  return [...buffers].filter((buffer): buffer is ArrayBuffer => buffer instanceof ArrayBuffer && buffer.byteLength > 0)
}

function report(message: ReceiverReport, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

async function close(): Promise<void> {
  await (await service.catch(() => undefined))?.close()
  port.close()
}

function fail(): never {
  throw new Error('receiver-worker.ts is started by ReceiverThread, as a worker thread')
}
