import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { turnsDuring } from '@comity/protocol/testing'
import { encodeRecord, responseHead, responseRecord } from '@comity/protocol'
import { ContentChecks } from './content-checks.ts'
import type { ContentTerms } from './pushed-content.ts'
import { PushRefusal } from '../admit/push-refusal.ts'

const terms: ContentTerms = {
  kind: 'warc',
  scheme: 'pages',
  type: 'application/warc',
  origin: 'http://a.example',
  door: 'push',
  topic: 'http://a.example/',
  maxUnpackedBytes: 1 << 30,
}
const page = (url: string): Uint8Array =>
  encodeRecord(
    responseRecord({ url, at: 0, httpHead: responseHead({ status: 200, headers: [] }), body: Buffer.from('x') }),
  )

const kindOf = async (checks: ContentChecks, bytes: Uint8Array): Promise<string> => {
  try {
    return (await checks.check({ bytes }, terms)).scheme
  } catch (error) {
    if (error instanceof PushRefusal) return error.kind
    throw error
  }
}

test('the verdict of the thread is that of the check, refusals and all', { timeout: 60_000 }, async () => {
  await using checks = new ContentChecks()
  assert.equal(await kindOf(checks, page('http://a.example/1')), 'pages')
  assert.equal(await kindOf(checks, page('http://b.example/1')), 'foreign')
  assert.equal(await kindOf(checks, Buffer.from('no WARC')), 'malformed')
})

test('60,000 empty members are too much work, and this thread goes on meanwhile', { timeout: 120_000 }, async () => {
  await using checks = new ContentChecks()
  const member = gzipSync('')
  const turns = await turnsDuring(async () => {
    assert.equal(await kindOf(checks, Buffer.concat(Array.from({ length: 60_000 }, () => member))), 'too-much-work')
  })
  // On a thread that reads it there would be none.
  assert.ok(turns > 20, `${turns} turns`)
  assert.equal(await kindOf(checks, page('http://a.example/2')), 'pages')
})

test(
  '613 kilobytes of members full of blank lines are no archive: the first of them says so',
  { timeout: 60_000 },
  async () => {
    await using checks = new ContentChecks()
    const member = gzipSync(Buffer.alloc(15 << 20, '\r\n'))
    assert.equal(await kindOf(checks, Buffer.concat(Array.from({ length: 40 }, () => member))), 'malformed')
  },
)

test(
  'a thread that takes too long is ended, its content refused by name, and the next is read',
  { timeout: 60_000 },
  async () => {
    const member = gzipSync(Buffer.alloc(15 << 20, '\r\n'))
    const long = Buffer.concat(Array.from({ length: 20 }, () => member))
    await using checks = new ContentChecks({ timeLimitMs: 1 })
    assert.equal(await kindOf(checks, long), 'too-much-work')
  },
)
