import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { FolderWatch } from './folder-watch.ts'

const nothing = (): void => undefined

interface Watched {
  readonly at: (...parts: readonly string[]) => string
  /** Until these names were told since we last waited; all that were. */
  readonly told: (...names: readonly string[]) => Promise<readonly unknown[]>
}

function watched(t: TestContext, make: (at: Watched['at']) => void = nothing): Watched {
  const dir = mkdtempSync(join(tmpdir(), 'comity-folder-watch-'))
  const at = (...parts: readonly string[]): string => join(dir, ...parts)
  make(at)
  const heard = new Set<string | undefined>()
  let wake = nothing
  const watch = new FolderWatch(
    dir,
    (name) => (heard.add(name), wake()),
    (error) => assert.fail(String(error)),
  )
  t.after(() => {
    watch[Symbol.dispose]()
    rmSync(dir, { recursive: true, force: true })
  })
  const told = async (...names: readonly string[]): Promise<readonly unknown[]> => {
    while (!names.every((name) => heard.has(name))) await new Promise<void>((resolve) => (wake = resolve))
    // What was told in the same moment: a folder told again is looked at whole, whatever came into it by then.
    await turn()
    const all = [...heard]
    heard.clear()
    return all
  }
  return { at, told }
}

/** As editors and generators write: nobody sees half a file. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

test('a file that others are renamed onto is told each time', async (t) => {
  const { at, told } = watched(t, (path) => {
    mkdirSync(path('sub'))
    for (const name of ['a', 'sub/b']) writeFileSync(path(name), '')
  })
  for (let time = 0; time < 5; time++) {
    for (const name of ['a', 'sub/b']) replace(at(name), String(time))
    await told('a', 'sub/b')
  }
})

test('folders that come are watched, and what is in them', async (t) => {
  const { at, told } = watched(t)
  mkdirSync(at('new/deep'), { recursive: true })
  await told('new')
  writeFileSync(at('new/deep/file'), '')
  await told('new/deep/file')
})

test('a folder that takes the place of another is watched in its stead', async (t) => {
  const { at, told } = watched(t, (path) => {
    for (const name of ['live/in', 'next/in']) mkdirSync(path(name), { recursive: true })
  })
  renameSync(at('live'), at('old'))
  renameSync(at('next'), at('live'))
  await told('live', 'old')
  writeFileSync(at('live/in/file'), '')
  await told('live/in/file')
  rmSync(at('old'), { recursive: true })
  await told('old')
})

test('what happens in a hidden folder is not told, and what comes after it is', async (t) => {
  const { at, told } = watched(t, (path) => mkdirSync(path('.git/refs'), { recursive: true }))
  writeFileSync(at('.git/refs/head'), '')
  writeFileSync(at('page'), '')
  assert.deepEqual(await told('page'), ['page'])
})

test('a link to a folder is told as a name, and not followed', async (t) => {
  const { at, told } = watched(t, (path) => mkdirSync(path('real')))
  symlinkSync('.', at('around'))
  await told('around')
  writeFileSync(at('real/file'), '')
  await told('real/file')
})

test('a root that is not there is refused', () => {
  const none = join(tmpdir(), 'comity-folder-watch-none')
  assert.throws(() => new FolderWatch(none, nothing, nothing), { code: 'ENOENT' })
})
