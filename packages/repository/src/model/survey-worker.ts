/** A worker thread that surveys a collection; see `model/survey-thread.ts`. */
import { FollowedCollection } from '@comity/collection'
import { parentPort, workerData } from 'node:worker_threads'
import { CLOSE } from './survey-call.ts'
import type { SurveyCall, SurveyReply, SurveyThreadData } from './survey-call.ts'
import { Surveyor } from './surveyor.ts'

const { dir, maxLinks } = workerData as SurveyThreadData
const port = parentPort ?? fail()
const now = (): number => Date.now()
const followed = new FollowedCollection(dir, now)
const surveyor = new Surveyor(followed, { now, maxLinks })

port.on('message', (message: SurveyCall | typeof CLOSE) => {
  void (message === CLOSE ? close() : answer(message).then((reply) => port.postMessage(reply, [])))
})

async function answer({ id, method, args }: SurveyCall): Promise<SurveyReply> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `model/survey-thread.ts` has the types of both ends.
    const ask = surveyor[method] as (...given: readonly unknown[]) => Promise<unknown>
    return { id, value: await ask.apply(surveyor, [...args]) }
  } catch (error) {
    return { id, error: error as Error }
  }
}

async function close(): Promise<void> {
  await surveyor[Symbol.asyncDispose]()
  await followed[Symbol.asyncDispose]()
  port.close()
}

function fail(): never {
  throw new Error('survey-worker.ts is started by SurveyThread, as a worker thread')
}
