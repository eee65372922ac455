/** Forgetting in an inbox: what leaves is in no file, and what stays is there once, in order, whatever ends us. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { FileInbox } from './file-inbox.ts'
import { filesWith } from '../testing/forget-sample.ts'
import { itemOf, plain } from '../testing/inbox.suite.ts'
import {
  changes,
  COUNT,
  countOf,
  DONE,
  fillInbox,
  HUSH,
  leaves,
  leftOf,
  OPTIONS,
  restOf,
  sentOf,
} from '../testing/killed-forgetting.ts'
import { testFolder } from '../testing/sample-crawl.ts'

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  return dir
}
const segmentsIn = (dir: string): string[] =>
  readdirSync(join(dir, 'inbox')).filter((name) => name.startsWith('segment-'))

/** All that waits, by its count, with its body. */
async function heldIn(dir: string): Promise<Map<number, { number: number; body: string }>> {
  await using inbox = await FileInbox.open(dir, DONE, OPTIONS)
  assert.equal(inbox.figures.cutBytes, 0)
  const held = new Map<number, { number: number; body: string }>()
  for await (const item of inbox.items()) {
    assert.ok(!held.has(countOf(item)), `item ${item.number} is there twice`)
    held.set(countOf(item), { number: item.number, body: Buffer.from(item.body).toString() })
  }
  assert.equal(inbox.depth.items, held.size)
  return held
}

/** Each item that stays is as it was; each of the others is as it was, or as it is to be. */
function checkHeld(held: ReadonlyMap<number, { number: number; body: string }>, isOver: boolean): void {
  const numbers = Array.from(held.values(), ({ number }) => number)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  for (let count = DONE + 1; count <= COUNT; count++) {
    const here = held.get(count)
    if (here === undefined) assert.ok(leaves(count), `item ${count} is lost`)
    else {
      const was = here.body === sentOf(count).body.toString()
      const isChanged = !leaves(count) && changes(count)
      assert.ok(
        was ? !isOver || !(leaves(count) || isChanged) : isChanged && here.body === restOf(count).toString(),
        `item ${count}`,
      )
      assert.equal(here.number, count)
    }
  }
}

test('killed before any step, everything that stays is there once, and forgetting again completes it', async (t) => {
  const template = folder(t)
  await fillInbox(template)
  assert.ok(segmentsIn(template).length > 3)
  assert.notDeepEqual(filesWith(template, HUSH), [])
  let step = 0
  for (; ; step++) {
    const dir = testFolder(t)
    cpSync(template, dir, { recursive: true })
    const script = join(import.meta.dirname, '../testing/killed-forgetting.ts')
    const { signal, status } = spawnSync(process.execPath, [script, dir, String(step)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status === 0) {
      checkHeld(await heldIn(dir), true)
      assert.deepEqual(filesWith(dir, HUSH), [])
      break
    }
    assert.equal(signal, 'SIGKILL')
    checkHeld(await heldIn(dir), false)
    {
      await using inbox = await FileInbox.open(dir, DONE, OPTIONS)
      await inbox.forget({ leftOf })
      assert.deepEqual(await inbox.append(itemOf(1)), { kind: 'kept', number: COUNT + 1 }, 'no number is given again')
      await inbox.acknowledged(DONE)
    }
    assert.deepEqual(filesWith(dir, HUSH), [], `killed before step ${step}`)
    assert.deepEqual(
      readdirSync(join(dir, 'inbox')).filter((name) => /new$|part$/.test(name)),
      [],
    )
  }
  assert.ok(step > 8, `${step} steps`)
})

test('what was acknowledged is in no file once the inbox is closed, or opened again after a kill', async (t) => {
  const dir = folder(t)
  {
    await using inbox = await FileInbox.open(dir, 0, OPTIONS)
    for (let n = 1; n <= 5; n++) await inbox.append({ ...itemOf(n), body: Buffer.from(HUSH) })
    await inbox.acknowledged(5)
  }
  assert.deepEqual([filesWith(dir, HUSH), segmentsIn(dir).length], [[], 1])
  // Killed: the reader's memory says that all was dealt with.
  {
    await using inbox = await FileInbox.open(dir, 5, OPTIONS)
    assert.deepEqual(await inbox.append({ ...itemOf(6), body: Buffer.from(HUSH) }), { kind: 'kept', number: 6 })
  }
  {
    await using inbox = await FileInbox.open(dir, 6, OPTIONS)
    assert.deepEqual(filesWith(dir, HUSH), [])
    assert.deepEqual(await inbox.append(itemOf(7)), { kind: 'kept', number: 7 })
  }
  await using inbox = await FileInbox.open(dir, 0, OPTIONS)
  assert.deepEqual(
    (await inbox.read(0, 10)).map(({ number }) => number),
    [7],
  )
})

test('what was put aside as damaged, and bytes that belong to no record, go with whatever is forgotten', async (t) => {
  const dir = folder(t)
  {
    await using inbox = await FileInbox.open(dir, 0, OPTIONS)
    for (let n = 1; n <= 3; n++) await inbox.append({ ...itemOf(n), body: Buffer.from(n === 2 ? HUSH : 'other') })
  }
  const path = join(dir, 'inbox', segmentsIn(dir)[0]!)
  const bytes = readFileSync(path)
  bytes[bytes.indexOf(HUSH) + HUSH.length - 1]! ^= 1
  writeFileSync(path, bytes)
  writeFileSync(join(dir, 'inbox', 'segment-000000000900.log'), HUSH)
  const start = HUSH.slice(0, -1)
  {
    await using inbox = await FileInbox.open(dir, 0, OPTIONS)
    assert.equal(filesWith(dir, start).length, 2)
    assert.equal(await inbox.forget({ leftOf: async () => 'all' }), 0)
    assert.deepEqual(filesWith(dir, start), [])
  }
  await using inbox = await FileInbox.open(dir, 0, OPTIONS)
  assert.deepEqual(
    (await inbox.read(0, 10)).map(({ number }) => number),
    [1, 3],
  )
})

test('whatever waits, was acknowledged and leaves, the others are read as they were, then and after opening again', async (t) => {
  const sizes = fc.array(fc.record({ left: fc.constantFrom('all', 'nothing', 'rest'), bytes: fc.nat(2_500) }), {
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(25), async (items, upTo) => {
      const dir = folder(t)
      const done = Math.min(upTo, items.length)
      const rest = { scheme: 'changes', type: 'text/plain', body: Buffer.from('rest') } as const
      const expected = items.flatMap(({ left, bytes }, i) => {
        const item = { ...itemOf(i + 1), number: i + 1, body: Buffer.alloc(bytes, i) }
        if (i < done || left === 'nothing') return []
        return [plain(left === 'all' ? item : { ...item, ...rest })]
      })
      {
        await using inbox = await FileInbox.open(dir, 0, { segmentBytes: 5_000, minFreeBytes: 0 })
        for (const [i, { bytes }] of items.entries())
          await inbox.append({ ...itemOf(i + 1), body: Buffer.alloc(bytes, i) })
        await inbox.acknowledged(done)
        const touched = await inbox.forget({
          leftOf: async ({ number }) => {
            const { left } = items[number - 1]!
            return left === 'rest' ? rest : left
          },
        })
        assert.equal(touched, items.slice(done).filter(({ left }) => left !== 'all').length)
        assert.deepEqual((await inbox.read(0, 100)).map(plain), expected)
        assert.equal(inbox.depth.items, expected.length)
      }
      await using inbox = await FileInbox.open(dir, done, { minFreeBytes: 0 })
      assert.deepEqual((await inbox.read(0, 100)).map(plain), expected)
      assert.deepEqual(await inbox.append(itemOf(1)), { kind: 'kept', number: items.length + 1 })
    }),
    { numRuns: 40 },
  )
})
