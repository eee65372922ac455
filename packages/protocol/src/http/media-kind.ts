/** Media kind: what a resource is to a crawler, by what its server calls it, or by its URL before anybody asked. */
export type MediaKind =
  | 'page'
  | 'image'
  | 'style'
  | 'script'
  | 'media'
  | 'document'
  | 'feed'
  | 'text'
  | 'data'
  | 'other'

/** What is a feed and nothing else: RSS 2.0, Atom (RFC 4287 §7), JSON Feed. RSS 1.0 has the type of any RDF, which is data. */
export const FEED_TYPES: readonly string[] = [
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'text/rss+xml',
]

/**
 * Whether a page that names another form of itself (`rel=alternate`) by this type and at this address names a feed. RSS 1.0 is RDF, JSON
 * Feed 1 was plain JSON, and many say no more than XML: these count where the address says the rest, as they are met as much else.
 */
export function isFeedLink(essence: string, href: string): boolean {
  if (FEED_TYPES.includes(essence) || essence === 'application/rdf+xml') return true
  return VAGUE_FEED_TYPES.has(essence) && FEED_WORD.test(href.slice(0, MAX_HREF))
}

const VAGUE_FEED_TYPES: ReadonlySet<string> = new Set(['application/xml', 'text/xml', 'application/json'])
const FEED_WORD = /(?:^|[^a-z])(?:feeds?|rss2?|atom)(?:[^a-z]|$)/i
const MAX_HREF = 500

// oxfmt-ignore
const byType: ReadonlyMap<string, MediaKind> = table([
  ['page', 'text/html application/xhtml+xml application/vnd.wap.xhtml+xml multipart/related'],
  ['style', 'text/css'],
  ['script', 'text/javascript application/javascript application/x-javascript application/ecmascript text/ecmascript ' +
    'application/wasm'],
  ['feed', FEED_TYPES.join(' ')],
  ['document', 'application/pdf application/postscript application/epub+zip application/rtf text/rtf application/msword ' +
    'application/vnd.ms-excel application/vnd.ms-powerpoint application/x-dvi image/vnd.djvu'],
  ['data', 'application/json application/xml text/xml text/csv text/tab-separated-values application/yaml text/yaml ' +
    'application/x-ndjson application/jsonl application/sql'],
  ['media', 'application/ogg application/vnd.apple.mpegurl application/x-mpegurl application/dash+xml'],
  ['text', 'text/plain text/markdown application/x-tex application/x-sh'],
])

/** Families of types, asked when the type itself is in no list. */
const byFamily: readonly (readonly [pattern: RegExp, kind: MediaKind])[] = [
  [/^image\//, 'image'],
  [/^(?:audio|video)\//, 'media'],
  [/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./, 'document'],
  [/^application\/[\w.-]+\+(?:json|xml|yaml)$/, 'data'],
  [/^text\//, 'text'],
]

// oxfmt-ignore
const byEnding: ReadonlyMap<string, MediaKind> = table([
  ['page', 'html htm xhtml xht shtml mhtml php php3 php5 phtml asp aspx jsp jspx cfm cgi do'],
  ['image', 'png jpg jpeg jpe gif webp avif svg svgz ico bmp tif tiff heic heif jxl apng'],
  ['style', 'css'],
  ['script', 'js mjs cjs wasm'],
  ['media', 'mp3 mp4 m4a m4v webm ogg ogv oga opus wav flac aac avi mov mkv wmv flv mpg mpeg m3u8 mpd swf'],
  ['document', 'pdf ps eps epub mobi djvu doc docx docm xls xlsx ppt pptx odt ods odp rtf dvi'],
  ['feed', 'rss atom'],
  ['text', 'txt md markdown tex log'],
  ['data', 'json jsonl ndjson xml csv tsv yaml yml rdf ttl nt sql geojson kml'],
  ['other', 'zip gz tgz bz2 xz zst 7z rar tar jar war deb rpm apk dmg iso img exe msi bin dll so woff woff2 ttf otf eot ' +
    'torrent sig asc sha256 md5'],
])

/**
 * What an answer is. The server's word counts when it says anything: only the empty and the all-purpose types leave
 * it to the URL. An answer without either is taken for a page, as the first servers sent no type at all.
 */
export function mediaKindOf(contentType: string | undefined, url?: string): MediaKind {
  const type = essenceOf(contentType)
  if (type === '') return (url === undefined ? undefined : likelyKindOf(url)) ?? 'page'
  if (vague.has(type)) return (url === undefined ? undefined : likelyKindOf(url)) ?? 'other'
  return byType.get(type) ?? byFamily.find(([pattern]) => pattern.test(type))?.[1] ?? 'other'
}

/** What a URL's path ends like; undefined when that says nothing. A folder, `/` at the end, is a page. */
export function likelyKindOf(url: string): MediaKind | undefined {
  const end = pathEnd(url)
  const slash = url.lastIndexOf('/', end - 1)
  // Nothing behind the last slash, or a slash that belongs to `://`: a folder.
  if (slash === end - 1 || end === 0 || (slash > 0 && url.charCodeAt(slash - 1) === SLASH)) return 'page'
  const dot = url.lastIndexOf('.', end - 1)
  // No ending we know is longer, and so no stranger's string is lower-cased whole.
  if (dot <= slash || end - dot > 12) return undefined
  // The links of a page end alike.
  if (end - dot - 1 !== last.ending.length || !url.startsWith(last.ending, dot + 1)) {
    const ending = url.slice(dot + 1, end)
    last = { ending, kind: byEnding.get(ending) ?? byEnding.get(ending.toLowerCase()) }
  }
  return last.kind
}

let last: { readonly ending: string; readonly kind: MediaKind | undefined } = { ending: '', kind: undefined }

const vague: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  '*/*',
])

/** `Text/HTML; charset=x` without its parameters, in lower case (RFC 9110 §8.3.1). */
export function essenceOf(contentType: string | undefined): string {
  const [essence = ''] = (contentType ?? '').slice(0, 200).split(';', 1)
  return essence.trim().toLowerCase()
}

const SLASH = 0x2f

/** Where a URL's path ends, without making a URL of it: this is asked of every link. */
function pathEnd(url: string): number {
  const query = url.indexOf('?')
  const hash = url.indexOf('#')
  if (query < 0) return hash < 0 ? url.length : hash
  return hash < 0 ? query : Math.min(query, hash)
}

function table(rows: readonly (readonly [kind: MediaKind, names: string])[]): ReadonlyMap<string, MediaKind> {
  return new Map(rows.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)))
}

/** No page, but its bytes are characters that somebody can read. */
export const isReadAsText = (kind: MediaKind, contentType: string | undefined): boolean =>
  (kind === 'text' || kind === 'data' || kind === 'feed') && !/wasm/i.test(contentType ?? '')
