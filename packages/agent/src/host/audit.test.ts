import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditAgent } from './audit.ts'
import type { AuditReport, AuditTask } from './audit.ts'
import type { AgentBundle } from '../bundle/bundle.ts'
import { runAgent } from './host.ts'
import { AgentMemory } from './memory.ts'
import { MemoryPages } from './pages.ts'
import type { AgentPages } from './pages.ts'
import type { AgentResult, ReportedRecord } from '../bundle/result.ts'
import { NOW, sampleBundle } from '../testing/agent-sample.ts'

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../../examples/agents/${name}.js`), 'utf8')
const CHANGES = sampleBundle(example('visible-text-change'), { emits: ['meta', 'difference'] })
const IMPORTANT = sampleBundle(example('important-pages'), {
  perPage: false,
  reads: ['pages', 'log'],
  unaudited: ['hits', 'importance'],
})

function site(more: (pages: MemoryPages) => void = () => {}): MemoryPages {
  const pages = new MemoryPages()
  for (let i = 0; i < 20; i++)
    pages.add(`https://a.example/${i}`, `<p>Page ${i} <a href="/${(i * 3) % 20}">next</a>`, 'text/html', NOW - 1)
  more(pages)
  return pages
}

const changed = (pages: MemoryPages): void =>
  void pages.add('https://a.example/7', '<p>Other words', 'text/html', NOW - 1)

const moved = (pages: MemoryPages): void => {
  pages
    .add('https://a.example/3', '<p>Changed since', 'text/html', NOW + 1)
    .add('https://a.example/new', 'x', 'text/html', NOW + 1)
}

/** What an honest site sends. */
async function reported(
  bundle: AgentBundle,
  pages: AgentPages,
  log?: ReadonlyMap<string, number>,
  memory?: AgentMemory,
): Promise<AgentResult & { memory: AgentMemory }> {
  const records: ReportedRecord[] = []
  const run = await runAgent({
    bundle,
    pages,
    log,
    memory,
    onRecord: ({ record, page }) => records.push({ record, page }),
  })
  assert.equal(run.outcome, 'done', run.message)
  const head = {
    agent: 'sample',
    version: '1.0.0',
    bundle: bundle.digest,
    at: NOW,
    pages: run.pages,
    pagesDigest: run.pagesDigest,
  }
  return { head, records, memory: run.memory }
}

const audit = async (
  bundle: AgentBundle,
  results: readonly AgentResult[],
  pages: AgentPages,
  more: Partial<AuditTask> = {},
): Promise<AuditReport> => await auditAgent({ bundle, results, pages, sample: 20, random: () => 0.5, ...more })

test('an honest site agrees, page by page', async () => {
  const report = await audit(CHANGES, [await reported(CHANGES, site())], site())
  assert.deepEqual(report, {
    kind: 'agrees',
    mode: 'per-page',
    compared: 20,
    moved: 0,
    disagreeing: 0,
    disagreements: [],
  })
})

test('only as many pages as asked for are looked at', async () => {
  let read = 0
  const pages = site()
  const counting = {
    list: () => pages.list(),
    read: async (page: Parameters<AgentPages['read']>[0]) => (read++, await pages.read(page)),
  }
  const report = await audit(CHANGES, [await reported(CHANGES, site())], counting, { sample: 5, random: () => 0.3 })
  assert.ok(report.kind === 'agrees')
  assert.deepEqual([report.compared, read], [5, 5])
})

test('what was said in earlier runs counts until something else is said', async () => {
  const first = await reported(CHANGES, site())
  const second = await reported(CHANGES, site(changed), undefined, first.memory)
  assert.equal(second.records.length, 2)
  const report = await audit(CHANGES, [first, second], site(changed))
  assert.deepEqual([report.kind, 'compared' in report && report.compared], ['agrees', 20])
})

test('a site that says something else of a page is found out', async () => {
  const honest = await reported(CHANGES, site())
  const records = honest.records.map((one) =>
    one.record.url.endsWith('/3') && one.record.kind === 'meta'
      ? { ...one, record: { ...one.record, fingerprint: 'x' } }
      : one,
  )
  const report = await audit(CHANGES, [{ ...honest, records }], site())
  assert.ok(report.kind === 'differs')
  assert.deepEqual([report.compared, report.disagreeing], [20, 1])
  assert.deepEqual([report.disagreements[0]?.url, report.disagreements[0]?.what], ['https://a.example/3', 'differs'])
  assert.equal(report.disagreements[0]?.theirs?.['fingerprint'], 'x')
})

test('a site that keeps a page back is found out, and one that makes something up', async () => {
  const honest = await reported(CHANGES, site())
  const fewer = honest.records.filter(({ record }) => !record.url.endsWith('/3'))
  const hidden = await audit(CHANGES, [{ ...honest, records: fewer }], site())
  assert.deepEqual([hidden.kind, 'disagreements' in hidden && hidden.disagreements[0]?.what], ['differs', 'missing'])
  const more = [...honest.records, honest.records.at(-1)!]
  const invented = await audit(CHANGES, [{ ...honest, records: more }], site())
  assert.deepEqual(
    [invented.kind, 'disagreements' in invented && invented.disagreements[0]?.what],
    ['differs', 'extra'],
  )
})

test('a page that is another by now, or came later, proves nothing', async () => {
  const report = await audit(CHANGES, [await reported(CHANGES, site())], site(moved), { sample: 21 })
  assert.deepEqual(report, {
    kind: 'agrees',
    mode: 'per-page',
    compared: 19,
    moved: 2,
    disagreeing: 0,
    disagreements: [],
  })
})

test('an agent that needs all pages is run over all of them, and what the log tells is left out', async () => {
  const log = new Map([['https://a.example/4', 1_000]])
  const result = await reported(IMPORTANT, site(), log)
  assert.equal(result.records[0]?.record.url, 'https://a.example/4')
  const report = await audit(IMPORTANT, [result], site())
  assert.deepEqual(report, { kind: 'agrees', mode: 'whole', compared: 20, moved: 0, disagreeing: 0, disagreements: [] })
  const raised = result.records.map((one) => ({ ...one, record: { ...one.record, rank: 1 } }))
  assert.equal((await audit(IMPORTANT, [{ ...result, records: raised }], site())).kind, 'differs')
})

test('without the very pages there is nothing to compare', async () => {
  const result = await reported(IMPORTANT, site())
  const report = await audit(
    IMPORTANT,
    [result],
    site((pages) => void pages.add('https://a.example/3', 'other')),
  )
  assert.deepEqual([report.kind, 'reason' in report && /other pages/.test(report.reason)], ['not-comparable', true])
  assert.equal((await audit(IMPORTANT, [], site())).kind, 'not-comparable')
  assert.equal((await audit(CHANGES, [await reported(CHANGES, site())], new MemoryPages())).kind, 'not-comparable')
  assert.equal((await audit(CHANGES, [result], site())).kind, 'not-comparable')
})

test('a bundle that does not run here is told as that', async () => {
  const broken = sampleBundle('export function onPage() { throw new Error("no") }')
  const head = {
    agent: 'sample',
    version: '1.0.0',
    bundle: broken.digest,
    at: NOW,
    pages: 0,
    pagesDigest: broken.digest,
  }
  const report = await audit(broken, [{ head, records: [] }], site())
  assert.deepEqual([report.kind, 'outcome' in report && report.outcome], ['failed', 'threw'])
})
