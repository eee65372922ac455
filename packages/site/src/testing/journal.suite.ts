/** What every journal has to keep to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Instant } from '@comity/protocol'
import fc from 'fast-check'
import type { JournalLimits } from '../journal/compaction.ts'
import type { Change, Journal, Observation, JournaledPage } from '../journal/journal.ts'
import { AT, bodyOf, failsAs, gone, pageOf, withBody } from './journal-sample.ts'

interface SuiteJournal extends Journal {
  compact(now: Instant): void | Promise<void>
}
interface SuiteOptions {
  readonly limits?: Partial<JournalLimits>
  readonly id?: string
}
type MakeJournal = (t: TestContext, options?: SuiteOptions) => Promise<SuiteJournal>

const brief = (changes: readonly Change[] | undefined): unknown =>
  changes?.map(({ number, change, path }) => `${number} ${change} ${path}`)

export function journalSuite(name: string, make: MakeJournal): void {
  test(`${name}: a new journal is empty and covers everything`, async (t) => {
    const journal = await make(t, { id: '6f2d53d5-6b1c-4b7c-9d1e-0a4f5a1b2c3d' })
    assert.equal(journal.id, '6f2d53d5-6b1c-4b7c-9d1e-0a4f5a1b2c3d')
    assert.deepEqual([journal.last, journal.since, journal.pageCount, [...journal.pages()]], [0, 0, 0, []])
    assert.deepEqual(journal.changesAfter(0), [])
  })

  test(`${name}: what is new, other or gone is a change with the next number; what is the same is none`, async (t) => {
    const journal = await make(t)
    const first = await journal.record([pageOf('/b'), pageOf('/a')], AT)
    assert.deepEqual(brief(first), ['1 created /b', '2 created /a'])
    assert.deepEqual(await journal.record([pageOf('/a'), pageOf('/b')], AT + 1), [])
    const second = await journal.record([pageOf('/a', 2), gone('/b'), gone('/never')], AT + 2)
    assert.deepEqual(brief(second), ['3 updated /a', '4 deleted /b'])
    assert.deepEqual(second[0], { ...pageOf('/a', 2), number: 3, change: 'updated', at: AT + 2 })
    assert.deepEqual(second[1], { ...pageOf('/b'), number: 4, change: 'deleted', at: AT + 2 })
    assert.deepEqual([journal.page('/a'), journal.page('/b')], [pageOf('/a', 2), undefined])
    assert.deepEqual([journal.last, journal.pageCount], [4, 1])
    assert.deepEqual(
      ['/a', '/b', '/never'].map((path) => journal.numberOf(path)),
      [3, 4, undefined],
    )
    assert.deepEqual(journal.changesAfter(0), [...first, ...second])
    assert.deepEqual(brief(journal.changesAfter(2, 1)), ['3 updated /a'])
    assert.deepEqual(
      [journal.changesAfter(4), journal.changesAfter(5), journal.changesAfter(-1)],
      [[], undefined, undefined],
    )
    assert.equal(journal.changesAfter(Number.NaN), undefined)
  })

  test(`${name}: a page that comes back is created again, and its tombstone is gone`, async (t) => {
    const journal = await make(t)
    await journal.record([pageOf('/a'), pageOf('/b'), gone('/b'), gone('/a')], AT)
    assert.deepEqual(brief([...journal.tombstones()]), ['3 deleted /b', '4 deleted /a'])
    assert.deepEqual(brief(await journal.record([pageOf('/a')], AT)), ['5 created /a'])
    assert.deepEqual(brief([...journal.tombstones()]), ['3 deleted /b'])
  })

  test(`${name}: pages come by path, also those that were added later`, async (t) => {
    const journal = await make(t)
    const paths = (): string[] => [...journal.pages()].map(({ path }) => path)
    await journal.record([pageOf('/m'), pageOf('/z'), pageOf('/a/')], AT)
    assert.deepEqual(paths(), ['/a/', '/m', '/z'])
    await journal.record([pageOf('/b'), gone('/m'), pageOf('/a/1')], AT)
    assert.deepEqual(paths(), ['/a/', '/a/1', '/b', '/z'])
  })

  test(`${name}: a file that was only touched has not changed, one of another type has`, async (t) => {
    const journal = await make(t)
    await journal.record([pageOf('/a')], AT)
    assert.deepEqual(await journal.record([pageOf('/a', 1, { modifiedAt: AT + 99 })], AT), [])
    assert.equal(journal.page('/a')?.modifiedAt, AT + 1)
    assert.deepEqual(brief(await journal.record([pageOf('/a', 1, { type: 'text/plain' })], AT)), ['2 updated /a'])
    assert.deepEqual(brief(await journal.record([pageOf('/a', 1, { type: 'text/plain', masked: true })], AT)), [
      '3 updated /a',
    ])
    assert.equal(journal.page('/a')?.masked, true)
  })

  test(`${name}: another importance alone is taken over and is no change`, async (t) => {
    const journal = await make(t)
    await journal.record([pageOf('/a')], AT)
    assert.deepEqual(await journal.record([pageOf('/a', 1, { importance: 0.5 })], AT), [])
    assert.equal(journal.page('/a')?.importance, 0.5)
    assert.equal(journal.last, 1)
  })

  test(`${name}: a clock that jumps back does not bring time back`, async (t) => {
    const journal = await make(t)
    await journal.record([pageOf('/a')], AT)
    await journal.record([pageOf('/b')], AT - 3_600_000)
    await journal.record([pageOf('/c')], AT + 1)
    assert.deepEqual(
      journal.changesAfter(0)?.map(({ at }) => at),
      [AT, AT, AT + 1],
    )
  })

  test(`${name}: many who record at once get numbers of their own`, async (t) => {
    const journal = await make(t)
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) => journal.record([pageOf(`/${i}`), pageOf('/all', i)], AT + i)),
    )
    const numbers = all.flat().map(({ number }) => number)
    assert.deepEqual(
      numbers,
      Array.from({ length: 100 }, (_, i) => i + 1),
    )
    assert.deepEqual(journal.changesAfter(0), all.flat())
    assert.equal(journal.page('/all')?.digest, pageOf('/all', 49).digest)
  })

  test(`${name}: compaction keeps every page, moves since, and numbers go on`, async (t) => {
    const journal = await make(t, { limits: { changes: 2 } })
    for (let version = 1; version <= 5; version++) await journal.record([pageOf('/a', version), pageOf('/b')], AT)
    await journal.record([gone('/b'), pageOf('/c')], AT)
    assert.deepEqual([journal.last, journal.since], [8, 0])
    await journal.compact(AT)
    assert.deepEqual([journal.last, journal.since, journal.pageCount], [8, 6, 2])
    assert.deepEqual(brief(journal.changesAfter(6)), ['7 deleted /b', '8 created /c'])
    assert.equal(journal.changesAfter(5), undefined)
    assert.deepEqual([...journal.pages()], [pageOf('/a', 5), pageOf('/c')])
    assert.deepEqual(brief(await journal.record([pageOf('/a', 6)], AT)), ['9 updated /a'])
  })

  const forgotten: [sentence: string, limits: Partial<JournalLimits>, since: number, tombstones: number][] = [
    ['by number', { changes: 3 }, 7, 5],
    ['by age', { changeAgeMs: 2_500 }, 7, 5],
    ['by bytes', { changeBytes: 3 * 105 }, 7, 5],
    ['all, and the tombstones that are too many', { changes: 0, tombstones: 2 }, 10, 2],
    ['all, and the tombstones that are too old', { changes: 0, tombstoneAgeMs: 1_500 }, 10, 2],
    ['all of them', { changes: 0, tombstones: 0 }, 10, 0],
    ['nothing within the limits', {}, 0, 5],
  ]
  for (const [sentence, limits, since, tombstones] of forgotten) {
    test(`${name}: changes are forgotten ${sentence}`, async (t) => {
      const journal = await make(t, { limits })
      for (let i = 1; i <= 5; i++) await journal.record([pageOf(`/page-${i}`)], AT + i)
      for (let i = 1; i <= 5; i++) await journal.record([gone(`/page-${i}`)], AT + 1_000 * i)
      await journal.compact(AT + 5_000)
      assert.deepEqual([journal.since, [...journal.tombstones()].length], [since, tombstones])
      assert.deepEqual(brief(await journal.record([pageOf('/new')], AT)), ['11 created /new'])
    })
  }

  test(`${name}: whoever walks the pages may finish while others record and compact`, async (t) => {
    const journal = await make(t, { limits: { changes: 0 } })
    await journal.record(
      ['/a', '/b', '/c'].map((path) => pageOf(path)),
      AT,
    )
    const walk = journal.pages()[Symbol.iterator]()
    assert.equal(walk.next().value?.path, '/a')
    await journal.record([gone('/b'), pageOf('/d')], AT)
    await journal.compact(AT)
    assert.equal(walk.next().value?.path, '/c')
  })

  test(`${name}: bodies of a page as it is and was are found by digest`, async (t) => {
    const journal = await make(t)
    await journal.record([withBody('/a', 1)], AT)
    await journal.record([withBody('/a', 2)], AT)
    for (const version of [1, 2])
      assert.deepEqual(Buffer.from(journal.version(pageOf('/a', version).digest)!), bodyOf('/a', version))
    assert.equal(journal.version(pageOf('/a', 3).digest), undefined)
    assert.equal(journal.version('nonsense'), undefined)
  })

  const bad: [sentence: string, seen: Observation][] = [
    ['a path without a slash', pageOf('a')],
    ['a path with a blank', pageOf('/a b')],
    ['a path with a line break', gone('/a\n')],
    ['a path with a fragment', pageOf('/a#b')],
    ['an endless path', pageOf(`/${'a'.repeat(5_000)}`)],
    ['a digest in another form', pageOf('/a', 1, { digest: 'sha1:ABC' })],
    ['a size below zero', pageOf('/a', 1, { bytes: -1 })],
    ['a type with parameters', pageOf('/a', 1, { type: 'text/html; charset=utf-8' })],
    ['an instant that is none', pageOf('/a', 1, { modifiedAt: Number.NaN })],
    ['an importance above one', pageOf('/a', 1, { importance: 2 })],
  ]
  for (const [sentence, seen] of bad) {
    test(`${name}: ${sentence} is refused, and nothing of its batch is written`, async (t) => {
      const journal = await make(t)
      await assert.rejects(journal.record([pageOf('/good'), seen], AT), failsAs('OBSERVATION_INVALID', /./))
      assert.equal(journal.last, 0)
    })
  }

  test(`${name}: more pages than allowed are refused, changes of known ones are not`, async (t) => {
    const journal = await make(t, { limits: { maxPages: 2 } })
    await journal.record([pageOf('/a'), pageOf('/b')], AT)
    await assert.rejects(journal.record([pageOf('/a', 2), pageOf('/c')], AT), failsAs('JOURNAL_FULL', /raise maxPages/))
    assert.deepEqual(brief(await journal.record([pageOf('/a', 2), pageOf('/b')], AT)), ['3 updated /a'])
    await journal.record([gone('/b')], AT)
    assert.deepEqual(brief(await journal.record([pageOf('/c')], AT)), ['5 created /c'])
  })

  test(`${name}: an unknown limit is refused`, async (t) => {
    await assert.rejects(async () => make(t, { limits: { chnages: 3 } as Partial<JournalLimits> }), /chnages/)
  })

  test(`${name}: whatever is recorded and forgotten, the pages are those a plain map would hold`, async (t) => {
    const paths = fc.constantFrom('/a', '/b', '/c', '/d', '/e')
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ path: paths, version: fc.integer({ min: 0, max: 3 }) }) },
      { weight: 1, arbitrary: fc.constant('compact' as const) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(6), async (steps, changes) => {
        const journal = await make(t, { limits: { changes, tombstones: changes } })
        const expected = new Map<string, JournaledPage>()
        let told = 0
        for (const [i, one] of steps.entries()) {
          if (one === 'compact') await journal.compact(AT + i)
          else if (one.version === 0) {
            told += (await journal.record([gone(one.path)], AT + i)).length
            expected.delete(one.path)
          } else {
            told += (await journal.record([pageOf(one.path, one.version)], AT + i)).length
            expected.set(one.path, pageOf(one.path, one.version))
          }
        }
        assert.equal(journal.last, told)
        assert.deepEqual(
          [...journal.pages()],
          [...expected.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        )
        assert.equal(journal.pageCount, expected.size)
        const recent = journal.changesAfter(journal.since)
        assert.deepEqual(
          recent?.map(({ number }) => number),
          Array.from({ length: told - journal.since }, (_, i) => journal.since + 1 + i),
        )
      }),
      { numRuns: 40 },
    )
  })
}
