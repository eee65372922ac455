import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileInbox } from '@comity/collection'
import { amount } from '@comity/protocol/testing'
import { keyOf } from './testing/killed-receiver.ts'
import { askReceiver, urlsOf } from './testing/sample-receiver.ts'

const KILLS = amount(3, 60)
const RECEIVER = join(import.meta.dirname, 'testing/killed-receiver.ts')

/** Let the receiver run, send to it without end, kill it; what it said to have taken. */
async function stormAndKill(dir: string, round: number, taken: Set<string>): Promise<void> {
  const child = spawn(process.execPath, [RECEIVER, dir, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line.split(' ')[1])
  const state = { isOver: false }
  const [before, enough] = [taken.size, 20 + Math.floor(Math.random() * 60)]
  const enoughTaken = Promise.withResolvers<void>()
  const sender = async (who: number): Promise<void> => {
    for (let n = 0; !state.isOver; n++) {
      const url = `https://site-${who}.example/${round}/${n}`
      const body = JSON.stringify({ host: `site-${who}.example`, key: keyOf(who), urlList: [url] })
      const headers = [['Content-Type', 'application/json']] as const
      // No answer: nobody knows whether it was taken.
      const reply = await askReceiver(port, '/indexnow', { method: 'POST', headers, body }).catch(() => undefined)
      if (reply?.status === 200) taken.add(url)
      if (taken.size >= before + enough) enoughTaken.resolve()
    }
  }
  const senders = Array.from({ length: 8 }, (_, who) => sender(who))
  await enoughTaken.promise
  // Not a wait for something to happen, but the moment of the kill.
  await sleep(Math.random() * 20)
  child.kill('SIGKILL')
  await once(child, 'exit')
  state.isOver = true
  await Promise.all(senders)
}

test(`after ${KILLS} kills of a receiver everything that it said to have taken is in its inbox, once`, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-receiver-crash-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const taken = new Set<string>()
  for (let round = 0; round < KILLS; round++) await stormAndKill(dir, round, taken)
  await using inbox = await FileInbox.open(dir, 0, { minFreeBytes: 0 })
  const kept = new Map<string, number>()
  for (let items = await inbox.read(0, 500); items.length > 0; items = await inbox.read(items.at(-1)!.number, 500))
    for (const url of items.flatMap(urlsOf)) kept.set(url, (kept.get(url) ?? 0) + 1)
  const lost = [...taken].filter((url) => !kept.has(url))
  const doubled = [...kept].filter(([, times]) => times > 1)
  assert.deepEqual([lost, doubled], [[], []])
  assert.ok(taken.size > KILLS, `${taken.size} notices: too few to mean anything`)
  t.diagnostic(`${taken.size} notices taken, ${kept.size} kept`)
})
