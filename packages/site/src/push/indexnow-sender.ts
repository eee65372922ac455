/**
 * IndexNow sender: what is posted to a search engine that takes IndexNow, and who that is. One endpoint is enough: those who
 * take part tell each other. The key stands at `/{key}.txt`, a document of the site (`documents/root-documents.ts`).
 */
import { hash } from 'node:crypto'
import { INDEXNOW_TYPE, writeIndexNow } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'
import type { PushContent, Subscriber } from '../hub/subscriber.ts'

/** Of all search engines that take part. */
export const INDEXNOW_ENDPOINT = 'https://api.indexnow.org/indexnow'

/** A search engine as somebody to be sent changes; `begins` is the journal's last number, unless it is to hear of all. */
export function indexNowSubscriber(endpoint: string, begins: number): Subscriber {
  const address = URL.parse(endpoint)
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw optionInvalid(`"${endpoint}" is no IndexNow endpoint: give its absolute URL, such as ${INDEXNOW_ENDPOINT}.`)
  const id = `indexnow-${hash('sha256', address.href).slice(0, 24)}`
  return { id, scheme: 'changes', by: 'indexnow', address: address.href, begins }
}

/** Addresses of one host, all that one request may have at most. */
export function indexNowContent(urls: readonly string[], key: string): PushContent | undefined {
  const [first] = urls
  if (first === undefined) return undefined
  const { host } = new URL(first)
  return { type: INDEXNOW_TYPE, body: Buffer.from(writeIndexNow({ host, key, urls })), headers: [] }
}
