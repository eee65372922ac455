/** What every inbox does, whether it is on disk or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { Inbox, InboxItem, NewInboxItem } from '../inbox/inbox.ts'
import { INBOX_DOORS, INBOX_PROOFS, INBOX_SCHEMES } from '../inbox/inbox.ts'

interface InboxLimits {
  readonly maxItems: number
  readonly maxBytes: number
}

type MakeInbox = (t: TestContext, after: number, limits: Partial<InboxLimits>) => Promise<Inbox>

const AT: number = Date.UTC(2026, 10, 1)

/** What the n-th item says follows from n. */
export const itemOf = (n: number, origin = `https://site${n % 7}.example`): NewInboxItem => ({
  at: AT + n,
  origin,
  door: INBOX_DOORS[n % INBOX_DOORS.length]!,
  scheme: INBOX_SCHEMES[n % INBOX_SCHEMES.length]!,
  proof: INBOX_PROOFS[n % 3]!,
  type: 'application/x-ndjson',
  body: Buffer.from(`{"url":"${origin}/${n}","change":"updated"}\n`.repeat(1 + (n % 5))),
})

export const plain = (item: InboxItem): object => ({ ...item, body: Buffer.from(item.body).toString('latin1') })
const expected = (n: number): object => plain({ ...itemOf(n), number: n })

const appendAll = async (inbox: Inbox, from: number, to: number): Promise<void> => {
  const all = Array.from({ length: to - from + 1 }, (_, i) => inbox.append(itemOf(from + i)))
  assert.deepEqual(
    await Promise.all(all),
    all.map((_, i) => ({ kind: 'kept', number: from + i })),
  )
}

export function inboxSuite(name: string, make: MakeInbox): void {
  test(`${name}: items are read in the order they were appended, as they were`, async (t) => {
    await using inbox = await make(t, 0, {})
    await appendAll(inbox, 1, 30)
    const read = await inbox.read(0, 100)
    assert.deepEqual(
      read.map(plain),
      Array.from({ length: 30 }, (_, i) => expected(i + 1)),
    )
    assert.deepEqual((await inbox.read(12, 3)).map(plain), [expected(13), expected(14), expected(15)])
    assert.deepEqual(await inbox.read(30, 10), [])
    assert.equal(inbox.last, 30)
  })

  test(`${name}: what was acknowledged is not read again, and frees its room`, async (t) => {
    await using inbox = await make(t, 0, { maxItems: 10 })
    await appendAll(inbox, 1, 10)
    assert.deepEqual(await inbox.append(itemOf(11)), { kind: 'full', what: 'items' })
    await inbox.acknowledged(4)
    await inbox.acknowledged(2)
    assert.equal(inbox.depth.items, 6)
    assert.deepEqual(
      (await inbox.read(0, 100)).map(({ number }) => number),
      [5, 6, 7, 8, 9, 10],
    )
    await appendAll(inbox, 11, 14)
    assert.deepEqual(await inbox.append(itemOf(15)), { kind: 'full', what: 'items' })
    await inbox.acknowledged(14)
    assert.equal(inbox.depth.items, 0)
    assert.deepEqual(await inbox.read(0, 100), [])
  })

  test(`${name}: it is bounded in bytes, also while many append at once`, async (t) => {
    await using inbox = await make(t, 0, { maxBytes: 200_000 })
    const body = Buffer.alloc(20_000)
    const answers = await Promise.all(Array.from({ length: 50 }, () => inbox.append({ ...itemOf(1), body })))
    const kept = answers.filter(({ kind }) => kind === 'kept').length
    assert.ok(kept >= 8 && kept <= 10, `${kept} kept`)
    assert.deepEqual(answers.at(-1), { kind: 'full', what: 'bytes' })
    assert.ok(inbox.depth.bytes <= 200_000)
  })

  test(`${name}: numbers go on behind what the reader says it has read`, async (t) => {
    await using inbox = await make(t, 41, {})
    assert.deepEqual(await inbox.append(itemOf(42)), { kind: 'kept', number: 42 })
    assert.deepEqual((await inbox.read(0, 5)).map(plain), [expected(42)])
  })

  test(`${name}: it says who waits, and with how much`, async (t) => {
    await using inbox = await make(t, 0, {})
    await appendAll(inbox, 1, 5)
    await inbox.acknowledged(2)
    const waiting = [...inbox.waiting()]
    assert.deepEqual(
      waiting.map(({ number, origin }) => [number, origin]),
      [3, 4, 5].map((n) => [n, itemOf(n).origin]),
    )
    for (const { number, bytes } of waiting) assert.ok(bytes >= itemOf(number).body.length)
  })

  test(`${name}: whatever is appended, read and acknowledged, each item comes once and in order`, async (t) => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 8 }) }),
        fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 5 }) }),
        fc.record({ kind: fc.constant('acknowledge' as const), count: fc.constant(0) }),
      ),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await using inbox = await make(t, 0, {})
        let [appended, read, done] = [0, 0, 0]
        for (const { kind, count } of all) {
          if (kind === 'append') {
            await appendAll(inbox, appended + 1, appended + count)
            appended += count
          } else if (kind === 'read') {
            const items = await inbox.read(read, count)
            const most = Math.min(count, appended - read)
            assert.deepEqual(
              items.map(plain),
              Array.from({ length: most }, (_, i) => expected(read + 1 + i)),
            )
            read += items.length
          } else await inbox.acknowledged((done = read))
          assert.equal(inbox.depth.items, appended - done)
        }
      }),
      { numRuns: 25 },
    )
  })
}
