/**
 * A cooperating site in this process: its pages with validators, and the documents that `@comity/site` publishes of them, on
 * counted lines. Its clock is a number, so that what it sends is the same, byte for byte, in every run.
 *
 * Three endpoints to one journal, as one address can have but one robots.rdf: in parts, in one file, and as 002 prints it.
 */
import { hash } from 'node:crypto'
import { ROBOTS_RDF, ROBOTS_RDF_TYPE } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { createSite, MemoryJournal, pageEtag } from '@comity/site'
import type { Observation, SiteScheme, Site, SiteAnswer, SiteRequest } from '@comity/site'
import { CountedLine } from '../../cooperating/counted-line.ts'
import { NOT_FOUND, plainAnswer } from '../../cooperating/plain-page.ts'
import { SITE_BEGINS } from '../../webs/made-site.ts'
import type { SitePages } from '../../webs/made-site.ts'
import { paperRobotsRdf } from './rdf.ts'

/** `parts` offers everything, `whole` and `paper` nothing but their robots.rdf. */
export type Endpoint = 'parts' | 'whole' | 'paper'

export interface CooperatingSite {
  readonly base: string
  readonly now: () => Instant
  /** Of a crawler that says this of itself with every request. */
  line(door: Endpoint, agent: HeaderList): CountedLine
  /** A day later these pages, by their place in the list, have changed. */
  change(pages: Iterable<number>): Promise<void>
}

const OFFERED: readonly SiteScheme[] = [
  'robots',
  'sitemap',
  'archives',
  'robots-rdf',
  'resourcesync',
  'catalog',
  'changes',
]
const DAY_MS = 86_400_000
const PAGE_TYPE = 'text/html; charset=utf-8'

export async function openCooperatingSite({ base, pages }: SitePages): Promise<CooperatingSite> {
  const { origin, host } = new URL(base)
  // After the last change of any page, whatever year it is there.
  let now: Instant = pages.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), SITE_BEGINS)
  const journal = new MemoryJournal({ id: 'cooperation', limits: { changes: 10_000_000, changeBytes: 2 ** 40 } })
  const versions = new Uint32Array(pages.length)
  const stateOf = (index: number): Observation => {
    const { url, bytes, modifiedAt } = pages[index]!
    const version = versions[index]!
    const digest = `sha-256:${hash('sha256', `${url} ${version}`)}`
    return {
      path: url.slice(origin.length),
      modifiedAt: version === 0 ? modifiedAt : now,
      digest,
      bytes,
      type: 'text/html',
    }
  }
  await journal.record(
    pages.map((_, index) => stateOf(index)),
    now,
  )
  now += DAY_MS
  const options = { journal, base, now: () => now, read: async () => undefined }
  const site = createSite({ ...options, schemes: OFFERED })
  const whole = createSite({
    ...options,
    schemes: ['robots-rdf'],
    robotsRdf: { firstPages: Infinity },
    limits: { cacheBytes: 2 ** 29 },
  })
  const doors: Readonly<Record<Endpoint, Answering>> = {
    parts: site,
    whole,
    paper: paperSite(journal, base, () => now),
  }
  return {
    base,
    now: () => now,
    line: (door, agent) =>
      new CountedLine(
        host,
        async (request) => (await answered(doors[door], journal, request, now)) ?? NOT_FOUND,
        agent,
      ),
    async change(changed) {
      now += DAY_MS
      const seen = [...changed].map((index) => {
        versions[index]! += 1
        return stateOf(index)
      })
      await journal.record(seen, now)
      // A site dates its documents to the end of the second, and robots.rdf is made anew after a minute at the earliest.
      now += 3_600_000
    },
  }
}

/** Only what answers need. */
type Answering = Pick<Site, 'answer'>

/** robots.rdf as it is printed, a file as any other. */
function paperSite(journal: MemoryJournal, base: string, now: () => Instant): Answering {
  const { origin, pathname } = new URL(base)
  let made: { readonly number: number; readonly body: Buffer; readonly at: Instant } | undefined
  return {
    answer: async (request) => {
      if (request.path !== `${pathname}${ROBOTS_RDF}`) return undefined
      if (made?.number !== journal.last) {
        const entries = Array.from(journal.pages(), (page) => ({ ...page, url: `${origin}${page.path}` }))
        made = { number: journal.last, body: Buffer.from(paperRobotsRdf(entries, base)), at: now() }
      }
      const { body, at } = made
      const etag = `"${hash('sha256', body).slice(0, 32)}"`
      const file = { etag, modifiedAt: at, type: ROBOTS_RDF_TYPE, bytes: body.length, body: () => body }
      return plainAnswer(file, request, now(), false)
    },
  }
}

async function answered(
  site: Answering,
  journal: MemoryJournal,
  request: SiteRequest,
  now: Instant,
): Promise<SiteAnswer | undefined> {
  const page = journal.page(request.path)
  if (page === undefined) return await site.answer(request)
  const { modifiedAt, bytes } = page
  const facts = { etag: pageEtag(page), modifiedAt, type: PAGE_TYPE, bytes, body: () => Buffer.alloc(bytes, 'x') }
  return plainAnswer(facts, request, now, false)
}
