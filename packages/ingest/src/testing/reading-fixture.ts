/** An answer to be read, and how, for tests. */
import { defaultUrlRules } from '@comity/protocol'
import { similarityDefaults } from '@comity/frontier'
import type { Answered, ReadingOptions } from '../read/reading.ts'

export const readingOptions: ReadingOptions = {
  productToken: 'comity',
  urlRules: defaultUrlRules,
  maxDecodedBytes: 1 << 20,
  kinds: ['page'],
  gzipLevel: 2,
  topic: { words: [], idf: 'none', measure: similarityDefaults.measure, titleWeight: similarityDefaults.titleWeight },
}

export const answerOf = (html: string | Uint8Array, more: Partial<Answered> = {}): Answered => ({
  url: 'http://a.example/dir/page',
  at: 0,
  address: '192.0.2.1',
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'text/html']],
  origin: { requestHeaders: [] },
  body: new Uint8Array(Buffer.from(html)),
  ...more,
})
