import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { FileVersions } from './file-versions.ts'
import { AT, testFolder } from '../testing/journal-sample.ts'
import { digestOf, MemoryVersions } from './version-store.ts'
import type { VersionLimits, VersionStore } from './version-store.ts'

/** Bodies that do not compress, so that their sizes are what they are. */
const bodyOf = (seed: number, bytes = 1_000): Buffer => {
  const body = Buffer.alloc(bytes)
  let state = seed + 1
  for (let at = 0; at < bytes; at++) body[at] = (state = (state * 48_271) % 2_147_483_647) & 0xff
  return body
}
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/'))
    .map((name) => join(dir, name))

/** Sizes in the folder are rounded up to blocks, so the budget of the one in memory is in bytes. */
const stores: [name: string, unit: number, make: (t: TestContext, limits: Partial<VersionLimits>) => VersionStore][] = [
  ['memory', 1_000, (_t, limits) => new MemoryVersions(limits)],
  ['file', 4_096, (t, limits) => new FileVersions(testFolder(t), limits)],
]
for (const [name, unit, make] of stores) {
  const isThere = (store: VersionStore, seed: number): boolean => {
    const body = store.get(digestOf(bodyOf(seed)))
    if (body !== undefined) assert.deepEqual(Buffer.from(body), bodyOf(seed))
    return body !== undefined
  }

  test(`${name}: a body is found by its digest, and one that is not what its digest says is left out`, async (t) => {
    const store = make(t, {})
    await store.put(digestOf(bodyOf(1)), bodyOf(1))
    await store.put(digestOf(bodyOf(2)), bodyOf(3))
    assert.deepEqual([isThere(store, 1), isThere(store, 2)], [true, false])
    await store.put(digestOf(Buffer.alloc(0)), Buffer.alloc(0))
    assert.equal(store.get(digestOf(Buffer.alloc(0)))?.length, 0)
  })

  test(`${name}: what was superseded longest ago goes first, then what was stored longest ago`, async (t) => {
    const store = make(t, { maxBytes: 4 * unit })
    for (const seed of [1, 2, 3, 4]) await store.put(digestOf(bodyOf(seed)), bodyOf(seed))
    store.supersede(digestOf(bodyOf(3)), AT)
    store.supersede(digestOf(bodyOf(2)), AT + 1)
    const left = (): number[] => [1, 2, 3, 4, 5, 6, 7].filter((seed) => isThere(store, seed))
    await store.put(digestOf(bodyOf(5)), bodyOf(5))
    assert.deepEqual(left(), [1, 2, 4, 5])
    await store.put(digestOf(bodyOf(6)), bodyOf(6))
    assert.deepEqual(left(), [1, 4, 5, 6])
    await store.put(digestOf(bodyOf(7)), bodyOf(7))
    assert.deepEqual(left(), [4, 5, 6, 7])
  })

  test(`${name}: a version that becomes current again is no longer the first to go`, async (t) => {
    const store = make(t, { maxBytes: 2 * unit })
    for (const seed of [1, 2]) await store.put(digestOf(bodyOf(seed)), bodyOf(seed))
    store.supersede(digestOf(bodyOf(1)), AT)
    await store.put(digestOf(bodyOf(1)), bodyOf(1))
    store.supersede(digestOf(bodyOf(2)), AT + 1)
    await store.put(digestOf(bodyOf(3)), bodyOf(3))
    assert.deepEqual(
      [1, 2, 3].map((seed) => isThere(store, seed)),
      [true, false, true],
    )
  })

  test(`${name}: a body above the limit, or above the whole budget, is not kept`, async (t) => {
    const store = make(t, { maxBodyBytes: 1_500, maxBytes: unit })
    await store.put(digestOf(bodyOf(1, 2_000)), bodyOf(1, 2_000))
    assert.equal(store.get(digestOf(bodyOf(1, 2_000))), undefined)
  })

  test(`${name}: whatever is put and superseded, the budget holds and no wrong body comes out`, async (t) => {
    const step = fc.record({ seed: fc.nat(8), isPut: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(5), async (steps, budget) => {
        const store = make(t, { maxBytes: budget * unit })
        for (const [i, { seed, isPut }] of steps.entries()) {
          if (isPut) await store.put(digestOf(bodyOf(seed)), bodyOf(seed))
          else store.supersede(digestOf(bodyOf(seed)), AT + i)
        }
        assert.ok(Array.from({ length: 9 }, (_, seed) => seed).filter((seed) => isThere(store, seed)).length <= budget)
      }),
      { numRuns: 30 },
    )
  })
}

test('the folder opened again holds the same versions, in the same order of leaving', async (t) => {
  const dir = testFolder(t)
  const first = new FileVersions(dir)
  for (const seed of [1, 2, 3, 4]) await first.put(digestOf(bodyOf(seed)), bodyOf(seed))
  first.supersede(digestOf(bodyOf(4)), AT)
  first.supersede(digestOf(bodyOf(2)), AT + 1)
  const left = (store: VersionStore): number[] =>
    [1, 2, 3, 4].filter((seed) => store.get(digestOf(bodyOf(seed))) !== undefined)
  assert.deepEqual(left(new FileVersions(dir)), [1, 2, 3, 4])
  const smaller = new FileVersions(dir, { maxBytes: 3 * 4_096 })
  assert.deepEqual([left(smaller), smaller.bytes], [[1, 2, 3], 3 * 4_096])
  assert.deepEqual(left(new FileVersions(dir, { maxBytes: 2 * 4_096 })), [1, 3])
  assert.equal(filesIn(dir).filter((path) => statSync(path).isFile()).length, 2)
})

const damages: [sentence: string, spoil: (path: string) => void][] = [
  ['deleted', (path) => rmSync(path)],
  ['emptied by a power cut', (path) => truncateSync(path)],
  ['cut', (path) => truncateSync(path, 500)],
  ['altered', (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(7, 300, 320))],
  ['something else', (path) => writeFileSync(path, 'something else')],
]
for (const [sentence, spoil] of damages) {
  test(`a version whose file was ${sentence} is missing, and can be stored again`, async (t) => {
    const dir = testFolder(t)
    const store = new FileVersions(dir)
    await store.put(digestOf(bodyOf(1)), bodyOf(1))
    spoil(filesIn(dir)[0]!)
    assert.equal(store.get(digestOf(bodyOf(1))), undefined)
    assert.equal(store.bytes, 0)
    await store.put(digestOf(bodyOf(1)), bodyOf(1))
    assert.deepEqual(Buffer.from(store.get(digestOf(bodyOf(1))) ?? []), bodyOf(1))
  })
}

test('what a crash left behind is swept away, and what is not ours stays', async (t) => {
  const dir = testFolder(t)
  const store = new FileVersions(dir)
  await store.put(digestOf(bodyOf(1)), bodyOf(1))
  const [path = ''] = filesIn(dir)
  writeFileSync(join(path, '..', '17.tmp'), 'half')
  writeFileSync(path.replace(/\.zst$/, `.${AT}.zst`), readFileSync(path))
  writeFileSync(join(path, '..', 'notes'), '')
  writeFileSync(join(dir, 'README'), '')
  const again = new FileVersions(dir)
  assert.equal(filesIn(dir).length, 2)
  assert.deepEqual(Buffer.from(again.get(digestOf(bodyOf(1))) ?? []), bodyOf(1))
})
