/**
 * WACZ segment: one group of pages as a WARC file, one gzip member a record, and where each record is. It is made, looked
 * at and forgotten; when its bytes are wanted they are made again, and are the same.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, gzip } from 'node:zlib'
import { encodeRecord, payloadDigest, warcinfoRecord } from '@comity/protocol'
import type { CdxjEntry, WarcRecord } from '@comity/protocol'
import type { PageBodies } from '../serve/page-bodies.ts'
import type { PagePart } from './page-parts.ts'
import { pageRecord, uuidOf } from './page-record.ts'

export interface WaczSegment {
  readonly filename: string
  readonly bytes: number
  readonly crc32: number
  /** `sha256:` and hexadecimal digits. */
  readonly hash: string
  readonly captures: readonly CdxjEntry[]
}

interface MadeSegment extends WaczSegment {
  readonly content: Uint8Array
}

const member = promisify(gzip)
const packed = async (record: WarcRecord): Promise<Uint8Array> => await member(encodeRecord(record), { level: 6 })

export async function makeSegment(
  group: PagePart,
  bodies: PageBodies,
  urlOf: (path: string) => string,
): Promise<MadeSegment> {
  const filename = `pages${group.name === '' ? '' : `-${group.name}`}.warc.gz`
  const recordId = uuidOf(`${filename} ${group.modifiedAt}`)
  const chunks = [await packed(warcinfoRecord({ at: group.modifiedAt, recordId, filename, software: 'comity' }))]
  const captures: CdxjEntry[] = []
  let offset = chunks[0]!.length
  for (const page of group.pages()) {
    const body = await bodies.of(page)
    if (body === undefined) continue
    const url = urlOf(page.path)
    const record = await packed(pageRecord(page, url, body))
    const where = { filename, offset, length: record.length }
    captures.push({ url, at: page.modifiedAt, mime: page.type, status: 200, digest: payloadDigest(body), ...where })
    chunks.push(record)
    offset += record.length
  }
  const content = Buffer.concat(chunks)
  const sum = createHash('sha256').update(content).digest('hex')
  return { filename, bytes: content.length, crc32: crc32(content), hash: `sha256:${sum}`, captures, content }
}
