import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amount } from '@comity/protocol/testing'
import { IndexReader } from '../read/index-reader.ts'
import type { IndexView } from '../read/index-reader.ts'
import { IndexWriter } from './index-writer.ts'
import { isRemoval, PAGES, wordOf } from '../testing/killed-indexer.ts'
import { testFolder } from '../testing/sample-index.ts'
import { pagesIn } from '../testing/sample-pages.ts'

const KILLS = amount(6, 200)
const WRITER = join(import.meta.dirname, '../testing/killed-indexer.ts')

/**
 * Let the writer run, kill it some time after it has said a number of lines, and return how far it said it was. A busy
 * machine only makes it slower: what it does before it dies is counted in commits.
 */
async function runAndKill(dir: string, lines: number, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [WRITER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let [committed, left] = [0, lines]
  const said = createInterface(child.stdout)
  const { promise: isFar, resolve } = Promise.withResolvers<void>()
  said.on('line', (line) => {
    committed = Number(line.split(' ')[1])
    if (--left === 0) resolve()
  })
  const ended = once(child, 'exit')
  // One that ends by itself has failed, and has said why.
  if (lines > 0) await Promise.race([isFar, ended.then(() => assert.fail('the writer ended'))])
  await sleep(afterMs)
  child.kill('SIGKILL')
  await Promise.all([ended, once(said, 'close')])
  return committed
}

const byKey = (a: [number, string[]], b: [number, string[]]): number => a[0] - b[0]

/** Exactly what was put up to the position is there, in its last version. */
function check(view: IndexView): void {
  assert.deepEqual(view.refused, [])
  for (const { segment } of view.segments) segment.verify()
  const expected = new Map<number, string[]>()
  for (let step = 0; step < view.position; step++) {
    if (isRemoval(step)) expected.delete(step % PAGES)
    else expected.set(step % PAGES, [wordOf(step)])
  }
  assert.deepEqual([...pagesIn(view, 'w')].toSorted(byKey), [...expected].toSorted(byKey))
}

test(`after ${KILLS} kills at random moments the index holds just what its manifest says, and goes on from there`, async (t) => {
  const dir = testFolder(t)
  let last = 0
  for (let kill = 0; kill < KILLS; kill++) {
    // Every fifth dies young, while it opens and removes what the one before left.
    const isYoung = kill % 5 === 4
    const committed = await runAndKill(dir, isYoung ? 0 : 1 + (kill % 7), Math.random() * (isYoung ? 200 : 20))
    using reader = new IndexReader(dir)
    assert.ok(reader.view.position >= Math.max(last, committed), 'the position does not go back')
    check(reader.view)
    last = reader.view.position
  }
  assert.ok(last >= KILLS, `${last} steps: too few to mean anything`)
  using writer = new IndexWriter(dir)
  assert.equal(writer.position, last)
  writer.mergeAll()
  using reader = new IndexReader(dir)
  check(reader.view)
  t.diagnostic(`${last} steps in ${reader.view.generation} generations`)
})
