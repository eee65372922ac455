// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LabError } from '../lab-error.ts'
import { tarOf } from '../testing/graph-tar-sample.ts'
import { yearFolder } from '../experiments/schemes/source.ts'
import { DAY_MS, isYear, readBodies, readYear, requireBodies, storeBodies, storedBodies, YearState } from './year.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-year-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const BEGIN = Date.UTC(2004, 0, 1)
const seconds = (days: number): number => (BEGIN + days * DAY_MS) / 1_000
writeFileSync(
  join(folder, 'events.tsv'),
  [
    `epoch\tstatus\tpath\tblob\tbytes`,
    `${seconds(-300)}\tS\ta.html\tone\t3`,
    `${seconds(-2)}\tS\tb c.html\ttwo\t3`,
    `${seconds(1.5)}\tM\ta.html\ttwo\t3`,
    `${seconds(0.25)}\tA\tnew.html\tthree\t5`,
    `${seconds(2.5)}\tD\tnew.html\t\t0`,
  ].join('\n'),
)
writeFileSync(
  join(folder, 'blobs.tar'),
  tarOf([
    ['blobs/one', 'ONE'],
    ['blobs/two', 'TWO'],
    ['blobs/three', 'THREE'],
  ]),
)

test('a year has whole days, from the first change of its own to the last, and its events in order', async () => {
  const year = await readYear(folder)
  assert.deepEqual([year.from, year.until], [BEGIN, BEGIN + 3 * DAY_MS])
  assert.deepEqual(
    year.present.map(({ path, content }) => [path, content]),
    [
      ['/a.html', 'one'],
      ['/b%20c.html', 'two'],
    ],
  )
  assert.deepEqual(
    year.events.map(({ path, content }) => [path, content]),
    [
      ['/new.html', 'three'],
      ['/a.html', 'two'],
      ['/new.html', undefined],
    ],
  )
})

test('the site moves on from moment to moment', async () => {
  const state = new YearState(await readYear(folder))
  assert.deepEqual([...state.pages.keys()], ['/a.html', '/b%20c.html'])
  assert.equal(state.advance(BEGIN + DAY_MS).length, 1)
  assert.equal(state.pages.get('/new.html'), 'three')
  assert.equal(state.advance(BEGIN + 3 * DAY_MS).length, 2)
  assert.deepEqual(
    [...state.pages],
    [
      ['/a.html', 'two'],
      ['/b%20c.html', 'two'],
    ],
  )
  assert.deepEqual(state.advance(Infinity), [])
})

test('versions that were put into one file are the same again', async () => {
  const bodies = await readBodies(folder)
  const stored = storedBodies(storeBodies(bodies, join(folder, 'stored')))
  assert.deepEqual(
    Array.from(stored, ([content, body]) => [content, body.toString()]),
    [
      ['one', 'ONE'],
      ['two', 'TWO'],
      ['three', 'THREE'],
    ],
  )
})

test('a year without the bytes of one of its versions is refused by the name of the page', async () => {
  const [year, bodies] = [await readYear(folder), new Map(await readBodies(folder))]
  requireBodies(year, bodies)
  bodies.delete('three')
  assert.throws(
    () => requireBodies(year, bodies),
    (error) => error instanceof LabError && /new\.html/.test(error.message),
  )
})

test('what is no year says what one is and how to get it', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'comity-no-year-'))
  try {
    assert.equal(isYear(empty), false)
    assert.throws(
      () => yearFolder(empty),
      (error) => error instanceof LabError && /COMITY_SHARED/.test(error.message),
    )
    await assert.rejects(readYear(empty), (error) => error instanceof LabError && /events\.tsv\.gz/.test(error.message))
    assert.equal(yearFolder(folder), folder)
  } finally {
    rmSync(empty, { recursive: true })
  }
})
