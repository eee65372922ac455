/** DocumentThread: strangers' documents read by a thread of their own, and by this one where they are light. */
import type { TooMuchWork } from '@comity/protocol'
import { GuardedThread } from './guarded-thread.ts'
import { givenAway, isLight, ownDocuments, withOwnBytes } from './work.ts'
import type { DocumentJob, Documents, WorkArgs, WorkName, WorkValue } from './work.ts'

export class DocumentThread implements Documents, AsyncDisposable {
  #bench: GuardedThread | undefined

  async work<Name extends WorkName>(name: Name, args: WorkArgs<Name>): Promise<WorkValue<Name> | TooMuchWork> {
    if (isLight(name, args)) return await ownDocuments.work(name, args)
    this.#bench ??= new GuardedThread(new URL('./worker.ts', import.meta.url))
    const own = withOwnBytes(args)
    const given = givenAway(name, own, args)
    return await this.#bench.run<WorkValue<Name>>({ name, args: own } satisfies DocumentJob, given)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bench?.[Symbol.asyncDispose]()
  }
}
