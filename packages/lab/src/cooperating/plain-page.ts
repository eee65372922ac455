/** A page, or any file, as any server answers it: its tag and its date, 304 to who has it, packed for who asks where it packs. */
import { gzipSync } from 'node:zlib'
import { evaluateConditions, headerOf, parseQualityList, qualityOf, writeHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { NO_BODY } from '@comity/site'
import type { SiteAnswer, SiteRequest } from '@comity/site'

export interface PlainPage {
  readonly etag: string
  readonly modifiedAt: Instant
  readonly type: string
  readonly bytes: number
  readonly body: () => Uint8Array
}

type PlainRequest = Pick<SiteRequest, 'method' | 'headers'>

export const NOT_FOUND: SiteAnswer = { status: 404, headers: [['Content-Length', '0']], body: NO_BODY }

/** A server that packs pages packs them for everyone who asks, each time, unless something before it keeps them. */
export function plainAnswer(page: PlainPage, request: PlainRequest, now: Instant, packs: boolean): SiteAnswer {
  const { etag, modifiedAt, type, bytes } = page
  const fields: HeaderList = [
    ['ETag', etag],
    ['Last-Modified', writeHttpDate(modifiedAt)],
  ]
  if (evaluateConditions(request, { etag, lastModified: modifiedAt }, now) === 'not-modified')
    return { status: 304, headers: fields, body: NO_BODY }
  const isPacked = packs && qualityOf(parseQualityList(headerOf(request.headers, 'accept-encoding')), 'gzip') > 0
  const packed = isPacked ? gzipSync(page.body()) : undefined
  const headers: HeaderList = [
    ...fields,
    ['Content-Type', type],
    ...(isPacked ? [['Content-Encoding', 'gzip'] as const] : []),
    ['Content-Length', String(packed?.length ?? bytes)],
  ]
  return { status: 200, headers, body: request.method === 'HEAD' ? NO_BODY : (packed ?? page.body()) }
}
