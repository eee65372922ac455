/** A request that a site sends by itself and its answer, weighed as HTTP/1.1 would carry them on a connection of their own. */
import { headerOf, requestHead, responseHead, WARC_TYPE, writeHttpDate } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { PostRequest } from '@comity/site'
import { weighedStream } from '../../../cooperating/counted-line.ts'
import type { Traffic } from '../../../cooperating/http.ts'

/** As `httpPost` of the site has them. */
export const postHeaders = ({ url, headers, body }: PostRequest): HeaderList => [
  ['Host', new URL(url).host],
  ['User-Agent', 'comity-site'],
  ...headers,
  ['Content-Length', String(body.length)],
]

/** From the crawler's side: what it received, and what it answered. */
export function postTraffic(request: PostRequest, headers: HeaderList, status: number): Traffic {
  const { url, method, body } = request
  const isWarc = headerOf(headers, 'content-type') === WARC_TYPE
  const head = requestHead({
    method,
    target: new URL(url).pathname,
    headers: [...headers, ['Connection', 'keep-alive']],
  })
  const received = head.length + (isWarc ? weighedStream(body, headers) : body.length)
  return { requests: 1, connections: 1, sent: answerHead(status).length, received }
}

const answerHead = (status: number): Uint8Array =>
  responseHead({
    status,
    statusText: status === 204 ? 'No Content' : 'Accepted',
    headers: [
      ['Connection', 'close'],
      ['Content-Length', '0'],
      ['Date', writeHttpDate(0)],
    ],
  })
