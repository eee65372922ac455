import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '@comity/protocol'
import { answerDocument } from './document-answer.ts'
import { DocumentStore } from '../documents/document-store.ts'
import { AT } from '../testing/journal-sample.ts'
import type { Content, SiteDocument } from '../documents/site-document.ts'
import { readAnswer, requestOf } from '../testing/site-sample.ts'
import type { ReadAnswer } from '../testing/site-sample.ts'

const TEXT = Buffer.from('<url>'.repeat(200))
const NOW = AT + 10_000

function documentOf(content: Content = TEXT, more: Partial<SiteDocument> = {}): SiteDocument {
  const common = { path: '/sitemap.xml', scheme: 'sitemap', type: 'application/xml', version: '1', pages: 3 } as const
  return { ...common, modifiedAt: AT + 200, make: () => content, ...more }
}

const store = (): DocumentStore => new DocumentStore(1 << 20)

async function ask(document: SiteDocument, headers: HeaderList = [], method = 'GET', now = NOW): Promise<ReadAnswer> {
  return await readAnswer(await answerDocument(requestOf(document.path, { method, headers }), document, store(), now))
}

test('a document has a strong tag, a date, its type and its length', async () => {
  const { status, header, sent } = await ask(documentOf())
  assert.deepEqual([status, header('content-type'), header('content-length')], [200, 'application/xml', '1000'])
  assert.match(header('etag')!, /^"[0-9a-f]{32}"$/)
  assert.equal(header('last-modified'), new Date(AT + 1_000).toUTCString())
  assert.deepEqual(sent, TEXT)
})

test('each content coding has a tag of its own, and whoever has it gets 304', async () => {
  const tags = new Set<string>()
  for (const coding of ['gzip', 'br', 'zstd', 'identity']) {
    const accepted: HeaderList = [['Accept-Encoding', coding]]
    const { body, header, sent } = await ask(documentOf(), accepted)
    assert.deepEqual(body, TEXT)
    assert.equal(header('vary'), 'Accept-Encoding')
    assert.equal(sent.length < TEXT.length, coding !== 'identity')
    tags.add(header('etag')!)
    const again = await ask(documentOf(), [...accepted, ['If-None-Match', header('etag')!]])
    assert.deepEqual([again.status, again.sent.length, again.header('etag')], [304, 0, header('etag')])
  }
  assert.equal(tags.size, 4)
})

test('HEAD tells the length and sends nothing', async () => {
  const { header, sent } = await ask(documentOf(), [], 'HEAD')
  assert.deepEqual([header('content-length'), sent.length], ['1000', 0])
})

test('a short document and a packed one get no coding', async () => {
  const accepted: HeaderList = [['Accept-Encoding', 'gzip, br, zstd']]
  assert.equal((await ask(documentOf(Buffer.from('short')), accepted)).header('content-encoding'), undefined)
  assert.equal((await ask(documentOf(TEXT, { isPacked: true }), accepted)).header('content-encoding'), undefined)
})

test('a document that was modified in this very second has no date yet, so none is taken for another’s', async () => {
  const modified = documentOf(TEXT, { modifiedAt: AT + 200 })
  const early = await ask(modified, [], 'GET', AT + 500)
  assert.equal(early.header('last-modified'), undefined)
  const since = ['If-Modified-Since', new Date(AT).toUTCString()] as const
  assert.equal((await ask(modified, [since])).status, 200)
  const late = await ask(modified)
  assert.equal((await ask(modified, [['If-Modified-Since', late.header('last-modified')!]])).status, 304)
})

const ranges: [sentence: string, range: string, status: number, part: string | undefined][] = [
  ['a part from the beginning', 'bytes=0-4', 206, '<url>'],
  ['a part at the end', 'bytes=-5', 206, '<url>'],
  ['more than there is', 'bytes=995-2000', 206, '<url>'],
  ['several parts, which are not worth the trouble', 'bytes=0-4,10-14', 200, undefined],
  ['another unit', 'lines=1-2', 200, undefined],
  ['what is not there', 'bytes=1000-', 416, undefined],
]
for (const [sentence, range, status, part] of ranges) {
  test(`asked for ${sentence}, the answer is ${status}`, async () => {
    const answer = await ask(documentOf(), [
      ['Range', range],
      ['Accept-Encoding', 'gzip'],
    ])
    assert.equal(answer.status, status)
    if (part !== undefined)
      assert.deepEqual([answer.text, answer.header('content-length')], [part, String(part.length)])
    if (status === 416) assert.equal(answer.header('content-range'), 'bytes */1000')
  })
}

test('a part of another version is not sent as one of this', async () => {
  const first = await ask(documentOf(TEXT, { isPacked: true }))
  const good: HeaderList = [
    ['Range', 'bytes=5-9'],
    ['If-Range', first.header('etag')!],
  ]
  assert.equal((await ask(documentOf(TEXT, { isPacked: true }), good)).status, 206)
  const other = await ask(documentOf(Buffer.from('other'.repeat(200)), { isPacked: true }), good)
  assert.deepEqual([other.status, other.sent.length], [200, 1_000])
})

test('other methods are refused with those there are', async () => {
  const { status, header } = await ask(documentOf(), [], 'POST')
  assert.deepEqual([status, header('allow')], [405, 'GET, HEAD'])
})

test('whatever part of large content is asked for, it is that part', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }),
    fc.nat(120),
    fc.nat(120),
    async (chunks, start, length) => {
      const all = Buffer.concat(chunks)
      const pieces = chunks.map((chunk) => ({ bytes: chunk.length, load: () => chunk }))
      const document = documentOf({ name: 'abc', bytes: all.length, pieces }, { isPacked: true })
      const whole = await ask(document)
      assert.deepEqual([whole.status, whole.sent], [200, all])
      const part = await ask(document, [['Range', `bytes=${start}-${start + length}`]])
      if (start >= all.length) return assert.equal(part.status, 416)
      assert.deepEqual([part.status, part.sent], [206, all.subarray(start, start + length + 1)])
      return undefined
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

test('a document is made once for several who ask at one time, and again only when it was dropped', async () => {
  let makes = 0
  const counted = (path: string): SiteDocument =>
    documentOf(TEXT, {
      path,
      make: async () => {
        makes++
        return TEXT
      },
    })
  const small = new DocumentStore(1_500)
  const get = async (path: string): Promise<string | undefined> => {
    const answer = await readAnswer(await answerDocument(requestOf(path), counted(path), small, NOW))
    return answer.header('etag')
  }
  const tags = await Promise.all([get('/a'), get('/a'), get('/a')])
  assert.deepEqual([makes, new Set(tags).size], [1, 1])
  await get('/b')
  assert.ok(small.heldBytes <= 1_500)
  assert.equal(await get('/a'), tags[0])
  assert.equal(makes, 3)
})
