import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { deadLetters, readLetter } from '@comity/collection'
import { OwnersFault } from './owners-fault.ts'
import { FAULT } from './fault-isolation.ts'
import { createFaults } from '../testing/fault-fixture.ts'
import { knownHooks } from '../hooks.ts'
import { ReadingFault } from '../read/pool.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-faults-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

const about = {
  key: 'page http://a.example/',
  kind: 'page',
  url: 'http://a.example/',
  body: Buffer.from('it'),
} as const

function fail(): never {
  throw new RangeError('Maximum call stack size exceeded')
}

/** As it comes out of a hook. */
function hookError(scope: () => never = fail): unknown {
  try {
    return knownHooks({ scope }).scope!('http://a.example/', 0)
  } catch (error) {
    return error
  }
}

test('what is done is done, and what we fail on is kept aside with its bytes and where it went wrong', async (t) => {
  const dir = folder(t)
  using faults = createFaults(dir)
  assert.equal(await faults.apart(about, async () => await Promise.resolve(1)), 1)
  assert.equal(
    faults.apartNow(about, () => 2),
    2,
  )
  assert.equal(await faults.apart(about, fail), FAULT)
  assert.equal(faults.apartNow({ ...about, url: 'http://a.example/b' }, fail), FAULT)
  assert.equal(
    await faults.apart(about, () => Promise.reject(new ReadingFault(new TypeError('no'), Buffer.from('read')))),
    FAULT,
  )
  const letters = deadLetters(dir)
  assert.deepEqual(
    [faults.count, letters.map(({ reason }) => reason)],
    [
      3,
      ['RangeError: Maximum call stack size exceeded', 'RangeError: Maximum call stack size exceeded', 'TypeError: no'],
    ],
  )
  assert.match(letters[0]?.trace ?? '', /fault-isolation\.test\.ts/)
  assert.deepEqual(
    ['crawl-1', 'crawl-3'].map((name) => Buffer.from(readLetter(dir, name)!.body).toString()),
    ['it', 'read'],
  )
})

test('what has no text is a fault like any other', (t) => {
  const dir = folder(t)
  using faults = createFaults(dir)
  const thrown = faults.apartNow(about, () => {
    throw Object.create(null)
  })
  assert.deepEqual([thrown, deadLetters(dir).map(({ reason }) => reason)], [FAULT, ['a value that has no text']])
})

const passed: [sentence: string, error: () => unknown][] = [
  ['a full disk', () => Object.assign(new Error('no space'), { code: 'ENOSPC' })],
  ['an option that cannot be', () => new OwnersFault('no')],
  ["a hook of the user's", hookError],
  [
    "a hook of the user's that throws what has no text",
    () =>
      hookError(() => {
        throw Object.create(null)
      }),
  ],
]
for (const [sentence, error] of passed) {
  test(`${sentence} ends the run, and is no dead letter`, async (t) => {
    const dir = folder(t)
    using faults = createFaults(dir)
    await assert.rejects(faults.apart(about, () => Promise.reject(error())))
    assert.deepEqual(deadLetters(dir), [])
  })
}

test('what was worked on whenever the process ended is kept aside the sixth time; what holds others, one later', async (t) => {
  const dir = folder(t)
  const batch = { ...about, key: 'inbox 1', holdsOthers: true }
  const tried: string[] = []
  for (let life = 1; life <= 8; life++) {
    // Not disposed of, and never done: the process ends.
    const faults = createFaults(dir)
    void faults.apart(batch, async () => {
      tried.push(`batch ${life}`)
      await faults.apart(about, () => {
        tried.push(`page ${life}`)
        return new Promise(() => undefined)
      })
      await new Promise(() => undefined)
    })
    await Promise.resolve()
  }
  assert.deepEqual(tried.filter((one) => one.startsWith('page')).length, 5 + Number(tried.includes('page 8')))
  assert.ok(!tried.includes('page 6'), tried.join(', '))
  assert.match(deadLetters(dir)[0]?.reason ?? '', /^comity ended 5 times/)
})
