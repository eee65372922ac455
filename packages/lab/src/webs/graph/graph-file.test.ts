import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { missing, sharedData } from '@comity/protocol/testing'
import { loadWeb } from './graph-file.ts'
import type { LoadReport, LoadWebOptions } from './graph-file.ts'
import { LabError } from '../../lab-error.ts'
import { linksOf } from './web-graph.ts'
import type { WebGraph } from './web-graph.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes files into a folder that is gone when the test ends, and gives the path of the first of them. */
function written(t: Pick<TestContext, 'after'>, files: Files): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-graph-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return join(dir, Object.keys(files)[0]!)
}

const linkLists = (web: WebGraph): number[][] => Array.from({ length: web.pages }, (_, page) => [...linksOf(web, page)])
const urlsOf = (web: WebGraph): string[] => Array.from({ length: web.pages }, (_, page) => web.words!.urlOf(page))

interface Reported {
  readonly web: WebGraph
  readonly report: LoadReport
}

async function loaded(path: string, options: LoadWebOptions = {}): Promise<Reported> {
  let report: LoadReport | undefined
  const web = await loadWeb(path, { ...options, onReport: (told) => (report = told) })
  return { web, report: report! }
}

const cases: [sentence: string, files: Files, links: number[][], urls: string[]][] = [
  [
    'successor lists have a line for each page',
    { 'a.graph-txt': '4\n1 2 \n\n0 1 3\n2\n' },
    [[1, 2], [], [0, 1, 3], [2]],
    ['0', '1', '2', '3'],
  ],
  [
    'successor lists are known by their first line as well, and may be packed',
    { 'a.gz': gzipSync('3\r\n1\r\n2\r\n0\r\n') },
    [[1], [2], [0]],
    ['0', '1', '2'],
  ],
  ['a last page without links may lack its line end', { 'a.graph-txt': '2\n1\n' }, [[1], []], ['0', '1']],
  [
    'a link list has comments, gaps in its numbers and other columns behind them',
    { 'a.txt': '# Directed graph\n# FromNodeId\tToNodeId\n9\t4\n9 70 0.5\n\n70\t9\n4294967296000\t4' },
    [[1, 2], [], [0], [1]],
    ['9', '4', '70', '4294967296000'],
  ],
  [
    'a page links to another once and never to itself',
    { 'a.txt': '1 2\n1 1\n1 2\n1 3\n2 1\n1 2\n' },
    [[1, 2], [0], []],
    ['1', '2', '3'],
  ],
  [
    'pages and links in one file',
    { 'a.txt': 'n 0 http://a.example/\nn 5 http://b.example/x y\ne 5 0\ne 0 5\n' },
    [[1], [0]],
    ['http://a.example/', 'http://b.example/x y'],
  ],
  [
    'pairs of hosts are a web of hosts, whatever their case',
    { 'a.tsv': '1996|A.example|b.example\t3\n1996|b.example|a.example\t1\n1996|a.example|a.example\t9\n' },
    [[1], [0]],
    ['http://a.example/', 'http://b.example/'],
  ],
]
for (const [sentence, files, links, urls] of cases) {
  test(sentence, async (t) => {
    const { web, report } = await loaded(written(t, files))
    assert.deepEqual(linkLists(web), links)
    assert.deepEqual(urlsOf(web), urls)
    assert.equal(report.malformedLines, 0)
    assert.equal(report.links - report.selfLinks - report.duplicates, web.targets.length)
  })
}

const tables: [sentence: string, pages: string, bytes: number[] | undefined][] = [
  [
    'a header names the columns',
    'id\tclass\turl\tbytes\n3\tx\thttp://a.example/\t10\n1\tx\thttp://b.example/q\t20\n2\ty\tHTTP://A.example:80/r\t30\n',
    [10, 20, 30],
  ],
  [
    'without a header: number, URL, and bytes if the third is a number',
    '3\thttp://a.example/\t10\n1\thttp://b.example/q\t99999999999\n2\thttp://a.example/r\t?\n',
    [10, 0xffffffff, 0],
  ],
  ['bytes may be missing', '3\thttp://a.example/\n1\thttp://b.example/q\n2\thttp://a.example/r\n', undefined],
]
for (const [sentence, pages, bytes] of tables) {
  test(`tables of pages and links: ${sentence}`, async (t) => {
    const path = written(t, { 'web/nodes.tsv': pages, 'web/edges.tsv.gz': gzipSync('1\t3\n2\t1\n3\t9\n') })
    const { web, report } = await loaded(dirname(path))
    assert.equal(web.name, 'web')
    assert.deepEqual(linkLists(web), [[], [0], [1]])
    assert.deepEqual([...web.siteOf], [0, 1, 0])
    assert.equal(web.sites, 2)
    assert.deepEqual(web.homes, [0])
    assert.deepEqual(web.bytes && [...web.bytes], bytes)
    assert.equal(report.unknown, 1)
  })
}

test('a table of pages goes with the table of links that is named alike', async (t) => {
  const pages = '0\thttp://a.example/x\n1\thttp://a.example/y\n'
  const path = written(t, { 'old-pages.tsv': pages, 'old-edges.tsv': '0\t1\n', 'edges.tsv': '1\t0\n' })
  assert.deepEqual(linkLists(await loadWeb(path)), [[1], []])
})

const hostFiles: [sentence: string, hosts: string, sites: number[]][] = [
  ['a name for each page', 'a\nb\na\n', [0, 1, 0]],
  ['a number for each page', '7\n7\n9\n', [0, 0, 1]],
  ['runs of pages', '0\ta.example\n2\tb.example\n', [0, 0, 1]],
]
for (const [sentence, hosts, sites] of hostFiles) {
  test(`a host file may be ${sentence}`, async (t) => {
    const path = written(t, { 'a.graph-txt': '3\n1\n2\n0\n', hosts })
    const web = await loadWeb(path, { hosts: join(dirname(path), 'hosts') })
    assert.deepEqual([...web.siteOf], sites)
    assert.equal(web.sites, new Set(sites).size)
  })
}

test('hosts and start pages are numbered as in the file', async (t) => {
  const path = written(t, { 'a.txt': '2 1\n1 0\n', hosts: 'zero\none\none\n' })
  const web = await loadWeb(path, { hosts: join(dirname(path), 'hosts'), start: [0, 1] })
  assert.deepEqual(urlsOf(web), ['2', '1', '0'])
  assert.deepEqual([...web.siteOf], [0, 0, 1])
  assert.deepEqual(web.homes, [2, 1])
})

test('without start pages and URLs a crawl begins where much is reached', async (t) => {
  const path = written(t, { 'a.graph-txt': '5\n1\n\n0 3 4\n\n\n' })
  assert.deepEqual((await loadWeb(path)).homes, [2])
})

test('sites without a home page are begun at the page with most links', async (t) => {
  const pages = '0\thttp://a.example/x\n1\thttp://a.example/y\n2\thttp://b.example/z\n'
  const path = written(t, { 'nodes.tsv': pages, 'edges.tsv': '1\t0\n' })
  assert.deepEqual((await loadWeb(path)).homes, [1, 2])
})

const broken: [sentence: string, files: Files, options: LoadWebOptions, message: RegExp][] = [
  ['an empty file', { 'a.txt': '' }, {}, /none of these: successor lists/],
  ['prose', { 'a.txt': 'Dear reader,\nhello\n' }, {}, /none of these/],
  ['a web cut short', { 'a.graph-txt': '5\n1\n2\n' }, {}, /ends after 2 of 5 pages/],
  ['a header of nonsense', { 'a.graph-txt': 'five\n' }, {}, /Line 1 is not the numbers/],
  ['pages nobody can hold', { 'a.graph-txt': '99999999999\n1\n' }, {}, /more than 200000000 pages/],
  [
    'many bad lines',
    { 'a.txt': `1 2\n${'x y\n'.repeat(101)}` },
    {},
    /a\.txt, line 102: This is not two page numbers, from and to, and neither are 100 lines/,
  ],
  ['more bad lines than good ones', { 'a.txt': '1 2\nx\ny\n' }, {}, /Line 2 is not two page numbers/],
  ['a table without links', { 'pages.tsv': '0\thttp://a.example/\n' }, {}, /beside one of links \(edges\.tsv\)/],
  ['links of another table', { 'pages.tsv': '0\thttp://a/\n', 'edges.tsv': 'a\tb\n' }, {}, /edges\.tsv: Line 1/],
  ['a start page it does not have', { 'a.txt': '1 2\n' }, { start: [3] }, /no page 3 to start at/],
  ['half a packed file', { 'a.gz': gzipSync('1 2\n'.repeat(9)).subarray(0, 20) }, {}, /cannot be read/],
  ['a line that does not end', { 'a.txt': `1 2\n${'7'.repeat(99)}` }, { limits: { maxLineBytes: 50 } }, /line 2/],
  ['too many links', { 'a.txt': '1 2\n2 1\n' }, { limits: { maxLinks: 1 } }, /more than 1 links/],
  ['too many bytes', { 'a.txt': '1 2\n2 1\n' }, { limits: { maxBytes: 4 } }, /more than 4 bytes/],
]
for (const [sentence, files, options, message] of broken) {
  test(`refused with a name and a reason: ${sentence}`, async (t) => {
    const path = written(t, files)
    await assert.rejects(loadWeb(path, options), (error) => {
      assert.ok(error instanceof LabError)
      assert.equal(error.code, 'WEB_UNREADABLE')
      assert.match(error.message, message)
      return true
    })
  })
}

const brokenHosts: [sentence: string, hosts: string, message: RegExp][] = [
  ['too few lines', 'a\n', /Page 1 has no site: there are 1 lines/],
  ['an empty line', 'a\n\nb\n', /line 2: It is empty/],
  ['runs that begin late', '1\ta\n', /Page 0 has no site: the first run begins at page 1/],
  ['runs that go back', '0\ta\n2\tb\n1\tc\n0\td\n0\te\n', /Line 3 is not a page after/],
]
for (const [sentence, hosts, message] of brokenHosts) {
  test(`a host file is refused with a name and a reason: ${sentence}`, async (t) => {
    const path = written(t, { 'a.txt': '0 1\n1 2\n', hosts })
    const loading = loadWeb(path, { hosts: join(dirname(path), 'hosts') })
    await assert.rejects(loading, (error) => error instanceof LabError && message.test(error.message))
  })
}

test('there is nothing to load at a path that does not exist', async () => {
  await assert.rejects(loadWeb('/nowhere/at/all'), { name: 'LabError', code: 'WEB_UNREADABLE' })
})

test('a few bad lines are left out and counted', async (t) => {
  const { web, report } = await loaded(
    written(t, { 'a.txt': '1 2\n2 x\n7\n2 1\n1 3 #\n99999999999999999999 1\n4 1\n5 1' }),
  )
  assert.equal(report.malformedLines, 3)
  assert.deepEqual(urlsOf(web), ['1', '2', '3', '4', '5'])
})

const names = ['a.graph-txt', 'a.txt', 'pages.tsv']
const lineArb = fc.oneof(
  fc.array(fc.nat(12), { maxLength: 4 }).map((numbers) => numbers.join(' ')),
  fc.tuple(fc.nat(9), fc.nat(9)).map((pair) => pair.join('\t')),
  fc.nat(9).map((n) => `n ${n} http://a.example/${n}`),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => `e ${a} ${b}`),
  fc.tuple(fc.constantFrom('a', 'B'), fc.constantFrom('a', 'c d')).map(([a, b]) => `1996|${a}|${b}\t2`),
  fc.nat(9).map((n) => `${n}\thttp://h${n}.example/\t${n}`),
  fc.string(),
)

test('whatever a file holds, it gives a sound web or a named error', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-graph-fuzz-'))
  const content = fc.oneof(
    fc.array(lineArb, { maxLength: 12 }).map((lines) => Buffer.from(lines.join('\n'))),
    fc.uint8Array({ maxLength: 60 }),
  )
  try {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), content, content, async (name, bytes, others) => {
        writeFileSync(join(dir, name), bytes)
        writeFileSync(join(dir, 'edges.tsv'), others)
        try {
          requireSound(await loadWeb(join(dir, name)))
        } catch (error) {
          if (!(error instanceof LabError)) throw error
        }
      }),
      { numRuns: 300 },
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('how a link list is cut into lines, blanks and numbers makes no difference to its links', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-graph-list-'))
  const pairs = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 ** 40 })), { minLength: 1, maxLength: 40 })
  try {
    await fc.assert(
      fc.asyncProperty(pairs, fc.constantFrom('\t', ' ', '  '), async (links, blank) => {
        const path = join(dir, 'a.txt')
        writeFileSync(path, links.map((pair) => pair.join(blank)).join('\n'))
        const web = await loadWeb(path)
        const urls = urlsOf(web)
        const read = linkLists(web).flatMap((list, from) => list.map((to) => `${urls[from]} ${urls[to]}`))
        const expected = new Set(links.filter(([from, to]) => from !== to).map((pair) => pair.join(' ')))
        assert.deepEqual(read.toSorted(), [...expected].toSorted())
      }),
      { numRuns: 100 },
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

function requireSound(web: WebGraph): void {
  assert.equal(web.starts.length, web.pages + 1)
  assert.equal(web.starts.at(-1), web.targets.length)
  assert.equal(web.siteOf.length, web.pages)
  for (const list of linkLists(web)) assert.equal(new Set(list).size, list.length)
  for (const target of [...web.targets, ...web.homes]) assert.ok(target < web.pages)
  for (const site of web.siteOf) assert.ok(site < web.sites)
}

interface Expected {
  readonly pages: number
  readonly links: number
  readonly sites: number
  readonly selfLinks: number
}

const real: [path: string, expected: Expected][] = [
  ['graphs/cnr-2000.graph-txt.gz', { pages: 325_557, links: 3_216_152, sites: 1, selfLinks: 87_442 }],
  ['graphs/uk-2007-05@100000.graph-txt.gz', { pages: 100_000, links: 3_050_615, sites: 1, selfLinks: 15_670 }],
  ['graphs/debian-doc-web', { pages: 72_900, links: 1_121_396, sites: 18, selfLinks: 0 }],
  // 606 hosts; some have more than one scheme or port.
  ['graphs/webkb', { pages: 8_274, links: 15_758, sites: 611, selfLinks: 0 }],
  ['graphs/cs-stanford', { pages: 9_914, links: 36_854, sites: 21, selfLinks: 1_299 }],
  ['graphs/california/gr0.California.txt', { pages: 9_664, links: 16_150, sites: 5_866, selfLinks: 0 }],
  // 58,842 spellings of 58,135 hosts; three are misspelt so that a URL parser finds another in them.
  ['graphs/1996-uk-web-hosts.tsv.gz', { pages: 58_135, links: 184_433, sites: 58_132, selfLinks: 10_337 }],
  ['histories/openbsd-www-HEAD-pages.tsv.xz', { pages: 3_744, links: 28_017, sites: 1, selfLinks: 0 }],
]
for (const [name, expected] of real) {
  test(`a real web: ${name}`, async (t) => {
    const path = sharedData(name)
    if (path === undefined) return missing(t, name)
    const { web, report } = await loaded(path)
    const { links, selfLinks } = report
    assert.deepEqual({ pages: web.pages, links, sites: web.sites, selfLinks }, expected)
    assert.equal(web.targets.length, links - selfLinks - report.duplicates)
    assert.deepEqual([report.malformedLines, report.unknown], [0, 0])
  })
}
