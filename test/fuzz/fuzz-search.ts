/** Fuzz targets: queries as people type them, segments as a disk may give them back, and PDF files. */
import assert from 'node:assert/strict'
import { PdfReader } from '@comity/index'
import { readHints } from '@comity/search'
import { ByteReader } from '../../packages/index/src/format/byte-reader.ts'
import { decodeUrls } from '../../packages/index/src/format/document-table.ts'
import { readFrameRef } from '../../packages/index/src/format/frame.ts'
import { readFilter, readSince } from '../../packages/index/src/query/filter.ts'
import { pageFilter } from '../../packages/index/src/query/page-filter.ts'
import { parseQuery } from '../../packages/index/src/query/parser.ts'
import {
  MAX_QUERY_CHARS,
  MAX_QUERY_WORDS,
  MAX_READ_WORDS,
  showQuery,
  wantedLeaves,
} from '../../packages/index/src/query/query.ts'
import { tellingWords } from '../../packages/index/src/query/telling-words.ts'
import { readDirectory } from '../../packages/index/src/read/segment-directory.ts'
import { unlessRefused } from './fuzz-target.ts'
import type { FuzzTarget } from './fuzz-target.ts'
import { smallPdf } from '../search/small-pdf.ts'

const AT = Date.UTC(2026, 0, 2)

function checkQuery(bytes: Buffer): void {
  const text = bytes.toString()
  const parsed = parseQuery(text, AT)
  assert.ok(wantedLeaves(parsed.tree).length <= MAX_READ_WORDS && parsed.problems.length <= 8)
  if (parsed.tree !== undefined) {
    const { tree } = tellingWords(parsed.tree, ({ text: word }) => ({ name: word, worth: word.length }))
    assert.ok(new Set(wantedLeaves(tree)).size <= MAX_QUERY_WORDS && tree.kind !== 'not')
  }
  const shown = showQuery(parsed)
  // Escaped, a path may become longer than a query may be.
  if (shown.length <= MAX_QUERY_CHARS)
    assert.equal(showQuery(parseQuery(shown, AT)), shown, 'what is shown as the query is that query')
  for (const name of ['site', 'type', 'lang', 'since'] as const) readFilter(name, text.slice(0, 500), AT)
  readSince(text, AT)
  const isAmong = pageFilter(text, AT)
  if (typeof isAmong !== 'string') isAmong({ url: 'https://a.example/b', type: '', language: '', firstSeenAt: AT })
}

export const queryTarget: FuzzTarget = {
  name: 'query',
  samples: [
    'two words',
    '"a phrase" OR (paris AND london) -hotels NOT title:rome prefix*',
    'site:a.example/docs type:pdf lang:de since:2026-01-01 inurl:x intitle:"y z"',
    '((((a OR b) c) OR d) e) -(f g)',
  ],
  words: [
    'OR',
    ' OR ',
    ' AND ',
    ' NOT ',
    '-',
    '"',
    '(',
    ')',
    '*',
    'site:',
    'type:',
    'lang:',
    'since:',
    'title:',
    'url:',
    'anchor:',
    ':',
    '~',
    '+',
    '北京',
  ],
  check: checkQuery,
}

/** Sums were right when these are read; a reader that is given something else still ends, by name. */
function checkSegment(bytes: Buffer): void {
  const directory = unlessRefused(RangeError, () => readDirectory(bytes))
  if (directory !== undefined) assert.ok(directory.firstTerms.length <= bytes.length)
  const urls = unlessRefused(RangeError, () => decodeUrls(bytes))
  assert.ok((urls ?? []).length <= bytes.length)
  unlessRefused(RangeError, () => readFrameRef(new ByteReader(bytes), 0))
}

const words = (...texts: string[]): number[] =>
  [[texts.length], ...texts.map((text) => [text.length].concat([...Buffer.from(text)]))].flat()
const frame = [1, 2, 3, 0, 0, 0, 0]

export const segmentTarget: FuzzTarget = {
  name: 'segment',
  samples: [
    Buffer.from([
      3,
      2,
      5,
      9,
      1,
      ...words('a.example'),
      ...words('text/html'),
      ...words('en', 'de'),
      1,
      ...frame,
      1,
      ...frame,
      1,
      0,
      3,
      97,
      98,
      99,
      0,
      ...frame,
      ...frame,
      ...frame,
    ]),
    Buffer.from([0, 3, 97, 98, 99, 2, 1, 100]),
  ],
  words: ['\x01', '\x7f', '\0'],
  check: checkSegment,
}

let pdfReader: PdfReader | undefined

async function checkPdf(bytes: Buffer): Promise<void> {
  pdfReader ??= new PdfReader({
    maxBytes: 1 << 20,
    timeMs: 4_000,
    memoryBytes: 256 << 20,
    maxPages: 10,
    maxChars: 100_000,
  })
  const reading = await pdfReader.read(bytes)
  if ('text' in reading) assert.ok(reading.text.length <= 100_000)
}

/** Each line is a rule, pins pages, or is counted as bad; no more of them are named than said. */
function checkHints(bytes: Buffer): void {
  const { lines, badLines, problems, rules, pinned } = readHints(bytes.toString())
  assert.ok(problems.length <= Math.min(badLines, 20) && badLines <= lines + 1)
  for (const urls of pinned.values()) for (const url of urls) assert.ok(URL.canParse(url))
  for (const rule of rules) assert.ok(rule.words.length > 0 && rule.others.length > 0)
}

export const hintsTarget: FuzzTarget = {
  name: 'hints',
  samples: [
    '# words\ncar, automobile, motor car\npg => postgres, postgresql\nvacuum => https://a.example/docs/vacuum\n',
  ],
  words: [',', '=>', '#', '\n', '\r', 'https://', ' https://a.example/ ', '"', '\ufeff'],
  check: checkHints,
}

export const pdfTarget: FuzzTarget = {
  name: 'pdf',
  samples: [smallPdf('A title', ['one line', 'two lines'])],
  words: [
    'obj',
    'endobj',
    'stream',
    'endstream',
    '<<',
    '>>',
    '/Type',
    '/Pages',
    '/Kids [',
    '/Count ',
    '/Length ',
    ' 0 R',
    'xref',
    'trailer',
    '/Filter /FlateDecode',
    '%%EOF',
    '(',
    ')',
    'BT',
    'ET',
    'Tj',
  ],
  check: checkPdf,
  close: async () => {
    await pdfReader?.[Symbol.asyncDispose]()
    pdfReader = undefined
  },
}
