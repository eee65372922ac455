/** The example agents do what they say, in the sandbox, and an index made of what one of them sends answers as one made of the pages. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import {
  AGENT_API,
  describeAgent,
  HOST_VERSION,
  makeBundle,
  MemoryPages,
  readAgentManifest,
  runAgent,
} from '@comity/agent'
import type { AgentBundle, AgentMemory, AgentPages, EmittedRecord } from '@comity/agent'
import { IndexWriter, SearchEngine, shippedFromRecord, writeShipment, readShipment } from '@comity/index'
import type { IndexDocument } from '@comity/index'
import { decodeText, readHtml } from '@comity/protocol'
import { eachWord } from '../../packages/index/src/text/words.ts'
import { randomPages } from '../search/random-pages.ts'

const folder = join(import.meta.dirname, '../../examples/agents')
const NOW = Date.UTC(2026, 10, 15)
/** Its own way to cut text, which is plain JavaScript. */
const { wordsOf } = (await import(join(folder, 'partial-index.js'))) as { wordsOf: (text: string) => string[] }

async function bundleOf(name: string): Promise<AgentBundle> {
  const source = readFileSync(join(folder, `${name}.js`), 'utf8')
  const described = await describeAgent(source)
  assert.ok(described.kind === 'described')
  const usual = {
    api: AGENT_API,
    hostVersion: HOST_VERSION,
    engine: 'https://engine.example/',
    reads: ['pages'],
    unaudited: [],
    caps: {},
  }
  const dates = { madeAt: '2026-11-01T00:00:00Z', expiresAt: '2027-11-01T00:00:00Z' }
  const read = readAgentManifest({ ...usual, ...dates, ...(described.manifest as object) })
  assert.ok(read.kind === 'manifest', JSON.stringify(read))
  return makeBundle(read.manifest, source)
}

async function emittedBy(
  bundle: AgentBundle,
  pages: AgentPages,
  memory?: AgentMemory,
): Promise<{ emitted: EmittedRecord[]; memory: AgentMemory }> {
  const emitted: EmittedRecord[] = []
  const run = await runAgent({ bundle, pages, memory, onRecord: (one) => emitted.push(one) })
  assert.equal(run.outcome, 'done', run.message)
  return { emitted, memory: run.memory }
}

const HOME = 'https://a.example/'

test('every example agent is run here', () => {
  assert.deepEqual(readdirSync(folder).toSorted(), ['important-pages.js', 'partial-index.js', 'visible-text-change.js'])
})

test('visible-text-change tells of other words, and not of other markup', async () => {
  const bundle = await bundleOf('visible-text-change')
  const first = await emittedBy(
    bundle,
    new MemoryPages().add(HOME, '<p>Two cats</p>').add(`${HOME}b`, 'Dogs').add(`${HOME}c`, 'Gone soon'),
  )
  assert.equal(first.emitted.length, 6)
  const later = new MemoryPages()
    .add(HOME, '<div class=x>Two\n cats<script>1</script></div>')
    .add(`${HOME}b`, 'Three dogs')
  const { emitted, memory } = await emittedBy(bundle, later, first.memory)
  assert.deepEqual(
    emitted.map(({ record }) => [record.kind, record.url, record['change']]),
    [
      ['meta', `${HOME}b`, undefined],
      ['difference', `${HOME}b`, undefined],
      ['meta', `${HOME}c`, 'deleted'],
    ],
  )
  assert.deepEqual((await emittedBy(bundle, later, memory)).emitted, [])
})

test('important-pages ranks what others link to', async () => {
  const pages = new MemoryPages()
  for (let i = 0; i < 10; i++) pages.add(`${HOME}${i}`, '<a href=/hub>hub</a> <a href=/shy rel=nofollow>shy</a>')
  pages.add(`${HOME}hub`, '<a href=/3>three</a>').add(`${HOME}shy`, 'shy')
  const { emitted } = await emittedBy(await bundleOf('important-pages'), pages)
  assert.deepEqual(
    emitted.slice(0, 2).map(({ record }) => record.url),
    [`${HOME}hub`, `${HOME}3`],
  )
  const sum = emitted.reduce((total, { record }) => total + Number(record['rank']), 0)
  assert.ok(Math.abs(sum - 1) < 1e-4, `${sum}`)
})

/** The same as one engine cuts it: of long words, what it reads. */
function wordsOfIndex(text: string): string[] {
  const words: string[] = []
  eachWord(text, (start, end) => words.push(text.slice(start, end)))
  return words.map((word) => (word.length <= 64 ? word : word.slice(0, word.codePointAt(63)! > 0xffff ? 63 : 64)))
}

test('partial-index cuts text into words as the index does', () => {
  // oxfmt-ignore
  const pieces = [...Array.from('aAbcdlLqu09 .,\'\u2019\u00b7+#-_/\n'), '\u00ad', '\u200d', '\u0301', 'é', 'ß', '²', '\u{1f600}', '\u{1d400}', '٣', 'я',
    '\ufe0f', '\ud800', '½', 'c++', "l'é", '1,000', '3.14', 'libc++', 'C#', "don't", 'x'.repeat(70)]
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((some) => some.join(''))
  fc.assert(
    fc.property(text, (some) => assert.deepEqual(wordsOf(some), wordsOfIndex(some))),
    { numRuns: 5_000 },
  )
})

function indexIn(t: TestContext, fill: (writer: IndexWriter) => void): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-agents-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  using writer = new IndexWriter(dir)
  fill(writer)
  writer.commit(1)
  return dir
}

const QUERIES = [
  'cat',
  'cats dogs',
  '"two cats"',
  'title:page',
  'katze',
  'c++',
  '"links to"',
  'run*',
  'dog -cat',
  '3.14',
  '猫',
  "l'été",
]

test('an index of what partial-index sends is the index of the pages', async (t) => {
  const bodies = randomPages(7, 120)
  const pages = new MemoryPages()
  for (const [url, html] of bodies) pages.add(url, html)
  const { emitted } = await emittedBy(await bundleOf('partial-index'), pages)
  assert.equal(emitted.length, bodies.size)
  const shipped = emitted.map(({ record, page }) => {
    const read = shippedFromRecord(record, page!, NOW)
    assert.ok(read.kind === 'document', JSON.stringify(read))
    return read.document
  })
  const read = readShipment(writeShipment(shipped))
  assert.ok(read.kind === 'shipment')
  const keys = new Map([...bodies.keys()].map((url, key) => [url, key]))
  const fromShipment = indexIn(t, (writer) => {
    for (const document of read.documents) writer.putShipped(document, { key: keys.get(document.url)! })
  })
  const documents = [...bodies].map(([url, html], key) => documentOf(key, url, html))
  const fromPages = indexIn(t, (writer) => {
    for (const document of documents.toSorted((a, b) => (a.url < b.url ? -1 : 1))) writer.put(document)
  })
  const [ours, theirs] = [fromShipment, fromPages].map(
    (dir) => new SearchEngine(dir, { contentOf: async () => undefined }),
  )
  t.after(() => [ours, theirs].forEach((engine) => engine![Symbol.dispose]()))
  let found = 0
  for (const query of QUERIES) {
    const [one, other] = await Promise.all(
      [ours, theirs].map(async (engine) =>
        (await engine!.search({ query })).results.map(({ key, score }) => [key, score]),
      ),
    )
    assert.deepEqual(one, other, query)
    found += one!.length
  }
  assert.ok(found > 50, `${found}`)
  assert.deepEqual(segment(fromShipment), segment(fromPages))
})

const segment = (dir: string): Buffer =>
  readFileSync(
    join(
      dir,
      readdirSync(dir).find((name) => name.endsWith('.seg'))!,
    ),
  )

/** As a crawl indexes it. */
function documentOf(key: number, url: string, html: string): IndexDocument {
  const { title, headings, text, lang } = readHtml(decodeText(Buffer.from(html)).text)
  return {
    key,
    url,
    title,
    headings: headings.map((heading) => heading.text),
    text,
    anchors: [],
    language: lang,
    type: 'text/html',
    at: NOW,
  }
}
