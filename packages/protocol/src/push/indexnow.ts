/**
 * IndexNow (https://www.indexnow.org/documentation): a site tells search engines which of its addresses were added,
 * updated or deleted. No digest, no date, and nothing of what happened: a hint to look.
 *
 *   GET  /indexnow?url=…&key=…[&keyLocation=…]
 *   POST /indexnow    application/json    {"host":…,"key":…,"keyLocation":…,"urlList":[… at most 10,000]}
 *
 *   200 taken · 202 taken, the key is still to be looked at · 400 no such form · 403 the key is not there, or another
 *   422 an address that is not the host's, or that the key does not speak for · 429 too often
 *
 * Proof: the key stands at `https://host/{key}.txt`, a file that holds nothing else. A key file elsewhere on the host
 * speaks only for what is below its own folder.
 *
 * A stranger chooses `keyLocation`, and a host may well have a page that repeats what it is asked for, or a folder that its
 * users fill. So it has to be what the protocol calls it, a text file: a path that ends in `.txt`, without a query, and
 * without anything that hides a slash or a question mark, since then its folder would be another than the one it is served from.
 */
import { textOf } from '../text-of.ts'
import { parsedJson } from '../http/json-field.ts'

export const INDEXNOW_TYPE = 'application/json; charset=utf-8'
/** In one request. */
export const MAX_INDEXNOW_URLS = 10_000
/** Ten thousand addresses as long as addresses may be are more than anybody sends; this is four times the usual. */
export const MAX_INDEXNOW_BYTES: number = 4 << 20
const MAX_URL_CHARS = 2_048

/** What a site says. */
export interface IndexNow {
  /** As in an address: with a port unless it is the usual one. */
  readonly host: string
  readonly key: string
  readonly keyLocation?: string | undefined
  /** Absolute, http or https, all of that host. */
  readonly urls: readonly string[]
}

export type ReadIndexNow =
  | { readonly notice: IndexNow }
  | { readonly problem: string; readonly status: 400 | 405 | 422 }

/** A request as it came; `query` without its question mark. */
export function parseIndexNow(
  method: string,
  query: string,
  contentType: string | undefined,
  body: Uint8Array,
): ReadIndexNow {
  if (method === 'GET') return ofParameters(new URLSearchParams(query))
  if (method !== 'POST') return { problem: 'use GET or POST', status: 405 }
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!JSON_TYPES.has(type)) return bad('the body is of type application/json')
  if (body.length > MAX_INDEXNOW_BYTES) return bad(`the body has at most ${MAX_INDEXNOW_BYTES} bytes`)
  return ofJson(Buffer.from(body).toString('utf8'))
}

function ofParameters(parameters: URLSearchParams): ReadIndexNow {
  const url = webUrlOf(parameters.get('url'))
  if (url === undefined) return bad('url is an absolute http or https URL')
  const { host } = new URL(url)
  return checked(host, parameters.get('key'), parameters.get('keyLocation') ?? undefined, [url])
}

function ofJson(text: string): ReadIndexNow {
  const json = parsedJson(text)
  if (json === undefined) return bad('the body is no JSON object')
  const { host, key, keyLocation, urlList } = json
  if (typeof host !== 'string' || !HOST.test(host)) return bad('host is the name of a host')
  if (!Array.isArray(urlList) || urlList.length === 0) return bad('urlList is a list of addresses')
  if (urlList.length > MAX_INDEXNOW_URLS) return bad(`urlList has at most ${MAX_INDEXNOW_URLS} addresses`)
  const urls = urlList.map(webUrlOf)
  if (!urls.every((url) => url !== undefined)) return bad('urlList holds absolute http or https URLs only')
  return checked(host.toLowerCase(), key, keyLocation ?? undefined, urls)
}

function checked(host: string, key: unknown, location: unknown, urls: readonly string[]): ReadIndexNow {
  if (typeof key !== 'string' || !isIndexNowKey(key))
    return bad('key has 8 to 128 of the characters a-z, A-Z, 0-9 and -')
  const keyLocation = location === undefined || location === '' ? undefined : textFileOf(location)
  if (location !== undefined && location !== '' && keyLocation === undefined)
    return bad(
      'keyLocation is the absolute http or https URL of a file that ends in .txt, without a query, with nothing hidden by its encoding',
    )
  if (keyLocation !== undefined && new URL(keyLocation).host !== host)
    return foreign(`keyLocation is on ${host}, the host that it is to prove`)
  const stranger = urls.find((url) => new URL(url).host !== host)
  if (stranger !== undefined) return foreign(`${stranger.slice(0, 200)} is not on ${host}`)
  const outside = keyLocation === undefined ? undefined : urls.find((url) => !isUnderKeyLocation(url, keyLocation))
  if (outside !== undefined) return foreign(`${outside.slice(0, 200)} is not below the folder of the key`)
  return { notice: { host, key, ...(keyLocation === undefined ? {} : { keyLocation }), urls } }
}

/** The body of a POST. Throws a RangeError for more addresses than one request may have: send several. */
export function writeIndexNow({ host, key, keyLocation, urls }: IndexNow): string {
  if (urls.length > MAX_INDEXNOW_URLS)
    throw new RangeError(`${urls.length} addresses are more than the ${MAX_INDEXNOW_URLS} that one request may have`)
  return JSON.stringify({ host, key, ...(keyLocation === undefined ? {} : { keyLocation }), urlList: urls })
}

export function isIndexNowKey(key: string): boolean {
  return /^[A-Za-z0-9-]{8,128}$/.test(key)
}

/** Where the key has to stand. Without a location it is looked for by the scheme of the addresses themselves. */
export function keyFileUrl({ host, key, keyLocation, urls }: IndexNow): string {
  const isPlain = urls.length > 0 && urls.every((url) => url.toLowerCase().startsWith('http:'))
  return keyLocation ?? `${isPlain ? 'http' : 'https'}://${host}/${key}.txt`
}

/** What a file found there says: only the key counts, with a line end after it perhaps. */
export function isKeyFile(body: Uint8Array, key: string): boolean {
  if (body.length > 1_024) return false
  return (
    Buffer.from(body)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim() === key
  )
}

/** What a text file is served as; some stores know only bytes. A page that happens to say the key is none. */
export function isKeyFileType(contentType: string | undefined): boolean {
  return (
    contentType === undefined || /^(?:text\/plain|(?:application|binary)\/octet-stream) *(?:;|$)/i.test(contentType)
  )
}

/**
 * Whether a key file speaks for an address: same host, below its folder. Both schemes of a host are one (FAQ), but what came
 * without TLS says nothing of what is served with it.
 */
export function isUnderKeyLocation(url: string, keyLocation: string): boolean {
  const [page, file] = [URL.parse(url), URL.parse(keyLocation)]
  if (page === null || file === null || page.host !== file.host) return false
  if (page.protocol === 'https:' && file.protocol !== 'https:') return false
  const folder = file.pathname.slice(0, file.pathname.lastIndexOf('/') + 1)
  return page.pathname.startsWith(folder) && (folder === '/' || !LEADS_UP.test(page.pathname))
}

/** Two dots that some servers take for the folder above, though the URL Standard does not. */
const LEADS_UP = /(?:\/|%2f|%5c)(?:\.|%2e){2}(?:[/;]|%2f|%5c|%3b|$)/i

/** A file whose address says by itself which folder it is in. */
function textFileOf(value: unknown): string | undefined {
  const href = webUrlOf(value)
  const isPlain = href !== undefined && !/[?#]/.test(textOf(value)) && !HIDES_A_FOLDER.test(new URL(href).pathname)
  return isPlain && /\.txt$/i.test(href) ? href : undefined
}

/**
 * A character of ASCII that is encoded: servers that decode it see a slash, a query, an end of text, or the letters of another
 * name. But for a blank and a tilde, which people have in names. A parameter of the path, an empty segment.
 */
const HIDES_A_FOLDER = /%(?!20|7e)[0-7][\da-f]|;|\/\//i

function webUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS) return undefined
  const url = URL.parse(value)
  const isWeb = (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.password === ''
  if (!isWeb) return undefined
  url.hash = ''
  return url.href
}

/** The documentation has the first; senders that let their HTTP library choose say one of the others. */
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'text/json', 'text/plain', ''])
const bad = (problem: string): ReadIndexNow => ({ problem, status: 400 })
const foreign = (problem: string): ReadIndexNow => ({ problem, status: 422 })
const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
