/** Hostile robots: what a site can do to those who ask for its rules first (RFC 9309 §2.3.1), and to sitemap readers. */
import { gzipBomb } from './compression-bomb.ts'
import { outcomesOf } from './case.ts'
import type { HostileCase, Serve, VisitOutcome } from './case.ts'
import { closing, drip, finePage, fineHtml, headOf, htmlType, respond, sendForEver } from '../raw-response.ts'

const plain: readonly [string, string] = ['Content-Type', 'text/plain']
const text =
  (body: string | Uint8Array): Serve =>
  (visit) =>
    respond(visit, '200 OK', body, [plain])
const status =
  (line: string): Serve =>
  (visit) =>
    respond(visit, line, 'no rules\n')
const xml =
  (body: string): Serve =>
  (visit) =>
    respond(visit, '200 OK', body, [['Content-Type', 'application/xml']])

type Expect = VisitOutcome | readonly [VisitOutcome, ...VisitOutcome[]]

export const robotsCases: readonly HostileCase[] = [
  robots('robots-forbids-all', 'forbids everything', 'robots-disallowed', text('User-agent: *\nDisallow: /\n')),
  robots('robots-missing', 'has no robots.txt', 'ok', status('404 Not Found')),
  robots('robots-forbidden', 'answers 403 for robots.txt, which opens the site', 'ok', status('403 Forbidden')),
  robots(
    'robots-500',
    'answers 500 for robots.txt, which closes the site',
    'robots-unreachable',
    status('500 Internal Server Error'),
  ),
  robots('robots-503', 'answers 503 for robots.txt', 'robots-unreachable', status('503 Service Unavailable')),
  // A 4xx, but one that says "too fast": Google and others stay away, as from 5xx.
  robots('robots-429', 'answers 429 for robots.txt', 'robots-unreachable', status('429 Too Many Requests')),
  robots('robots-hangs', 'never answers for robots.txt', 'robots-unreachable', (visit) => visit.hang()),
  robots('robots-drips', 'sends robots.txt one byte at a time', 'robots-unreachable', async (visit) => {
    await visit.send(headOf('200 OK', [plain, ['Content-Length', '5000']]))
    await drip(visit, '# slowly\n'.repeat(500))
  }),
  robots('robots-resets', 'resets the connection when asked for robots.txt', 'robots-unreachable', (visit) =>
    visit.reset(),
  ),
  robots('robots-cut', 'breaks off in the middle of robots.txt', 'robots-unreachable', async (visit) => {
    await visit.send(`${headOf('200 OK', [plain, ['Content-Length', '5000'], closing])}User-agent: *\nDisallow: /priv`)
  }),
  robots('robots-noise', 'answers noise that is no HTTP for robots.txt', 'robots-unreachable', async (visit) => {
    await visit.send('\x00\x01\x02\x03\xff\xfe noise')
  }),
  robots('robots-redirect-loop', 'redirects robots.txt to itself', 'ok', (visit) =>
    respond(visit, '302 Found', '', [['Location', '/robots.txt']]),
  ),
  robots('robots-to-private', 'redirects robots.txt to a private address', 'robots-unreachable', (visit) =>
    respond(visit, '302 Found', '', [['Location', 'http://10.0.0.1/robots.txt']]),
  ),
  robots('robots-ten-megabytes', 'has a robots.txt of ten megabytes', 'ok', (visit) =>
    text('Allow: /some/long/path/that/goes/on\n'.repeat(280_000))(visit),
  ),
  // §2.5: at least 500 KiB must be read; what stands after that may count or not.
  robots('robots-late-rule', 'forbids everything behind a megabyte of comments', 'ok', (visit) =>
    text(`${'# nothing to see\n'.repeat(60_000)}User-agent: *\nDisallow: /\n`)(visit),
  ),
  robots('robots-endless', 'sends a robots.txt without end', 'ok', async (visit) => {
    await visit.send(headOf('200 OK', [plain, closing]))
    await sendForEver(visit, '# and so on\n'.repeat(4_000))
  }),
  robots('robots-one-line', 'has a robots.txt of one line of two megabytes', 'ok', (visit) =>
    text(`Disallow: /${'x'.repeat(2_000_000)}`)(visit),
  ),
  robots('robots-bomb', 'packs a gibibyte of zeros into robots.txt', 'robots-unreachable', (visit) =>
    respond(visit, '200 OK', gzipBomb(), [plain, ['Content-Encoding', 'gzip']]),
  ),
  robots(
    'robots-binary',
    'has binary rubbish for a robots.txt',
    'ok',
    text(Uint8Array.from({ length: 20_000 }, (_, n) => (n * 89) & 255)),
  ),
  robots('robots-html', 'answers with a page for robots.txt', 'ok', (visit) =>
    respond(visit, '200 OK', fineHtml('Not rules')),
  ),
  robots(
    'robots-utf-16',
    'writes its rules in UTF-16',
    'robots-disallowed',
    text(Buffer.from('\ufeffUser-agent: *\nDisallow: /\n', 'utf16le')),
  ),
  robots(
    'robots-bom',
    'puts a byte order mark before its rules',
    'robots-disallowed',
    text('\ufeffUser-agent: *\nDisallow: /\n'),
  ),
  robots('robots-old-mac', 'ends its lines with CR alone', 'robots-disallowed', text('User-agent: *\rDisallow: /\r')),
  robots(
    'robots-slow-pattern',
    'has rules made of stars that take exponential time to match naively',
    'ok',
    text(`User-agent: *\nDisallow: /${'*a'.repeat(1_000)}b$\n`),
  ),
  robots(
    'robots-forever-delay',
    'asks for a Crawl-delay of a hundred years',
    'rests-too-long',
    text('User-agent: *\nCrawl-delay: 3153600000\n'),
  ),
  robots(
    'robots-negative-delay',
    'asks for a Crawl-delay of minus one',
    'ok',
    text('User-agent: *\nCrawl-delay: -1\nDisallow:\n'),
  ),
  sitemap('sitemap-bomb', 'packs a gibibyte of zeros into its sitemap', 'ok', (visit) =>
    respond(visit, '200 OK', gzipBomb(), [['Content-Type', 'application/gzip']]),
  ),
  sitemap('sitemap-of-itself', 'has a sitemap index that lists itself', 'ok', (visit) =>
    xml(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${visit.origin}/sitemap.xml</loc></sitemap></sitemapindex>`,
    )(visit),
  ),
  sitemap('sitemap-tree', 'has a sitemap index that lists ten more, each of which lists ten more', 'ok', (visit) => {
    const entries = Array.from(
      { length: 10 },
      (_, n) => `<sitemap><loc>${visit.origin}${visit.path.replace('.xml', '')}-${n}.xml</loc></sitemap>`,
    )
    return xml(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`)(
      visit,
    )
  }),
  sitemap(
    'sitemap-entities',
    'has a sitemap whose entities multiply',
    'ok',
    xml(
      `<?xml version="1.0"?><!DOCTYPE u [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><urlset><url><loc>${'&b;'.repeat(1_000)}</loc></url></urlset>`,
    ),
  ),
  sitemap(
    'sitemap-outside-file',
    'has a sitemap that tries to read a file through an entity',
    'ok',
    xml(
      '<?xml version="1.0"?><!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://x/&f;</loc></url></urlset>',
    ),
  ),
  sitemap(
    'sitemap-foreign',
    'has a sitemap full of other people’s pages',
    'ok',
    xml(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: 1_000 }, (_, n) => `<url><loc>http://10.0.0.${n % 250}/</loc></url>`).join('')}</urlset>`,
    ),
  ),
  sitemap('sitemap-html', 'answers with a page for its sitemap', 'ok', (visit) =>
    respond(visit, '200 OK', fineHtml('No sitemap'), [htmlType]),
  ),
]

function robots(name: string, sentence: string, expect: Expect, serve: Serve): HostileCase {
  return {
    name,
    sentence,
    ...outcomesOf(expect),
    place: 'site',
    serve: (visit) => (visit.path === '/robots.txt' ? serve(visit) : finePage(visit)),
  }
}

function sitemap(name: string, sentence: string, expect: Expect, serve: Serve): HostileCase {
  return {
    name,
    sentence,
    ...outcomesOf(expect),
    place: 'site',
    serve: (visit) => {
      if (visit.path === '/robots.txt')
        return text(`User-agent: *\nDisallow:\n\nSitemap: ${visit.origin}/sitemap.xml\n`)(visit)
      return visit.path.startsWith('/sitemap') ? serve(visit) : finePage(visit)
    },
  }
}
