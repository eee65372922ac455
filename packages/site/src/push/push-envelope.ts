/**
 * Push envelope: content as it goes out to one subscriber: where it comes from and the proof that it does (`push/hub-fields.ts`),
 * and packed where that is safe.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { headerOf, WARC_TYPE } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { hubFields } from './hub-fields.ts'
import type { PushContent, Subscriber } from '../hub/subscriber.ts'

const pack = promisify(gzip)
/** Below, what is saved is not worth the coding; a page and the closing have heads that pack well. */
const PACKED_FROM_BYTES = 500

export interface PushEnvelope extends PushContent {
  /** A content coding is on. */
  readonly isPacked: boolean
}

export async function pushEnvelope(
  content: PushContent,
  subscriber: Subscriber,
  mayPack: boolean,
): Promise<PushEnvelope> {
  const { body, isPacked } = await packedBody(content, mayPack && subscriber.by === 'push')
  const coding: HeaderList = isPacked ? [['Content-Encoding', 'gzip']] : []
  // Those that the content does not have already.
  const own = subscriber.isPing === true ? [] : hubFields(subscriber, body)
  const missing = own.filter(([name]) => headerOf(content.headers, name) === undefined)
  return { ...content, body, headers: [...content.headers, ...coding, ...missing], isPacked }
}

/**
 * WARC files only, and only for a crawler's push address, which says so if it cannot unpack them (415). WebSub knows no
 * such agreement between a hub and whoever subscribes.
 */
async function packedBody(
  { body, type }: PushContent,
  mayPack: boolean,
): Promise<{ readonly body: Uint8Array; readonly isPacked: boolean }> {
  if (!mayPack || type !== WARC_TYPE || body.length < PACKED_FROM_BYTES) return { body, isPacked: false }
  const packed = await pack(body)
  return packed.length < body.length ? { body: packed, isPacked: true } : { body, isPacked: false }
}
