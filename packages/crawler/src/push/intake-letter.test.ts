import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxItem } from '@comity/collection'
import { readBatchAnswer, WARC_TYPE } from '@comity/protocol'
import { aboutItem, aboutNotice, aboutPage, NOTICES } from './intake-letter.ts'

const item: InboxItem = {
  number: 7,
  at: Date.UTC(2026, 10, 14),
  origin: 'http://a.example',
  door: 'push',
  scheme: 'batches',
  proof: 'signature',
  type: 'application/zip',
  body: Buffer.from('PK'),
}

test('a page that was sent with others is kept as a push of its own, as it was sent', () => {
  const at = item.at - 5_000
  const page = {
    url: 'http://a.example/x',
    status: 200,
    headers: [['ETag', '"1"']] as const,
    body: Buffer.from('x'),
    at,
  }
  const { kind, item: kept, bodyOf } = aboutPage(item, page)
  assert.deepEqual([kind, kept?.type, kept?.scheme, kept?.number], ['sent', WARC_TYPE, 'pages', 7])
  const { pages, closing, problems } = readBatchAnswer(bodyOf!())
  assert.deepEqual([closing?.sent, problems, pages.length], [1, [], 1])
  assert.deepEqual([pages[0]?.url, pages[0]?.at, Buffer.from(pages[0]!.body).toString()], [page.url, at, 'x'])
})

test('a notice is kept as one of the lines that a receiver writes, and an item as it is', () => {
  const notice = aboutNotice(item, '{"url":"http://a.example/x"}')
  assert.deepEqual([notice.item?.type, notice.item?.scheme], [NOTICES, 'changes'])
  assert.deepEqual([aboutItem(item).item?.type, aboutItem(item).kind], ['application/zip', 'push'])
  assert.equal(aboutItem({ ...item, door: 'gateway' }).kind, 'shipment')
})
