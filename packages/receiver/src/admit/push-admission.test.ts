import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { barAt, PushAdmission } from './push-admission.ts'
import type { Admission, Admitted } from './push-admission.ts'

const limits = {
  site: { perSecond: 1, burst: 1_000 },
  sites: 1_000,
  requests: 30,
  queueItems: 300,
  queueBytes: 300 * 1_000,
}
const everybody = (): number => 1
const A = 'https://a.example'

const reasonOf = (admission: Admission): string => (admission.kind === 'admitted' ? 'admitted' : admission.reason)
const enter = (admission: PushAdmission, origin: string, bytes = 0, now = 0): Admission =>
  admission.enter(origin, 'push', bytes, now)

/** Send until it is refused; what was kept gets numbers from `next` on. */
function fill(admission: PushAdmission, origin: string, next: { number: number }): { kept: number; refusal: string } {
  for (let kept = 0; ; kept++) {
    const entry = enter(admission, origin)
    if (entry.kind === 'refused') return { kept, refusal: entry.reason }
    admission.kept(entry, next.number++, 0)
  }
}

test('a loud site is stopped by its own share, and every other is still heard', () => {
  const admission = new PushAdmission(everybody, limits)
  const next = { number: 1 }
  assert.deepEqual(fill(admission, 'https://loud.example', next), { kept: 100, refusal: 'over-share' })
  for (let site = 0; site < 50; site++)
    assert.equal(
      reasonOf(enter(admission, `https://quiet${site}.example`)),
      site < 29 ? 'admitted' : 'busy',
      String(site),
    )
})

test('one site alone does not raise the bar for the others', () => {
  const admission = new PushAdmission((origin) => (origin === A ? 1 : 0.01), limits)
  fill(admission, A, { number: 1 })
  assert.equal(barAt(admission.fill), 0)
  assert.equal(reasonOf(enter(admission, 'https://small.example')), 'admitted')
})

test('when many have filled the room the most valuable are heard longest', () => {
  const admission = new PushAdmission((origin) => (origin.includes('dear') ? 1 : 0.1), limits)
  const next = { number: 1 }
  for (let site = 0; site < 5; site++) fill(admission, `https://dear${site}.example`, next)
  assert.ok(admission.fill > 0.6)
  const low = enter(admission, 'https://low.example')
  assert.deepEqual(low, { kind: 'refused', reason: 'busy', retryAfterMs: 5_000 })
  assert.equal(reasonOf(enter(admission, 'https://dear9.example')), 'admitted')
})

test('a site that nobody wants to hear may ask again tomorrow', () => {
  const admission = new PushAdmission(() => 0, limits)
  assert.deepEqual(enter(admission, A), { kind: 'refused', reason: 'not-wanted', retryAfterMs: 86_400_000 })
})

test('each door of a site has a bucket of its own, and large bodies cost more', () => {
  const admission = new PushAdmission(everybody, { ...limits, site: { perSecond: 1, burst: 2 }, queueBytes: 1 << 30 })
  const at = (door: 'push' | 'indexnow', bytes: number): Admission => {
    const entry = admission.enter(A, door, bytes, 0)
    if (entry.kind === 'admitted') admission.left(entry)
    return entry
  }
  assert.equal(reasonOf(at('push', 100_000)), 'admitted')
  assert.deepEqual(at('push', 0), { kind: 'refused', reason: 'too-often', retryAfterMs: 1_000 })
  assert.equal(reasonOf(at('indexnow', 0)), 'admitted')
})

test('requests being answered are shared fairly too', () => {
  const admission = new PushAdmission(everybody, { ...limits, queueItems: 100_000, queueBytes: 1e9 })
  const entries = Array.from({ length: 20 }, () => enter(admission, A))
  assert.equal(entries.filter(({ kind }) => kind === 'admitted').length, 10)
  assert.equal(reasonOf(entries.at(-1)!), 'busy')
  assert.equal(reasonOf(enter(admission, 'https://b.example')), 'admitted')
  for (const entry of entries) if (entry.kind === 'admitted') admission.left(entry)
  assert.equal(admission.answering, 1)
})

test('what was acknowledged makes room again, whatever the order it was told in', () => {
  const admission = new PushAdmission(everybody, limits)
  const entries = Array.from({ length: 3 }, () => enter(admission, A) as Admitted)
  admission.kept(entries[1]!, 2, 0)
  admission.kept(entries[0]!, 1, 0)
  admission.acknowledged(3)
  admission.kept(entries[2]!, 3, 0)
  assert.deepEqual([admission.fill, admission.answering], [0, 0])
})

test('what waited before a restart counts', () => {
  const admission = new PushAdmission(everybody, limits)
  const waiting = Array.from({ length: 100 }, (_, i) => ({ number: i + 6, origin: A, bytes: 0 }))
  admission.restore(waiting, 5)
  assert.equal(reasonOf(enter(admission, A)), 'over-share')
  admission.acknowledged(105)
  assert.equal(admission.fill, 0)
})

test('whatever comes and goes, the room is never passed and all of it comes back', () => {
  const acts = fc.array(
    fc.record({ site: fc.nat(5), bytes: fc.nat(20_000), end: fc.constantFrom('kept', 'left', 'acknowledge') }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(acts, (all) => {
      const admission = new PushAdmission((origin) => Number(origin.slice(-1)) / 5, limits)
      let [number, done] = [0, 0]
      for (const { site, bytes, end } of all) {
        if (end === 'acknowledge') admission.acknowledged((done = number))
        const entry = enter(admission, `https://${site}`, bytes)
        if (entry.kind === 'admitted' && end === 'left') admission.left(entry)
        else if (entry.kind === 'admitted') admission.kept(entry, ++number, bytes)
        assert.ok(admission.fill <= 1)
        assert.equal(admission.answering, 0)
      }
      admission.acknowledged(number)
      assert.ok(done <= number)
      assert.equal(admission.fill, 0)
    }),
  )
})
