import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { FileInbox } from '@comity/collection'
import type { InboxItem, NewInboxItem } from '@comity/collection'
import { PendingNotices } from './pending-notices.ts'
import { SpeakerProof } from '../proof/speaker-proof.ts'
import type { FetchedFrom } from '../proof/speaker-proof.ts'

const AT = Date.UTC(2026, 10, 1)
const HOUR = 3_600_000
/** Of addresses: each notice comes from another. */
let many = 0
const file = (status: number, body = ''): FetchedFrom => ({ status, headers: [], body: Buffer.from(body) })

function noticeOf(site: number): NewInboxItem {
  const origin = `https://${site}.example`
  const claim = { key: `key-of-${site}`, keyLocation: `${origin}/key-of-${site}.txt` }
  const plain = { at: AT, origin, door: 'indexnow', scheme: 'changes', proof: 'pending', type: 'x' } as const
  return { ...plain, body: Buffer.from('{}'), claim }
}

const origins = (items: readonly InboxItem[]): string[] => items.map(({ origin }) => origin)

async function sample(t: TestContext, dir = mkdtempSync(join(tmpdir(), 'comity-pending-'))) {
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const state = { now: AT, files: new Map<string, FetchedFrom>(), isFull: false }
  const [proven, refused]: [InboxItem[], InboxItem[]] = [[], []]
  const now = (): number => state.now
  const proof = new SpeakerProof({ now, fetchFrom: async (origin) => state.files.get(origin) ?? file(503) })
  const box = await FileInbox.open(dir, 0, { name: 'pending', minFreeBytes: 0, maxItems: 20 })
  const onProven = async (item: InboxItem): Promise<boolean> => !state.isFull && proven.push(item) > 0
  const onRefused = (item: InboxItem): void => void refused.push(item)
  const pending = new PendingNotices({
    box,
    proof,
    now,
    maxMs: HOUR,
    maxItems: 20,
    maxBytes: 1 << 20,
    onProven,
    onRefused,
  })
  t.after(() => pending[Symbol.asyncDispose]())
  return { dir, state, box, pending, proven: () => origins(proven), refused: () => origins(refused) }
}

test('each goes on when its key was found, away when it was not, and waits otherwise', async (t) => {
  const { state, pending, box, proven, refused } = await sample(t)
  for (const site of [1, 2, 3]) await pending.add(noticeOf(site), `192.0.2.${many++}`)
  state.files.set('https://2.example', file(200, 'key-of-2'))
  state.files.set('https://3.example', file(404))
  await Promise.all([pending.turn(), pending.turn()])
  assert.deepEqual([proven(), refused(), pending.waiting], [['https://2.example'], ['https://3.example'], 1])
  await pending.turn()
  assert.deepEqual(proven(), ['https://2.example'], 'nothing goes on twice')
  state.files.set('https://1.example', file(200, 'key-of-1'))
  state.now += 60_000
  await pending.turn()
  assert.deepEqual([proven(), pending.waiting, box.depth.items], [['https://2.example', 'https://1.example'], 0, 0])
})

test('after an hour nobody waits any longer', async (t) => {
  const { state, pending, refused } = await sample(t)
  await pending.add(noticeOf(1), `192.0.2.${many++}`)
  state.now += HOUR
  await pending.turn()
  assert.deepEqual([refused(), pending.waiting], [['https://1.example'], 0])
})

test('what finds no room is tried again', async (t) => {
  const { state, pending, proven } = await sample(t)
  await pending.add(noticeOf(1), `192.0.2.${many++}`)
  state.files.set('https://1.example', file(200, 'key-of-1'))
  state.isFull = true
  await pending.turn()
  assert.deepEqual([proven(), pending.waiting], [[], 1])
  state.isFull = false
  await pending.turn()
  assert.deepEqual([proven(), pending.waiting], [['https://1.example'], 0])
})

test('one address fills a third of the room, and has it again when its notices are settled', async (t) => {
  const { pending, state } = await sample(t)
  const add = (site: number, from: string): ReturnType<typeof pending.add> => pending.add(noticeOf(site), from)
  const kept = []
  for (let site = 0; site < 10; site++) kept.push(await add(site, 'loud'))
  assert.deepEqual(kept.slice(0, 7), [...Array<string>(6).fill('kept'), 'over'])
  assert.equal(await add(10, 'quiet'), 'kept')
  state.now += HOUR
  await pending.turn()
  assert.equal(await add(11, 'loud'), 'kept')
})

test('it is bounded, and there again after a restart', async (t) => {
  const first = await sample(t)
  const kept = []
  for (let site = 0; site < 25; site++) kept.push(await first.pending.add(noticeOf(site), `192.0.2.${many++}`))
  // The last places are left free for whoever holds nothing yet, of which there is no end here.
  const count = kept.filter((one) => one === 'kept').length
  assert.ok(count >= 15 && count < 20, String(count))
  await first.pending[Symbol.asyncDispose]()
  const { pending, state, proven } = await sample(t, first.dir)
  assert.equal(pending.waiting, count)
  state.files.set('https://0.example', file(200, 'key-of-0'))
  await pending.turn()
  assert.deepEqual(proven(), ['https://0.example'])
})
