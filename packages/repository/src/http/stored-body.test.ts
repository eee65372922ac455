import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { gzipRecord, payloadDigest, responseHead, responseRecord } from '@comity/protocol'
import { storedBody, storedText } from './stored-body.ts'
import { AT, sampleCollection } from '../testing/sample-repository.ts'
import type { Collection, WarcPosition } from '@comity/collection'

type Headers = readonly (readonly [string, string])[]

async function stored(t: TestContext, headers: Headers, body: Uint8Array): Promise<[Collection, WarcPosition]> {
  const { collection, crawl } = await sampleCollection(t)
  const httpHead = responseHead({ status: 200, statusText: 'OK', headers })
  const record = responseRecord({
    url: 'https://a.example/x',
    at: AT,
    httpHead,
    body,
    payloadDigest: payloadDigest(body),
  })
  const position = collection.appendRecord(gzipRecord(record), AT)
  await crawl.commit()
  return [collection, position]
}

const type = (value: string): Headers => [['Content-Type', value]]
const latin = Buffer.from('<p>caf\xe9</p>', 'latin1')

const cases: [sentence: string, headers: Headers, body: Uint8Array, kind: string, text: string][] = [
  ['HTML is HTML, in UTF-8', type('text/html; charset=iso-8859-1'), latin, 'html', '<p>café</p>'],
  ['what has no type is taken for HTML', [], Buffer.from('<p>x'), 'html', '<p>x'],
  ['packed HTML is unpacked', [...type('text/html'), ['Content-Encoding', 'gzip']], gzipSync('<p>y'), 'html', '<p>y'],
  ['plain text is text', type('text/plain'), Buffer.from('<b>'), 'text', '<b>'],
  ['a script is text', type('text/javascript'), Buffer.from('alert(1)'), 'text', 'alert(1)'],
  ['JSON is text', type('application/json'), Buffer.from('{}'), 'text', '{}'],
  ['XML is text, whatever it would become in a browser', type('application/xml'), Buffer.from('<x/>'), 'text', '<x/>'],
  ['SVG, a picture that can run scripts, is a file', type('image/svg+xml'), Buffer.from('<svg/>'), 'file', '<svg/>'],
  ['a PDF is a file', type('application/pdf'), Buffer.from('%PDF'), 'file', '%PDF'],
  ['an unknown type is a file', type('x-evil/thing"; a=b'), Buffer.from('?'), 'file', '?'],
  ['a program is a file', type('application/wasm'), Buffer.from('\0asm'), 'file', '\0asm'],
]
for (const [sentence, headers, body, kind, text] of cases) {
  test(`stored body: ${sentence}`, async (t) => {
    const [collection, position] = await stored(t, headers, body)
    const found = storedBody(collection, position, 'https://a.example/x')
    assert.deepEqual([found.kind, Buffer.from(found.bytes).toString()], [kind, text])
  })
}

test('a body that unpacks to more than is shown is a problem, not a full memory', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 << 20))
  const [collection, position] = await stored(t, [...type('text/html'), ['Content-Encoding', 'gzip']], bomb)
  assert.throws(
    () => storedBody(collection, position, 'https://a.example/x'),
    /cannot be shown: it would unpack to more than/,
  )
})

test('the text of a page is its words in lines, and a picture has none', async (t) => {
  const [page, at] = await stored(t, type('text/html'), Buffer.from('<h1>A</h1><p>b <b>c</b></p><script>d</script>'))
  assert.equal(storedText(page, at, 'https://a.example/x'), 'A\nb c')
  const [picture, place] = await stored(t, type('image/png'), Buffer.from('PNG'))
  assert.equal(storedText(picture, place, 'https://a.example/x'), undefined)
})
