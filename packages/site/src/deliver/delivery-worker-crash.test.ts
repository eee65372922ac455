import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amount } from '@comity/protocol/testing'
import { FileJournal } from '../journal/file-journal.ts'
import { testFolder } from '../testing/journal-sample.ts'
import { PAGES } from '../testing/killed-delivery-worker.ts'
import { PushReceiver } from '../testing/push-receiver-fixture.ts'
import { digestOf } from '../journal/version-store.ts'

const KILLS = amount(3, 60)
const SENDER = join(import.meta.dirname, '../testing/killed-delivery-worker.ts')

/** Let the sender run, and kill it some moments after so many deliveries. */
async function runAndKill(words: readonly string[], deliveries: number, moreMs: number): Promise<void> {
  const child = spawn(process.execPath, [SENDER, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  let seen = 0
  const enough = new Promise<void>((resolve) => void lines.on('line', () => seen++ === deliveries && resolve()))
  await Promise.race([enough, once(child, 'exit')])
  // Not a wait for something to happen, but the moment of the kill: anywhere within the next deliveries.
  await sleep(moreMs)
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
}

for (const scheme of ['differences', 'pages'] as const) {
  test(`${scheme}: after ${KILLS} kills of the sender the receiver holds the newest version of every page`, async (t) => {
    const dir = testFolder(t)
    await using receiver = await PushReceiver.listen()
    receiver.judge = () => {
      const chance = Math.random()
      return chance < 0.1 ? 'take-and-cut' : chance < 0.2 ? { status: 500 } : chance < 0.25 ? 'take-and-500' : undefined
    }
    const words = [dir, receiver.url, scheme]
    for (let kill = 0; kill < KILLS; kill++) await runAndKill(words, Math.floor(Math.random() * 25), Math.random() * 15)
    receiver.judge = () => undefined
    const last = spawn(process.execPath, [SENDER, ...words, 'finish'], { stdio: ['ignore', 'inherit', 'inherit'] })
    const [code] = (await once(last, 'exit')) as [number]
    assert.equal(code, 0)
    await using journal = await FileJournal.open(dir)
    const expected = new Map([...journal.pages()].map(({ path, digest }) => [path, digest]))
    const held = new Map([...receiver.pages].map(([path, body]) => [path, digestOf(body)]))
    assert.deepEqual(held, expected)
    assert.deepEqual([receiver.faults, receiver.asked], [[], []])
    assert.ok(held.size > 0 && held.size <= PAGES)
    assert.ok(journal.last > KILLS, `${journal.last} changes: too few to mean anything`)
    t.diagnostic(`${journal.last} changes, ${receiver.received.length} requests, ${receiver.records.length} records`)
  })
}
