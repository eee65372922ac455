/** WARC digests: does a record hold what its digests say? */
import { checkDigest } from './digest.ts'
import { entityBody, parseHttpBlock } from '../http/http-block.ts'
import { warcField, warcType, type WarcRecord } from './warc-record.ts'

/** A sentence about the first digest that does not fit; undefined when none is wrong. */
export function digestProblem(record: WarcRecord): string | undefined {
  const block = warcField(record, 'WARC-Block-Digest')
  if (block !== undefined && checkDigest(block, record.block) === 'differs') {
    return `the block is not the one of WARC-Block-Digest ${block.slice(0, 80)}`
  }
  const payload = warcField(record, 'WARC-Payload-Digest')
  // A revisit's payload digest is of bytes stored elsewhere, a segment's of bytes scattered over records.
  if (payload === undefined || warcType(record) === 'revisit') return undefined
  if (warcField(record, 'WARC-Segment-Number') !== undefined) return undefined
  const readings = payloadReadings(record)
  return readings.length > 0 && readings.every((bytes) => checkDigest(payload, bytes) === 'differs')
    ? `the payload is not the one of WARC-Payload-Digest ${payload.slice(0, 80)}`
    : undefined
}

/** Writers never agreed whether a chunked body is digested with its chunks or without; both count as right. */
function payloadReadings(record: WarcRecord): readonly Uint8Array[] {
  const type = warcField(record, 'Content-Type') ?? ''
  if (!/^application\/http\b/i.test(type)) return [record.block]
  const http = parseHttpBlock(record.block)
  return [http.body, entityBody(http)]
}
