/** Where the tests' large real data stand: in `COMITY_SHARED`, or in a folder `shared` beside the repository. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'

/** The path of a file or folder of the shared data, or undefined when this machine does not have it. */
export function sharedData(path: string): string | undefined {
  const root = process.env['COMITY_SHARED'] ?? resolve(import.meta.dirname, '../../../../../shared')
  const full = join(root, 'data', path)
  return existsSync(full) ? full : undefined
}

/**
 * This machine lacks what a test needs: skip it and say how to get it. Under `COMITY_REQUIRE_ALL`, as in `.ci/run`, it
 * fails instead, since a test that is skipped where everything should be there proves nothing.
 */
export function missing(
  t: Pick<TestContext, 'skip'>,
  what: string,
  how = 'set COMITY_SHARED to a folder that holds it',
): void {
  if (process.env['COMITY_REQUIRE_ALL'] !== undefined) throw new Error(`${what} is not here: ${how}`)
  t.skip(`${what}: ${how}`)
}

/** No tool would help: the system does not let us, or it takes so long that somebody has to ask for it. */
export function leftOut(t: Pick<TestContext, 'skip'>, why: string): void {
  t.skip(why)
}
