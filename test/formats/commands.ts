/** The real commands, as tests and makers of fixtures call them: to their end, or for as long as something else is done. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { comity, comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'

/** In this process; fails when it does not work. */
export async function works(...words: readonly string[]): Promise<Ended> {
  const ended = await comityHere(words)
  assert.equal(ended.code, 0, `${words.join(' ')}\n${ended.stderr}${ended.stdout}`)
  return ended
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isSo()) return
    await sleep(200)
  }
  throw new Error(`it did not happen: ${what}`)
}

/** A command that goes on until it is told to stop. */
export async function during(
  words: readonly string[],
  isReady: RegExp,
  work: (said: string) => Promise<void>,
): Promise<Ended> {
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  const { promise: started, resolve: start } = Promise.withResolvers<ChildProcess>()
  const ended = comity(words, {
    onStart: (child) => {
      start(child)
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream! }).on('line', (line) => isReady.test(line) && resolve(line))
    },
  })
  const said = await Promise.race([ready, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  try {
    await work(said)
  } finally {
    ;(await started).kill('SIGINT')
  }
  const end = await ended
  assert.equal(end.code, 0, end.stderr)
  return end
}

/** Paths of the pages of a collection that have these words. */
export async function found(dir: string, words: string): Promise<string[]> {
  const { results }: { results: { url: string }[] } = JSON.parse((await works('search', dir, words, '--json')).stdout)
  return results.map(({ url }) => new URL(url).pathname)
}
