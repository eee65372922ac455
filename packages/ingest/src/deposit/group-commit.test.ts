import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { untilSo } from '@comity/protocol/testing'
import { Collection } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import { committed } from '../events.ts'
import type { CommitEvent } from '../events.ts'
import { GroupCommit } from './group-commit.ts'
import { IngestEvents } from '../ingest-events.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-commit-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

interface Bench extends AsyncDisposable {
  readonly commit: GroupCommit
  readonly collection: Collection
  readonly frontier: Frontier
  readonly errors: Error[]
  befores: number
}

async function bench(everyMs: number, options = {}): Promise<Bench> {
  const collection = await Collection.open(mkdtempSync(join(scratch, 'c-')), 0, options)
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 100, maxBytes: 1e9, maxKnown: 1_000 }),
    maxTries: 1,
    random: () => 0,
    gates: true,
    textOf: (page) => collection.text(page),
  })
  const errors: Error[] = []
  const taken = new IngestEvents()
  taken.follow('committing', () => made.befores++)
  const made = {
    collection,
    frontier,
    errors,
    befores: 0,
    commit: new GroupCommit({ collection, frontier, everyMs, taken, onError: (error) => errors.push(error) }),
    [Symbol.asyncDispose]: () => collection.close(),
  }
  return made
}

test('pages that come together are committed together', async (t) => {
  await using at = await bench(20)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const events: CommitEvent[] = []
  const listen = (event: CommitEvent): void => void events.push(event)
  committed.subscribe(listen as never)
  at.frontier.offer('http://a.example/1', { depth: 0, seed: 0 })
  for (let n = 0; n < 10; n++) at.commit.add()
  assert.equal(at.commit.pending, 10)
  t.mock.timers.tick(20)
  await untilSo(() => at.commit.pending === 0)
  t.mock.timers.tick(200)
  await turn()
  committed.unsubscribe(listen as never)
  assert.deepEqual([at.commit.pending, at.befores], [0, 1])
  assert.deepEqual(
    events.map(({ pages }) => pages),
    [10],
  )
  assert.equal(at.collection.text(0).path, '/1', 'what the frontier learnt is durable with them')
})

test('a clock that moved becomes durable soon, without any page', async (t) => {
  await using at = await bench(10)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  at.commit.soon()
  at.commit.soon()
  t.mock.timers.tick(10)
  await untilSo(() => at.befores === 1)
  t.mock.timers.tick(1_000)
  await turn()
  assert.equal(at.befores, 1, 'and nobody commits when there is nothing to say')
})

test('flush does not wait for the interval', async () => {
  await using at = await bench(60_000)
  at.commit.add()
  await at.commit.flush()
  assert.equal(at.commit.pending, 0)
})

test('room waits for the disk, and hurries it', async () => {
  await using at = await bench(60_000)
  for (let n = 0; n < 5; n++) at.commit.add()
  await at.commit.room(4, Infinity)
  assert.ok(at.commit.pending <= 4)
})

test('a disk without room is told once, and nobody waits for ever', async () => {
  await using at = await bench(5, { minFreeBytes: Number.MAX_SAFE_INTEGER })
  at.commit.add()
  await at.commit.room(0, 0)
  await at.commit.flush()
  assert.deepEqual(
    at.errors.map((error) => (error as { code?: string }).code),
    ['DISK_FULL'],
  )
})
