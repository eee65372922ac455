import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PdfReader, pdfLimits } from './pdf-text.ts'
import type { PdfLimits, PdfProblem, PdfReading } from './pdf-text.ts'

async function readPdf(bytes: Uint8Array, limits?: PdfLimits): Promise<PdfReading> {
  await using reader = new PdfReader(limits)
  return await reader.read(bytes)
}

/** Objects 1 to n as a file, with a table of their places (ISO 32000-1 §7.5). Bytes are written as Latin-1. */
function pdf(objects: readonly string[], trailer = ''): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, n) => {
    const place = file.length
    file += `${n + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

const stream = (body: string, entries = ''): string =>
  `<< /Length ${body.length} ${entries} >>\nstream\n${body}\nendstream`

const shown = (lines: readonly string[]): string =>
  `BT /F1 12 Tf 72 720 Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`

/** One page an entry; object 4 says who wrote it. */
function store(pages: readonly (readonly string[])[], { title = '', count = pages.length } = {}): Buffer {
  const first = 5
  const kids = pages.map((_, n) => `${first + 2 * n} 0 R`).join(' ')
  const leaves = pages.flatMap((lines, n) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + 2 * n + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    stream(shown(lines)),
  ])
  return pdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Title (${title}) >>`,
      ...leaves,
    ],
    '/Info 4 0 R',
  )
}

test('a PDF has a title, its pages in order, and the lines of each', async () => {
  const reading = await readPdf(store([['The quick brown fox', 'jumps'], ['over the dog']], { title: 'On foxes' }))
  assert.deepEqual(reading, {
    kind: 'ok',
    title: 'On foxes',
    text: 'The quick brown fox\njumps\n\nover the dog',
    pages: 2,
    isCut: false,
  })
})

test('a reader reads one file after another in one thread', async () => {
  await using reader = new PdfReader()
  const readings = await Promise.all(['one', 'two', 'three'].map((word) => reader.read(store([[word]]))))
  assert.deepEqual(readings.map(textOf), ['one', 'two', 'three'])
})

const sound = store([['a page']])
const encrypted = pdf(
  [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'61'.repeat(32)}> /U <${'62'.repeat(32)}> >>`,
  ],
  `/Encrypt 3 0 R /ID [<${'63'.repeat(16)}> <${'63'.repeat(16)}>]`,
)
const badFiles: [sentence: string, bytes: Uint8Array, reason: PdfProblem][] = [
  ['an empty file is none', new Uint8Array(0), 'not-pdf'],
  ['a page of HTML is none', Buffer.from('<title>404</title>'), 'not-pdf'],
  ['a mark and nothing behind it is none', Buffer.from('%PDF-1.4\n'), 'not-pdf'],
  ['one that needs a password is locked', encrypted, 'locked'],
]
for (const [sentence, bytes, reason] of badFiles) {
  test(`of PDF files: ${sentence}`, async () => assert.equal(reasonOf(await readPdf(bytes)), reason))
}

const limit = (limits: Partial<PdfLimits>): PdfLimits => ({ ...pdfLimits, ...limits })

test('a file whose table of places is wrong is read all the same', async () => {
  const moved = Buffer.concat([Buffer.from('% something before it\n'.repeat(20)), sound])
  assert.equal(textOf(await readPdf(moved)), 'a page')
})

test('a file with no text has none', async () => assert.equal(textOf(await readPdf(store([[]]))), ''))

test('a larger file than allowed is not opened', async () => {
  assert.equal(reasonOf(await readPdf(sound, limit({ maxBytes: 100 }))), 'too-large')
})

test('pages and characters past the limits are cut', async () => {
  const pages = Array.from({ length: 10 }, (_, n) => [`page ${n}`])
  const byPages = await readPdf(store(pages), limit({ maxPages: 3 }))
  assert.deepEqual(byPages, { kind: 'ok', title: '', text: 'page 0\n\npage 1\n\npage 2', pages: 10, isCut: true })
  const byChars = await readPdf(store(pages), limit({ maxChars: 9 }))
  assert.deepEqual(byChars, { kind: 'ok', title: '', text: 'page 0\n\npag', pages: 10, isCut: true })
})

test('a file that promises a billion pages gives those it has', async () => {
  const reading = await readPdf(store([['the only one']], { count: 1_000_000_000 }))
  assert.equal(textOf(reading).trim(), 'the only one')
})

/** A page whose content unpacks to a thousand times its size. */
function bomb(content: Buffer): Buffer {
  const packed = deflateSync(content).toString('latin1')
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    stream(packed, '/Filter /FlateDecode'),
  ])
}

test('a file that unpacks to more than the memory allowed is ended, and the next one is read', async () => {
  await using reader = new PdfReader(limit({ memoryBytes: 48 << 20 }))
  const reading = await reader.read(bomb(Buffer.alloc(300 << 20, ' ')))
  assert.equal(reasonOf(reading), 'memory')
  assert.equal(textOf(await reader.read(sound)), 'a page')
})

test('a file that takes too long is ended, and the next one is read', async () => {
  await using reader = new PdfReader(limit({ timeMs: 1_000, maxChars: Infinity, memoryBytes: 1 << 30 }))
  assert.equal(textOf(await reader.read(sound)), 'a page')
  const endless = bomb(Buffer.from('BT /F1 1 Tf ET q 1 0 0 1 0 0 cm Q '.repeat(3_000_000)))
  const reading = await reader.read(endless)
  assert.equal(reasonOf(reading), 'time')
  assert.equal(textOf(await reader.read(sound)), 'a page')
})

test('a script in a PDF does not run', async () => {
  const script = 'globalThis.ran = true; throw new Error\\(1\\)'
  const file = pdf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (${script}) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /AA << /O << /S /JavaScript /JS (${script}) >> >> >>`,
  ])
  assert.equal(textOf(await readPdf(file)), '')
})

test('whatever bytes stand in a PDF, reading it ends with an outcome', async () => {
  await using reader = new PdfReader(limit({ timeMs: 5_000 }))
  const change = fc.tuple(fc.nat({ max: sound.length - 1 }), fc.nat({ max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), fc.nat({ max: sound.length }), async (changes, length) => {
      const bytes = Uint8Array.from(sound.subarray(0, length))
      for (const [at, byte] of changes) if (at < length) bytes[at] = byte
      const reading = await reader.read(bytes)
      assert.ok(reading.kind === 'ok' || reading.message !== '')
    }),
    { numRuns: 100 },
  )
})

function textOf(reading: PdfReading): string {
  assert.equal(reading.kind, 'ok', reading.kind === 'bad' ? reading.message : '')
  return reading.kind === 'ok' ? reading.text : ''
}

const reasonOf = (reading: PdfReading): PdfProblem | undefined => (reading.kind === 'bad' ? reading.reason : undefined)
