/**
 * Write a WARC 1.1 file of one visit and read it back. Readers and writers work on bytes; where those come from and go
 * to is your business. One gzip member a record, so any record can be read alone by its offset.
 *
 *   npx node examples/write-and-read-warc.ts /tmp/visit.warc.gz
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  gzipRecord,
  parseHttpBlock,
  readWarc,
  responseHead,
  responseRecord,
  warcTarget,
  warcType,
  warcinfoRecord,
} from '@comity/protocol'

const [file = 'visit.warc.gz'] = process.argv.slice(2)
const at = Date.UTC(2026, 0, 1)

const info = warcinfoRecord({ at, filename: 'visit.warc.gz', software: 'example/1.0' })
const response = responseRecord({
  at,
  url: 'https://example.org/',
  httpHead: responseHead({ status: 200, statusText: 'OK', headers: [['Content-Type', 'text/plain']] }),
  body: Buffer.from('Hello, archive.'),
})
writeFileSync(file, Buffer.concat([gzipRecord(info), gzipRecord(response)]))

// Nothing a file holds makes the reader throw: a broken record is an item of kind `problem`, and reading goes on.
for (const item of readWarc(readFileSync(file), 0, { verify: true })) {
  if (item.kind === 'problem') console.log(`problem: ${item.message}`)
  else if (warcType(item.record) === 'response') {
    const { status, body } = parseHttpBlock(item.record.block)
    console.log(`${warcTarget(item.record)} ${status} "${Buffer.from(body).toString()}"`)
  } else console.log(warcType(item.record))
}
