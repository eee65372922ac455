/** Hostile documents: well-sent bodies that are hard on whoever reads them. */
import { page } from './case.ts'
import type { HostileCase, HostileVisit, VisitOutcome } from './case.ts'
import { closing, fineHtml, headOf, htmlType, respond } from '../raw-response.ts'

/** Large pages may also meet the crawler's cap on a body. */
const large: readonly [VisitOutcome, ...VisitOutcome[]] = ['ok', 'too-large']

/** `pieces` pieces between a head and a foot, never all in memory; the end of the connection ends the body. */
async function streamed(
  visit: HostileVisit,
  open: string,
  piece: (n: number) => string,
  pieces: number,
  close: string,
): Promise<void> {
  await visit.send(headOf('200 OK', [htmlType, closing]) + open)
  const batch = 2_000
  for (let from = 0; from < pieces; from += batch) {
    const count = Math.min(batch, pieces - from)
    if (!(await visit.send(Array.from({ length: count }, (_, n) => piece(from + n)).join('')))) return
  }
  await visit.send(close)
}

const typed =
  (type: string, body: string | Uint8Array) =>
  (visit: HostileVisit): Promise<void> =>
    respond(visit, '200 OK', body, [['Content-Type', type]])
const html = (markup: string): string => fineHtml('A strange page', markup)
const linked = html('<a href="/found">found</a>')

export const documentCases: readonly HostileCase[] = [
  page('ten-megabyte-title', 'sends a title of ten megabytes', large, (visit) =>
    streamed(visit, '<title>', () => 'long '.repeat(100), 20_000, '</title><p>hello'),
  ),
  page('million-links', 'links to a million pages', large, (visit) =>
    streamed(visit, '<title>links</title>', (n) => `<a href="${n}">${n}</a>\n`, 1_000_000, ''),
  ),
  page('million-same-links', 'links a million times to one page', large, (visit) =>
    streamed(visit, '<title>links</title>', () => '<a href="x">x</a>', 1_000_000, ''),
  ),
  page('huge-attribute', 'sends one attribute of five megabytes', large, (visit) =>
    streamed(
      visit,
      '<title>a</title><p title="',
      () => 'x'.repeat(500),
      10_000,
      '">hello</p><a href="/found">found</a>',
    ),
  ),
  page('huge-href', 'links to a URL of five megabytes', large, (visit) =>
    streamed(visit, '<title>a</title><a href="/', () => 'x'.repeat(500), 10_000, '">hello</a>'),
  ),
  page('million-attributes', 'gives one element a million attributes', large, (visit) =>
    streamed(visit, '<title>a</title><p ', (n) => `a${n}=1 `, 1_000_000, '>hello'),
  ),
  page('deep-nesting', 'nests a million elements', large, (visit) =>
    streamed(visit, '<title>deep</title>', () => '<div>', 1_000_000, '<a href="/found">found</a>'),
  ),
  page('million-end-tags', 'closes a million elements that were never open', large, (visit) =>
    streamed(visit, '<title>shut</title><p>', () => '</b></i>', 500_000, ''),
  ),
  page('million-entities', 'writes its text in a million character references', large, (visit) =>
    streamed(visit, '<title>&amp;</title><p>', () => '&CounterClockwiseContourIntegral;', 300_000, ''),
  ),
  page(
    'unclosed-comment',
    'opens a comment and never closes it',
    'ok',
    typed('text/html', `${linked}<!-- ${'a > b '.repeat(50_000)}`),
  ),
  page(
    'unclosed-tag',
    'opens a tag and never closes it',
    'ok',
    typed('text/html', `${linked}<a href="${'<a '.repeat(100_000)}`),
  ),
  page(
    'unclosed-script',
    'opens a script and never closes it',
    'ok',
    typed('text/html', `${linked}<script>${'</scrip '.repeat(50_000)}`),
  ),
  page('nul-bytes', 'strews NUL bytes over its page', 'ok', typed('text/html', linked.replaceAll('a', 'a\0'))),
  page(
    'noise-as-html',
    'calls noise HTML',
    'not-text',
    typed(
      'text/html',
      Uint8Array.from({ length: 50_000 }, (_, n) => (n * 197 + (n >> 5) * 31) & 255),
    ),
  ),
  page(
    'hostile-base',
    'moves its links away with a base element',
    'ok',
    typed(
      'text/html',
      '<base href="javascript:alert(1)//"><base href="http://10.0.0.1/"><title>b</title><a href="x">x</a>',
    ),
  ),
  page(
    'strange-schemes',
    'links to every scheme but http',
    'ok',
    typed(
      'text/html',
      html(
        [
          'javascript:void(0)',
          'data:,x',
          'file:///etc/passwd',
          'about:blank',
          'tel:1',
          'ht!tp://x',
          'http://',
          '//',
          'http://[',
          '\u202ehttp://x',
        ]
          .map((url) => `<a href="${url}">x</a>`)
          .join(''),
      ),
    ),
  ),
  page(
    'refresh-storm',
    'refreshes itself at once, ten thousand times over',
    'ok',
    typed('text/html', `<title>r</title>${'<meta http-equiv="refresh" content="0; url=again">'.repeat(10_000)}`),
  ),
  page(
    'conflicting-robots-meta',
    'allows and forbids its own indexing',
    'ok',
    typed(
      'text/html',
      '<meta name="robots" content="index, follow"><meta name="robots" content="noindex, nofollow, none"><title>c</title><a href="/found">x</a>',
    ),
  ),
  page(
    'wrong-charset',
    'calls Latin-1 bytes UTF-8',
    'ok',
    typed('text/html; charset=utf-8', Buffer.from(html('<p>caf\xe9 cr\xe8me</p>'), 'latin1')),
  ),
  page('unknown-charset', 'names a charset that does not exist', 'ok', typed('text/html; charset=klingon-8', linked)),
  page(
    'conflicting-charsets',
    'names one charset in its header and another in its page',
    'ok',
    typed('text/html; charset=iso-8859-1', linked),
  ),
  page(
    'utf-16-without-bom',
    'sends UTF-16 without a byte order mark',
    'ok',
    typed('text/html; charset=utf-16le', Buffer.from(linked, 'utf16le')),
  ),
  page(
    'utf-16-unlabelled',
    'sends UTF-16 and does not say so',
    'ok',
    typed('text/html', Buffer.from(linked, 'utf16le')),
  ),
  page(
    'utf-7',
    'hides markup in UTF-7',
    'ok',
    typed('text/html; charset=utf-7', '<title>+ADw-b+AD4-</title>+ADw-a href=+ACI-/hidden+ACI-+AD4-'),
  ),
  page('html-as-image', 'calls a page an image', 'skipped-type', typed('image/png', linked)),
  page('no-content-type', 'does not say what it sends', 'ok', (visit) => respond(visit, '200 OK', linked, [])),
  page('broken-content-type', 'says something unreadable about what it sends', 'ok', typed(';;; charset="', linked)),
  page('empty-page', 'sends nothing at all, and says so', 'ok', typed('text/html', '')),
  page(
    'xml-entity-bomb',
    'sends XML whose entities multiply to a billion',
    'skipped-type',
    typed('application/xml', entityBomb()),
  ),
]

/** The billion laughs: ten levels of ten. */
function entityBomb(): string {
  const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${levels.join('')}]><x>&l9;</x>`
}
