import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeSyncDocument } from '@comity/protocol'
import type { SyncFacts } from '@comity/protocol'
import { readDocument } from '@comity/ingest/testing'
import type { ReadDocument } from '@comity/ingest/testing'
import { planChangeDump } from './change-dump-plan.ts'
import type { ChangeDumpPlan, ChangeDumpTerms } from './change-dump-plan.ts'
import type { Reply } from '@comity/ingest'
import { newOffer } from '../site-offers.ts'

const ORIGIN = 'https://a.example'
const HOUR = 3_600_000
const NOTHING = new Uint8Array(0)
const readOf = (body: string | Uint8Array, url: string): ReadDocument =>
  readDocument({ reader: 'sync' }, Buffer.from(body), url)
const SENT = { wireBytes: 0, address: '', isWhole: true, mark: { hash: '' } } as const
const SINCE = 100 * HOUR

/** One package: its span in hours, and what is in it. */
interface Package {
  readonly name: string
  readonly from: number
  readonly until?: number
  readonly pages: readonly number[]
  readonly bytes?: number
  /** The list says how much is in it. */
  readonly isCounted?: boolean
}

const pageUrl = (page: number): string => `${ORIGIN}/p${page}`

function documentsOf(packages: readonly Package[]): Map<string, string> {
  const listed = packages.map(({ name, from, until, pages, bytes = 10_000, isCounted = false }): SyncFacts => {
    const span = { from: from * HOUR, ...(until === undefined ? {} : { until: until * HOUR }) }
    const extension = { pages: String(pages.length), unpacked: String(pages.length * bytes) }
    const links = [{ rel: 'contents', href: `${ORIGIN}/${name}.xml` }]
    return { url: `${ORIGIN}/${name}.zip`, ...span, links, ...(isCounted ? { extension } : {}) }
  })
  const manifests = packages.map(({ name, pages, bytes = 10_000 }): [string, string] => {
    const entries = pages.map((page): SyncFacts => {
      return { url: pageUrl(page), change: 'updated', changedAt: SINCE + HOUR, bytes, path: `/r/${page}` }
    })
    return [`${ORIGIN}/${name}.xml`, writeSyncDocument({ capability: 'changedump-manifest', from: 0 }, entries)]
  })
  return new Map([
    [`${ORIGIN}/dump.xml`, writeSyncDocument({ capability: 'changedump', from: 0 }, listed)],
    ...manifests,
  ])
}

/** The plan, and the documents that were asked for. */
function plan(documents: Map<string, string | Uint8Array>, due: number): { plan: ChangeDumpPlan; asked: string[] } {
  const pages = Array.from({ length: due }, (_, page) => [page, { bytes: 3_000, chance: 1, hasBase: false }] as const)
  const terms: ChangeDumpTerms = {
    origin: ORIGIN,
    offer: newOffer('change-dump', `${ORIGIN}/dump.xml`),
    due: new Map(pages),
    pageOf: ({ url }) => pages.find(([page]) => pageUrl(page) === url)?.[0],
    since: SINCE,
    otherwise: {},
    costOf: ({ bytes }) => bytes,
  }
  const inquiry = planChangeDump(terms)
  const asked: string[] = []
  let step = inquiry.next()
  while (step.done !== true) {
    asked.push(step.value.url.slice(ORIGIN.length + 1))
    const body = documents.get(step.value.url)
    const found: Reply =
      body === undefined
        ? { kind: 'absent', status: 404, problem: 'status 404' }
        : { kind: 'document', status: 200, headers: [], body: NOTHING, read: readOf(body, step.value.url), ...SENT }
    step = inquiry.next(found)
  }
  return { plan: step.value, asked }
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n)
const names = ({ packages }: ChangeDumpPlan): string[] => packages.map((url) => url.slice(ORIGIN.length + 1))

const cases: [sentence: string, packages: Package[], due: number, taken: string[], asked: string[]][] = [
  [
    'a package with the pages that are due is taken, by its manifest',
    [{ name: 'new', from: 101, pages: range(0, 10) }],
    10,
    ['new.zip'],
    ['dump.xml', 'new.xml'],
  ],
  [
    'a small one whose list says what is in it is taken unseen',
    [{ name: 'new', from: 101, pages: range(0, 10), isCounted: true }],
    10,
    ['new.zip'],
    ['dump.xml'],
  ],
  [
    'the newest comes first, and nothing is asked for once all pages are found',
    [
      { name: 'old', from: 101, until: 102, pages: range(0, 10) },
      { name: 'new', from: 102, pages: range(0, 10) },
    ],
    10,
    ['new.zip'],
    ['dump.xml', 'new.xml'],
  ],
  [
    'what ended before our oldest copy is not looked at',
    [{ name: 'old', from: 1, until: 50, pages: range(0, 10) }],
    10,
    [],
    ['dump.xml'],
  ],
  [
    'a package with much that is not due is left',
    [{ name: 'new', from: 101, pages: range(0, 100) }],
    10,
    [],
    ['dump.xml', 'new.xml'],
  ],
  [
    'one that is too large to hold is left, whatever is in it',
    [{ name: 'new', from: 101, pages: range(0, 10), bytes: 30 << 20 }],
    10,
    [],
    ['dump.xml', 'new.xml'],
  ],
]
for (const [sentence, packages, due, taken, asked] of cases) {
  test(sentence, () => {
    const made = plan(documentsOf(packages), due)
    assert.deepEqual([names(made.plan), made.asked], [taken, asked])
    assert.equal(made.plan.problem === undefined, taken.length > 0, 'nothing is explained')
  })
}

test('whatever stands where the list and the manifests should, planning ends and says why', () => {
  const anything = fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(anything, anything, (list, manifest) => {
      const documents = documentsOf([{ name: 'new', from: 101, pages: range(0, 10) }])
      const spoilt = plan(new Map<string, string | Uint8Array>([...documents, [`${ORIGIN}/dump.xml`, list]]), 10)
      assert.ok(spoilt.plan.packages.length === 0 && spoilt.plan.problem !== undefined)
      const blind = plan(new Map<string, string | Uint8Array>([...documents, [`${ORIGIN}/new.xml`, manifest]]), 10)
      assert.ok(blind.plan.packages.length === 0 && blind.asked.length === 2)
    }),
  )
})
