import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sampleRoot, SampleWorld } from '../testing/docroot-sample.ts'
import type { SampleRoot } from '../testing/docroot-sample.ts'
import { DocrootScanner } from './docroot-scanner.ts'
import type { DocrootScanSummary } from './docroot-scan.ts'
import { watchDocroot } from './docroot-watch.ts'
import type { WatchFolder } from './docroot-watch.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { testFolder } from '../testing/journal-sample.ts'

const nothing = (): void => undefined

interface Watched {
  readonly root: SampleRoot
  readonly journal: MemoryJournal
  readonly world: SampleWorld
  readonly touch: (name: string | undefined) => void
  readonly break: (error: Error) => void
  readonly troubles: unknown[]
  /** The next look or scan. */
  readonly scanned: () => Promise<DocrootScanSummary>
}

/** A watch whose touches the test makes. */
function watched(t: TestContext, files: Readonly<Record<string, string>>): Watched {
  const root = sampleRoot(t, files)
  const journal = new MemoryJournal()
  const world = new SampleWorld()
  const end = new AbortController()
  let [touched, broken]: [(name: string | undefined) => void, (error: unknown) => void] = [() => {}, () => {}]
  const watchFolder: WatchFolder = (_root, onTouched, onBroken) => {
    ;[touched, broken] = [onTouched, onBroken]
    return { [Symbol.dispose]: () => undefined }
  }
  const summaries: DocrootScanSummary[] = []
  let wake = nothing
  const troubles: unknown[] = []
  const watching = watchDocroot(new DocrootScanner(journal, { root: root.dir }, world), world, end.signal, {
    watchFolder,
    onScanned: (summary) => (summaries.push(summary), wake()),
    onTrouble: (error) => troubles.push(error),
  })
  t.after(async () => {
    end.abort()
    await watching
  })
  const scanned = async (): Promise<DocrootScanSummary> => {
    while (summaries.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return summaries.shift()!
  }
  const watch = {
    root,
    journal,
    world,
    touch: (name?: string) => touched(name),
    break: (e: Error) => broken(e),
    troubles,
    scanned,
  }
  return watch
}

test('a watch scans once, then looks only at what is touched, gathered into one look', async (t) => {
  const { root, journal, touch, scanned, world } = watched(t, { 'a.txt': '1', 'b.txt': '2' })
  assert.equal((await scanned()).created, 2)
  root.write('b.txt', 'other')
  root.write('c.txt', '3')
  touch('b.txt')
  touch('c.txt')
  const summary = await scanned()
  assert.deepEqual([summary.files, summary.created, summary.updated], [2, 1, 1])
  assert.equal(journal.pageCount, 3)
  assert.ok(
    world.slept.every((ms) => ms === 200),
    'it rests before it looks',
  )
})

const unclear: [sentence: string, name: (watch: Watched) => void][] = [
  ['the system does not say what was touched', ({ touch }) => touch(undefined)],
  ['a name is not UTF-8', ({ touch }) => touch('caf\ufffd.txt')],
  ['more is touched than is worth listing', ({ touch }) => Array.from({ length: 10_001 }, (_, i) => touch(`${i}`))],
]
for (const [sentence, act] of unclear) {
  test(`the whole root is scanned when ${sentence}`, async (t) => {
    const watch = watched(t, { 'a.txt': '1', 'b.txt': '2' })
    await watch.scanned()
    watch.root.write('c.txt', '3')
    act(watch)
    const summary = await watch.scanned()
    assert.deepEqual([summary.files, summary.created], [3, 1])
  })
}

test('a watch that breaks is told, and the root is scanned at intervals from then on', async (t) => {
  const watch = watched(t, { 'a.txt': '1' })
  await watch.scanned()
  watch.break(new Error('no watches left'))
  await watch.scanned()
  assert.match(String(watch.troubles[0]), /no watches left/)
  watch.root.write('b.txt', '2')
  const summary = await watch.scanned()
  assert.equal(summary.created, 1)
  assert.ok(watch.world.slept.includes(3_600_000))
})

test('a file that is still being written is looked at again', async (t) => {
  const watch = watched(t, { 'a.txt': '1' })
  await watch.scanned()
  watch.root.write('b.txt', 'half', watch.world.at)
  watch.touch('b.txt')
  while (watch.journal.page('/b.txt') === undefined) await watch.scanned()
  assert.equal(watch.journal.page('/b.txt')?.bytes, 4)
})

test('a root that vanishes for a while is trouble, deletes nothing, and is scanned when it is back', async (t) => {
  const watch = watched(t, { 'a.txt': '1' })
  await watch.scanned()
  rmSync(watch.root.dir, { recursive: true })
  watch.world.onSleep = async () => {
    if (watch.troubles.length === 2) watch.root.write('a.txt', 'back')
  }
  watch.touch('a.txt')
  const summary = await watch.scanned()
  assert.match(String(watch.troubles[0]), /cannot be read/)
  assert.deepEqual([summary.updated, summary.deleted], [1, 0])
})

test('the file system itself tells of files that come, change and go', async (t) => {
  const root = sampleRoot(t, { 'a.txt': '1', 'sub/b.txt': '2' })
  const journal = new MemoryJournal()
  // Real files are young in real time, so the clock of this test is an hour ahead and its rests are short.
  const world = {
    now: () => Date.now() + 3_600_000,
    sleep: (_ms: number, signal?: AbortSignal): Promise<void> => turn(undefined, { signal }),
  }
  const end = new AbortController()
  let scans = 0
  let check = nothing
  const watching = watchDocroot(new DocrootScanner(journal, { root: root.dir }, world), world, end.signal, {
    onScanned: () => (scans++, check()),
    onTrouble: (error) => end.abort(error),
  })
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo() && !end.signal.aborted) await new Promise<void>((resolve) => (check = resolve))
    assert.equal(end.signal.reason, undefined)
  }
  await until(() => journal.pageCount === 2)
  writeFileSync(join(root.dir, 'sub/b.txt'), 'changed')
  await until(() => journal.page('/sub/b.txt')?.bytes === 7)
  root.write('new/deep/c.txt', '3')
  await until(() => journal.page('/new/deep/c.txt') !== undefined)
  rmSync(join(root.dir, 'sub'), { recursive: true })
  await until(() => journal.page('/sub/b.txt') === undefined)
  end.abort()
  await watching
  assert.ok(scans >= 4)
})

/** On a real file system, with the watch that it has; `at` is beside the root. */
function really(t: TestContext, rootName: string, make: (at: (path: string) => string) => void): Really {
  const dir = testFolder(t)
  const at = (path: string): string => join(dir, path)
  make(at)
  const journal = new MemoryJournal()
  const world = new SampleWorld()
  const end = new AbortController()
  const scanner = new DocrootScanner(journal, { root: at(rootName) }, world)
  let wake = nothing
  const watching = watchDocroot(scanner, world, end.signal, { rootMs: 5, onScanned: () => wake() })
  t.after(async () => {
    end.abort()
    await watching
  })
  const knows = async (...paths: readonly string[]): Promise<true> => {
    while (paths.join() !== [...journal.pages()].map(({ path }) => path).join())
      await new Promise<void>((resolve) => (wake = resolve))
    return true
  }
  return { at, knows }
}

interface Really {
  readonly at: (path: string) => string
  /** Waits until these are all of its pages. */
  readonly knows: (...paths: readonly string[]) => Promise<true>
}

function filled(folder: string, ...names: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    writeFileSync(join(folder, name), name)
    utimesSync(join(folder, name), 1_000, 1_000)
  }
}

test('a link that is set to the next release is followed, and so is what changes there', async (t) => {
  const { at, knows } = really(t, 'current', (path) => {
    filled(path('one'), 'a.txt')
    filled(path('two'), 'a.txt', 'b.txt')
    symlinkSync('one', path('current'))
  })
  assert.ok(await knows('/a.txt'))
  symlinkSync('two', at('next'))
  renameSync(at('next'), at('current'))
  assert.ok(await knows('/a.txt', '/b.txt'))
  filled(at('two'), 'c.txt')
  assert.ok(await knows('/a.txt', '/b.txt', '/c.txt'))
})

test('a link higher up in the path of the root is followed too', async (t) => {
  const { at, knows } = really(t, 'current/public', (path) => {
    filled(path('one/public'), 'a.txt')
    filled(path('two/public'), 'b.txt')
    symlinkSync('one', path('current'))
  })
  assert.ok(await knows('/a.txt'))
  symlinkSync('two', at('next'))
  renameSync(at('next'), at('current'))
  assert.ok(await knows('/b.txt'))
  filled(at('two/public'), 'c.txt')
  assert.ok(await knows('/b.txt', '/c.txt'))
})

test('a root that is removed and made again is watched again', async (t) => {
  const { at, knows } = really(t, 'root', (path) => filled(path('root'), 'a.txt'))
  assert.ok(await knows('/a.txt'))
  renameSync(at('root'), at('old'))
  rmSync(at('old'), { recursive: true })
  filled(at('made'), 'a.txt', 'b.txt')
  renameSync(at('made'), at('root'))
  assert.ok(await knows('/a.txt', '/b.txt'))
  filled(at('root'), 'c.txt')
  assert.ok(await knows('/a.txt', '/b.txt', '/c.txt'))
})
