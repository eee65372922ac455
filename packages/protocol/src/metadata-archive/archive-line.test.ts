import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ArchiveEntry, archiveOrigin, formatArchiveLine, parseArchiveLine } from './archive-line.ts'

const origin = 'https://a.example'
const at = Date.UTC(1999, 1, 6, 0, 1, 30)

const written: [sentence: string, entry: ArchiveEntry, line: string][] = [
  [
    'a page of the paper’s',
    { url: `${origin}/people/pics/line/colorbars.gif`, modifiedAt: at, bytes: 99_999 },
    '06/Feb/1999:00:01:30 +0000 people/pics/line/colorbars.gif 99999',
  ],
  ['the root', { url: `${origin}/`, modifiedAt: at, bytes: 0 }, '06/Feb/1999:00:01:30 +0000 . 0'],
  ['a query', { url: `${origin}/?q=a%20b`, modifiedAt: at, bytes: 7 }, '06/Feb/1999:00:01:30 +0000 ?q=a%20b 7'],
  ['two slashes', { url: `${origin}//x`, modifiedAt: at, bytes: 7 }, '06/Feb/1999:00:01:30 +0000 /x 7'],
  ['what looks like a scheme', { url: `${origin}/a:b`, modifiedAt: at, bytes: 7 }, '06/Feb/1999:00:01:30 +0000 a:b 7'],
  ['neither date nor size', { url: `${origin}/x` }, '- x -'],
  ['a deleted page', { url: `${origin}/x`, modifiedAt: at, gone: true }, '06/Feb/1999:00:01:30 +0000 x gone'],
  ['a page that is called gone', { url: `${origin}/gone`, bytes: 5 }, '- gone 5'],
  ['a page that is called like a type', { url: `${origin}/5%20text/html`, bytes: 5 }, '- 5%20text/html 5'],
]
for (const [sentence, entry, line] of written) {
  test(`${sentence}: written, and read back`, () => {
    assert.equal(formatArchiveLine(entry, origin), line)
    assert.deepEqual(parseArchiveLine(line, origin), entry)
  })
}

const read: [sentence: string, line: string, entry: ArchiveEntry | undefined][] = [
  [
    'the line printed in 000 §3.2',
    '05/Feb/1999:16:01:30 -0800 people/pics/line/colorbars.gif 99999',
    { url: `${origin}/people/pics/line/colorbars.gif`, modifiedAt: at, bytes: 99_999 },
  ],
  ['blanks in a path', '- my own page.html 5', { url: `${origin}/my%20own%20page.html`, bytes: 5 }],
  ['a type behind the size', '- x 5 text/html', { url: `${origin}/x`, bytes: 5, type: 'text/html' }],
  ['fields of a later version', '- x 5 lang=de text/html q:1', { url: `${origin}/x`, bytes: 5, type: 'text/html' }],
  ['a fragment, which names no page', '- x#y 5', { url: `${origin}/x`, bytes: 5 }],
  ['a path that would leave the site', '- //b.example/x 5', { url: `${origin}///b.example/x`, bytes: 5 }],
  ['steps out of the root', '- ../../x 5', { url: `${origin}/x`, bytes: 5 }],
  ['no size', '06/Feb/1999:00:01:30 +0000 x', undefined],
  ['no path', '06/Feb/1999:00:01:30 +0000 5', undefined],
  ['no date', 'x 5', undefined],
  ['a day that is none', '30/Feb/1999:00:01:30 +0000 x 5', undefined],
  ['a month that is none', '06/Fev/1999:00:01:30 +0000 x 5', undefined],
  ['a size below nothing', '- x -5', undefined],
  ['a size without end', `- x ${'9'.repeat(30)}`, undefined],
  ['nothing', '', undefined],
]
for (const [sentence, line, entry] of read) {
  test(`reading ${sentence}`, () => assert.deepEqual(parseArchiveLine(line, origin), entry))
}

test('an archive’s type is that of its pages, unless they have their own', () => {
  assert.equal(parseArchiveLine('- x 5', origin, 'text/html')?.type, 'text/html')
  assert.equal(parseArchiveLine('- x 5 image/gif', origin, 'text/html')?.type, 'image/gif')
})

const types = fc.constantFrom('text/html', 'image/svg+xml', 'application/vnd.ms-excel')
const digests = fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `sha-256:${hex}`)
const pages = fc.record(
  {
    url: fc.webPath().map((path) => new URL(`${origin}${path}`).href),
    modifiedAt: fc.integer({ min: -1e10, max: 1e11 }).map((seconds) => seconds * 1_000),
    type: types,
    digest: digests,
    gone: fc.constant(true),
    bytes: fc.nat(),
  },
  { requiredKeys: ['url'], noNullPrototype: true },
)

test('every page is read back as it was', () => {
  fc.assert(
    fc.property(pages, (page) => {
      const line = formatArchiveLine(page, origin, { withType: true, withDigest: true })
      const { bytes, ...rest } = page
      assert.deepEqual(parseArchiveLine(line, origin), page.gone === true || bytes === undefined ? rest : page)
    }),
  )
})

test('whatever a line says, it leads to no other site, and never throws', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((path) => `- ${path} 5`),
    fc.array(fc.constantFrom('-', 'gone', '5', 'a/b', 'x:y', '//h', '\\\\h', '@h', '')).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(texts, (line) => {
      const entry = parseArchiveLine(line, origin)
      if (entry !== undefined) assert.equal(new URL(entry.url).origin, origin)
    }),
  )
})

test('a page of another site cannot be written, and the message says which', () => {
  assert.throws(() => formatArchiveLine({ url: 'https://b.example/x' }, origin), /b\.example\/x.*leave it out/)
  assert.throws(() => archiveOrigin('ftp://a.example'), /ftp:\/\/a\.example/)
})
