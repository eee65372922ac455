/** Running command: a server of ours in a process of its own, from when it says where it listens. */
import type { ChildProcess } from 'node:child_process'
import { comity } from '../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../packages/cli/src/testing/spawned-comity.ts'

export interface Running {
  readonly port: number
  /** Where its operator looks, if that is at another port. */
  readonly ledger: string | undefined
  stop(): Promise<Ended>
}

/** `place` has a group `port`, and may have `ledger`. `onStart`: for whoever ends it should the test fail. */
export async function running(
  args: readonly string[],
  place: RegExp,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Running> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  let [child, said]: [ChildProcess | undefined, string] = [undefined, '']
  const hear = (text: string): void => {
    said += text
    const found = place.exec(said)
    if (found !== null) resolve(found)
  }
  const ended = comity(args, {
    onStart: (started) => {
      child = started
      onStart(started)
      started.stdout?.on('data', hear)
    },
    onStderr: hear,
  })
  void ended.then(({ stderr }) => reject(new Error(stderr)))
  const { groups } = await promise
  return {
    port: Number(groups!['port']),
    ledger: groups!['ledger'],
    stop: async () => {
      child?.kill('SIGINT')
      return await ended
    },
  }
}
