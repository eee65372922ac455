/** Media types by file ending, as nginx and Apache would send them. What is not here is `application/octet-stream`. */

// oxfmt-ignore
const byEnding: ReadonlyMap<string, string> = new Map(([
  ['text/html', 'html htm shtml'],
  ['application/xhtml+xml', 'xhtml xht'],
  ['text/plain', 'txt text log asc'],
  ['text/markdown', 'md markdown'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['text/calendar', 'ics'],
  ['text/vtt', 'vtt'],
  ['text/javascript', 'js mjs'],
  ['application/json', 'json map'],
  ['application/ld+json', 'jsonld'],
  ['application/manifest+json', 'webmanifest'],
  ['application/geo+json', 'geojson'],
  ['application/xml', 'xml xsl xsd'],
  ['application/rss+xml', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/rdf+xml', 'rdf'],
  ['text/turtle', 'ttl'],
  ['application/yaml', 'yaml yml'],
  ['application/wasm', 'wasm'],
  ['application/pdf', 'pdf'],
  ['application/postscript', 'ps eps ai'],
  ['application/rtf', 'rtf'],
  ['application/epub+zip', 'epub'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/x-tex', 'tex'],
  ['application/x-dvi', 'dvi'],
  ['image/vnd.djvu', 'djvu djv'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg jpeg jpe'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/svg+xml', 'svg svgz'],
  ['image/x-icon', 'ico'],
  ['image/bmp', 'bmp'],
  ['image/tiff', 'tif tiff'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg oga opus'],
  ['audio/wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/mp4', 'm4a'],
  ['video/mp4', 'mp4 m4v'],
  ['video/webm', 'webm'],
  ['video/ogg', 'ogv'],
  ['video/mpeg', 'mpg mpeg'],
  ['video/quicktime', 'mov'],
  ['video/x-msvideo', 'avi'],
  ['font/woff', 'woff'],
  ['font/woff2', 'woff2'],
  ['font/ttf', 'ttf'],
  ['font/otf', 'otf'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz tgz'],
  ['application/x-bzip2', 'bz2'],
  ['application/x-xz', 'xz'],
  ['application/zstd', 'zst'],
  ['application/x-tar', 'tar'],
  ['application/x-7z-compressed', '7z'],
  ['application/java-archive', 'jar'],
  ['application/warc', 'warc'],
  ['application/wacz', 'wacz'],
  ['application/x-bittorrent', 'torrent'],
  ['application/vnd.debian.binary-package', 'deb'],
  ['application/x-rpm', 'rpm'],
] as const).flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type] as const)))

/** The media type of a file by its name. */
export function mimeTypeOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return (dot < 0 ? undefined : byEnding.get(name.slice(dot + 1).toLowerCase())) ?? 'application/octet-stream'
}

/** The media type that a URL's path ends like, before anybody asked; undefined when its ending says nothing. */
export function typeByEnding(url: string): string | undefined {
  const path = url.slice(0, MAX_URL).split(/[?#]/, 1)[0]!
  const ending = /\.([A-Za-z0-9]{1,11})$/.exec(path.slice(path.lastIndexOf('/')))?.[1]
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase())
}

const MAX_URL = 2_100

/** Is it text, so that it is worth keeping for differences? Pictures and archives hardly share bytes with their successors. */
export function isTextType(type: string): boolean {
  return /^text\/|^application\/(?:json|xml|yaml|xhtml\+xml|x-tex)$|\+(?:xml|json)$/.test(type)
}
