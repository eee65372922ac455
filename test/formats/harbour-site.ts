/**
 * The site that the kept collection was crawled from, at the same address each time: what is kept names it. It has a page
 * for each way a visit can end that costs no waiting, and shows another time's news when `later` says so.
 */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { smallPdf } from '../search/small-pdf.ts'
import { createSmallSite } from '../sites/small-site.ts'
import type { Answer, Route, SmallSite } from '../sites/small-site.ts'

const ADDRESS = '127.0.80.1'

/** Of the kept collection. */
export const HARBOUR_PORT = 8_781
export const HARBOUR: string = `http://${ADDRESS}:${HARBOUR_PORT}`

const FOG =
  'Fog lies over the harbour on most mornings of spring. The pilots wait for the bell of the outer buoy before they ' +
  'leave, and the fishing boats stay at the quay until the lighthouse can be seen from the office of the master. '

const html = (title: string, text: string, lang = 'en'): string =>
  `<!doctype html><html lang=${lang}><title>${title}</title><h1>${title}</h1><p>${text}</p><a href="/">The harbour</a>`

const moved = (status: number, location: string): Answer => ({ status, headers: { location } })

/** Answers 304 to who has it. */
const unchanging =
  (etag: string, body: string): Route =>
  ({ headers }) =>
    headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : { headers: { etag }, body }

const LINKS = [
  '/ice',
  '/ice-copy',
  '/fog',
  '/fog-again',
  '/news',
  '/deutsch',
  '/packed',
  '/tides.pdf',
  '/notes.txt',
  '/quiet',
  '/moved',
  '/moved-twice',
  '/circle',
  '/lost',
  '/gone',
  '/broken',
  '/private/plan',
  'mailto:master@harbour.example',
]

const ICE = html('Ice in the basin', 'The basin froze in the winter of 1963, and people walked to the island.')

/** At each time. */
export const NEWS: readonly string[] = [
  html('News of the harbour', 'All buoys are well.'),
  html('News of the harbour', 'A buoy was stolen in the night.'),
  '<title>News</title><p>The buoy was found again.',
]

/** Larger than what stands beside others in an inbox. */
export const LOGBOOK: string = `<title>Log</title><p>${'Wind and water as the keeper of the logbook saw them. '.repeat(6_000)}`

function routesOf(later: () => number): Record<string, Route> {
  const links = LINKS.map((href) => `<a href="${href}">about ${href.replaceAll(/\W+/g, ' ').trim()}</a>`).join('\n')
  return {
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n',
    },
    '/sitemap.xml': {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/listed</loc></url></urlset>`,
    },
    '/': unchanging('"home"', html('The harbour', `All that is known of it. ${links}`)),
    '/listed': html('Listed', 'No link leads here, only the sitemap.'),
    '/ice': () => (later() < 2 ? ICE : html('Ice in the basin', 'The basin is free of ice, and the ferries sail.')),
    '/ice-copy': ICE,
    '/fog': unchanging('"fog"', html('Fog', FOG.repeat(6))),
    '/fog-again': html('Fog', `${FOG.repeat(6)}Yesterday too.`),
    '/news': () => NEWS[later()] ?? '',
    '/logbook': () => (later() < 2 ? { status: 404, body: 'not yet' } : LOGBOOK),
    '/deutsch': html('Der Hafen', 'Im Hafen liegen viele Schiffe, und die Möwen schreien über dem Wasser.', 'de'),
    '/packed': {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(html('Packed', 'This page came in a small parcel.')),
    },
    '/tides.pdf': {
      headers: { 'content-type': 'application/pdf' },
      body: smallPdf('Tables of tides', ['High water at noon', 'Low water at dusk']),
    },
    '/notes.txt': { headers: { 'content-type': 'text/plain' }, body: 'Notes of a lighthouse keeper' },
    '/quiet': '<html lang=en><meta name=robots content=noindex><title>Quiet</title><p>Not to be found, wallflower.',
    '/moved': moved(301, '/fog'),
    '/moved-twice': moved(302, '/moved'),
    '/circle': moved(302, '/circle'),
    '/gone': { status: 410, body: 'gone' },
    '/broken': { status: 500, body: 'broken' },
    '/private/plan': html('A plan', 'Nobody may see this.'),
  }
}

export const UNIVERSITY_HOST: string = `127.0.80.2:${HARBOUR_PORT}`

/** A page that people read where a gateway is. */
export const lecture = (text: string): string =>
  `<!doctype html><html lang=en><title>${text}</title><p>${text} of the university.`

/** Where the gateway's pages are, should somebody want to see for themselves. */
export async function openUniversity(): Promise<SmallSite> {
  const pages = ['Lecture', 'Login', 'Library', 'Observatory', 'Archive']
  const routes = Object.fromEntries(pages.map((text) => [`/${text.toLowerCase()}`, lecture(text)]))
  await isFree('127.0.80.2', HARBOUR_PORT)
  return await createSmallSite(routes, '127.0.80.2', HARBOUR_PORT)
}

/** `later`: 0 at the first crawl, 1 when it was kept, 2 afterwards. */
export async function openHarbour(later: () => number, port: number = HARBOUR_PORT): Promise<SmallSite> {
  await isFree(ADDRESS, port)
  return await createSmallSite(routesOf(later), ADDRESS, port)
}

/** Another run of the tests on this machine may be at the same place: it will be over soon. */
export async function isFree(address: string, port: number): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const probe = createServer()
    const isTaken = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(true))
      probe.listen(port, address, () => resolve(false))
    })
    if (!isTaken) return await new Promise((resolve) => void probe.close(() => resolve()))
    await sleep(200)
  }
  throw new Error(`${address}:${port} is taken`)
}
