import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseHead } from '../http/http-block.ts'
import { resourceTypeOf, warcMessage } from './warc-message.ts'
import type { WarcRecord } from './warc-record.ts'
import { resourceRecord, responseRecord, revisitRecord } from './warc-writer.ts'

const COMMON = { url: 'https://a.example/', at: 0 }
const httpHead = responseHead({ status: 404, headers: [['Content-Type', 'text/html']] })
const again = { ...COMMON, profile: 'identical-payload-digest', refersToUri: COMMON.url, refersToDate: 0 } as const

// oxfmt-ignore
const cases: readonly [sentence: string, record: WarcRecord, status: number | undefined, type: string | undefined, body: string][] = [
  ['an answer', responseRecord({ ...COMMON, httpHead, body: Buffer.from('x') }), 404, undefined, 'x'],
  ['a revisit of an answer', revisitRecord({ ...again, httpHead }), 404, undefined, ''],
  ['a resource', resourceRecord({ ...COMMON, type: 'text/plain; charset=utf-8', body: Buffer.from('HTTP/1.1 200 OK\r\n\r\n') }), undefined, 'text/plain; charset=utf-8', 'HTTP/1.1 200 OK\r\n\r\n'],
  ['a revisit of a resource', revisitRecord({ ...again, httpHead: new Uint8Array(0), resourceType: 'text/plain' }), undefined, 'text/plain', ''],
]

for (const [sentence, record, status, type, body] of cases) {
  test(`${sentence} is read as what it is`, () => {
    const message = warcMessage(record)
    assert.deepEqual([message.status, message.resourceType], [status, type])
    assert.equal(resourceTypeOf(record), type)
    assert.equal(Buffer.from(message.body).toString(), body)
    assert.deepEqual(message.headers, [['Content-Type', type ?? 'text/html']])
  })
}

test('a resource that says no type is bytes', () => {
  const fields = [['WARC-Type', 'resource']] as const
  const { headers } = warcMessage({ version: '1.1', fields, block: Buffer.from('x') })
  assert.deepEqual(headers, [['Content-Type', 'application/octet-stream']])
})
