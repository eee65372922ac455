/**
 * A site whose visitors are known, for tests: pages that change at known times, crawlers and people that come at known times,
 * and the log that a server would have written of it, with what each crawler fetched first, changed and for nothing.
 *
 *   Googlebot    every page every day, never conditional
 *   CarefulBot   every page every second day, conditional: 304 where nothing changed
 *   a browser    asks for robots.txt, and then for half of the pages every fifth day
 *   people       pages with their style, from a search engine or from another page
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAccessLogLine } from '@comity/protocol/testing'
import type { Instant, LoggedRequest } from '@comity/protocol'
import { digestOf, FileJournal } from '@comity/site'
import { editedBody, madeBody } from '../webs/made-pages.ts'
import { createRandom, seedOf } from '@comity/testbed'

interface VisitedSitePlan {
  readonly pages: number
  readonly days: number
  readonly seed: number
}

export interface Truth {
  first: number
  changed: number
  needless: number
  notModified: number
  bytes: number
}

interface VisitedSite {
  readonly requests: readonly LoggedRequest[]
  readonly truth: Readonly<Record<string, Truth>>
  /** All changes of all pages within the time of the log. */
  readonly changes: number
  /** Writes the pages as they are at the end, each dated to its last change. */
  writeDocroot(dir: string): void
  /** Writes what `comity publish` would have remembered. */
  writeJournal(dir: string): Promise<void>
}

export const SITE_BEGINS: Instant = Date.UTC(2026, 2, 1)
const DAY_MS = 86_400_000
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** Paths of a document root: `/` is its index.html. */
const pathOf = (page: number): string => (page === 0 ? '/' : `/p${page}.html`)

interface Version {
  readonly at: Instant
  readonly body: Buffer
}

/** Every third page changes, at noon of every sixth day; every sixth page never keeps its length, the others may. */
function versionsOf({ days, seed }: VisitedSitePlan, page: number): readonly Version[] {
  const random = createRandom(seedOf(seed, 'page', page))
  const versions: Version[] = [{ at: SITE_BEGINS - DAY_MS, body: madeBody(3_000 + 200 * page, random, page) }]
  if (page % 3 !== 0) return versions
  for (let day = page % 5; day < days; day += 6) {
    const { body } = versions.at(-1)!
    const edited = editedBody(body, 0.05, 'place', random)
    const longer = Buffer.concat([edited, Buffer.from(`<p>day ${day}</p>\n`)])
    // Half of them are as long as they were: only a date or a journal can tell.
    versions.push({
      at: SITE_BEGINS + day * DAY_MS + DAY_MS / 2,
      body: page % 6 === 0 ? longer : sameLength(body, edited),
    })
  }
  return versions
}

const sameLength = (before: Buffer, after: Buffer): Buffer =>
  Buffer.concat([after.subarray(0, before.length), Buffer.alloc(Math.max(0, before.length - after.length), ' ')])

export function visitedSite(plan: VisitedSitePlan): VisitedSite {
  const versions = Array.from({ length: plan.pages }, (_, page) => versionsOf(plan, page))
  const at = (page: number, when: Instant): Version => versions[page]!.findLast((version) => version.at <= when)!
  const requests: LoggedRequest[] = []
  const truth: Record<string, Truth> = {}
  const log = (when: Instant, target: string, more: Partial<LoggedRequest>): void => {
    requests.push({
      address: '192.0.2.1',
      at: when,
      method: 'GET',
      target,
      protocol: 'HTTP/1.1',
      status: 200,
      bytes: 0,
      ...more,
    })
  }
  const crawl = (
    name: string,
    agent: string,
    address: string,
    everyDays: number,
    pages: readonly number[],
    isConditional: boolean,
  ): void => {
    const held = new Map<number, Version>()
    const sums = (truth[name] = { first: 0, changed: 0, needless: 0, notModified: 0, bytes: 0 })
    for (let day = 0; day < plan.days; day += everyDays) {
      for (const [order, page] of pages.entries()) {
        const when = SITE_BEGINS + day * DAY_MS + order * 20_000
        const [version, before] = [at(page, when), held.get(page)]
        const isSame = before === version
        const status = isSame && isConditional ? 304 : 200
        const bytes = status === 304 ? 0 : version.body.length
        log(when, pathOf(page), { agent, address, status, bytes })
        sums.bytes += bytes
        sums[before === undefined ? 'first' : !isSame ? 'changed' : isConditional ? 'notModified' : 'needless']++
        held.set(page, version)
      }
    }
  }
  const all = versions.map((_, page) => page)
  crawl(
    'Googlebot',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    '66.249.66.1',
    1,
    all,
    false,
  )
  crawl('CarefulBot', 'CarefulBot/1.0 (+https://careful.example/)', '198.51.100.7', 2, all, true)
  log(SITE_BEGINS + 60_000, '/robots.txt', { agent: BROWSER, address: '203.0.113.9', status: 404, bytes: 150 })
  crawl(
    'unnamed, asked for robots.txt',
    BROWSER,
    '203.0.113.9',
    5,
    all.filter((page) => page % 2 === 0),
    false,
  )
  people(plan, log, at)
  const ends = requests.reduce((latest, request) => Math.max(latest, request.at), 0)
  const stories = versions.map((list) => list.slice(1).filter((version) => version.at <= ends))
  return {
    requests: requests.toSorted((a, b) => a.at - b.at),
    truth,
    changes: stories.reduce((sum, { length }) => sum + length, 0),
    writeDocroot: (dir) => writeDocroot(dir, versions),
    writeJournal: async (dir) => await writeJournal(dir, versions),
  }
}

function people(
  { days, pages, seed }: VisitedSitePlan,
  log: (when: Instant, target: string, more: Partial<LoggedRequest>) => void,
  at: (page: number, when: Instant) => Version,
): void {
  const random = createRandom(seedOf(seed, 'people'))
  for (let day = 0; day < days; day++) {
    for (let visit = 0; visit < 10; visit++) {
      const when = SITE_BEGINS + day * DAY_MS + random.int(DAY_MS)
      const page = random.int(pages)
      const address = `192.0.2.${1 + random.int(200)}`
      const referrer = visit % 2 === 0 ? 'https://www.google.com/' : 'https://site.example/'
      log(when, pathOf(page), { agent: BROWSER, address, referrer, bytes: at(page, when).body.length })
      log(when + 1_000, '/site.css', { agent: BROWSER, address, referrer: 'https://site.example/', bytes: 900 })
    }
  }
}

export const logText = ({ requests }: VisitedSite): string =>
  requests.map((request) => `${writeAccessLogLine(request)}\n`).join('')

const fileOf = (page: number): string => (page === 0 ? 'index.html' : pathOf(page).slice(1))

function writeDocroot(dir: string, versions: readonly (readonly Version[])[]): void {
  for (const [page, list] of versions.entries()) {
    const { body, at } = list.at(-1)!
    const path = join(dir, fileOf(page))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, body)
    utimesSync(path, at / 1_000, at / 1_000)
  }
}

async function writeJournal(dir: string, versions: readonly (readonly Version[])[]): Promise<void> {
  await using journal = await FileJournal.open(dir)
  const events = versions.flatMap((list, page) => list.map((version) => ({ page, ...version })))
  for (const { page, at, body } of events.toSorted((a, b) => a.at - b.at)) {
    const facts = { modifiedAt: at, digest: digestOf(body), bytes: body.length, type: 'text/html', body }
    await journal.record([{ path: pathOf(page), ...facts }], at)
  }
}
