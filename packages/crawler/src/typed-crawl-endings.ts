/**
 * Endings: the media type that a URL's path ends like, before anybody asked. Only endings that say one thing; what may be
 * a program, a page or a file says nothing.
 */

// oxfmt-ignore
const TYPES: ReadonlyMap<string, string> = new Map(([
  ['text/html', 'html htm shtml'],
  ['application/xhtml+xml', 'xhtml xht'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md markdown'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/javascript', 'js mjs'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/rss+xml', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/pdf', 'pdf'],
  ['application/postscript', 'ps eps'],
  ['application/epub+zip', 'epub'],
  ['application/rtf', 'rtf'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
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
  ['audio/ogg', 'oga opus'],
  ['audio/wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/mp4', 'm4a'],
  ['video/mp4', 'mp4 m4v'],
  ['video/webm', 'webm'],
  ['video/ogg', 'ogv'],
  ['video/mpeg', 'mpg mpeg'],
  ['video/quicktime', 'mov'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz tgz'],
  ['font/woff2', 'woff2'],
  ['font/woff', 'woff'],
] as const).flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type] as const)))

/** Undefined when the ending says nothing. */
export function typeByEnding(url: string): string | undefined {
  const path = url.slice(0, 2_100).split(/[?#]/, 1)[0]!
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(path.slice(path.lastIndexOf('/')))?.[1]
  return ending === undefined ? undefined : TYPES.get(ending.toLowerCase())
}
