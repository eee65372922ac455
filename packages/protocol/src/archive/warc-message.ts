/** WARC message: what a record holds of a page. */
import { parseHttpBlock } from '../http/http-block.ts'
import type { HttpBlock } from '../http/http-block.ts'
import { warcField, warcType } from './warc-record.ts'
import type { WarcRecord } from './warc-record.ts'

export interface WarcMessage extends HttpBlock {
  /** It came without an HTTP answer, and says no more than its type. */
  readonly resourceType?: string | undefined
}

/** An HTTP answer (WARC 1.1 §6.3), or a thing that came without one (§6.4), or a revisit of either (§6.7). */
export function warcMessage(record: WarcRecord): WarcMessage {
  const type = resourceTypeOf(record)
  if (type === undefined) return parseHttpBlock(record.block)
  return { startLine: '', headers: [['Content-Type', type]], body: record.block, resourceType: type }
}

export function resourceTypeOf(record: WarcRecord): string | undefined {
  const type = warcField(record, 'Content-Type') ?? 'application/octet-stream'
  const kind = warcType(record)
  const isHttp = kind !== 'resource' && (kind !== 'revisit' || /^application\/http\b/i.test(type))
  return isHttp ? undefined : type
}
