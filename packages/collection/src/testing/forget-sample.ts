/** A collection with something to forget in it, for the tests of forgetting, and a process of them to kill. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Collection } from '../collection.ts'
import { forgetPages } from '../forget/forget.ts'
import { SampleCrawl } from './sample-crawl.ts'
import { FACTS } from '../rows/facts.ts'

export const AT: number = Date.UTC(2026, 10, 14)
export const SHARED = '<p>the same words at three addresses, long enough to be a page of its own</p>'
const [A, B] = ['https://a.example', 'https://b.example']

export const HOME = 0
export const JOHN = 1
export const COPY = 2
export const MOVED = 3
export const ORIGINAL = 4
export const MIRROR = 5
export const MIRROR2 = 6
export const OTHER_SITE = 7
export const OTHER_PAGE = 8
export const PATHS: readonly string[] = [
  '/',
  '/secret/john-doe',
  '/copy',
  '/moved',
  '/secret/original',
  '/mirror/1',
  '/mirror/2',
  '/other-home',
  '/other-page',
]
export const GONE: readonly number[] = [JOHN, ORIGINAL]
/** What nobody may find anywhere when `GONE` are forgotten. */
export const NEEDLES: readonly string[] = [
  '/secret/john-doe',
  'John Doe, confidential',
  'what john said in private',
  'what john said later',
  'more about John',
  '/secret/original',
  'The original title',
]
const bodies = [
  `<p>home ${'of everything '.repeat(40)}</p>`,
  '<p>what john said in private</p>',
  `<p>a page of its own ${'with words '.repeat(60)}</p>`,
  '<p>moved</p>',
  SHARED,
  SHARED,
  SHARED,
  `<p>another site ${'with more words '.repeat(30)}</p>`,
  SHARED,
]
export const bodyOf = (page: number): string => bodies[page] ?? ''

/** Small WARC files, so that there are several and records refer across them. */
export async function makeSample(dir: string): Promise<void> {
  await using collection = await Collection.open(dir, AT, { maxWarcBytes: 1_500, minFreeBytes: 0 })
  const crawl = new SampleCrawl(collection, [A, B])
  for (const [page, path] of PATHS.entries())
    crawl.offer(path, page >= OTHER_SITE ? 1 : 0, page === HOME ? undefined : HOME)
  const url = crawl.urlOf(JOHN)
  const extras = [{}, {}, {}, { redirectTo: url, canonical: url, nearDuplicateOf: JOHN }]
  const links = [JOHN, COPY, ORIGINAL].map((to) => ({ to, anchor: to === JOHN ? 'more about John' : `page ${to}` }))
  for (const page of PATHS.keys()) {
    const title = page === JOHN ? 'John Doe, confidential' : page === ORIGINAL ? 'The original title' : `Page ${page}`
    const from = page === HOME ? links : [{ to: HOME, anchor: 'home' }]
    crawl.visit({ page, at: AT + page, body: bodyOf(page), title, links: from, extra: extras[page] ?? {} })
    await crawl.commit()
  }
  crawl.visit({ page: JOHN, at: AT + 100, body: '<p>what john said later</p>', title: 'John Doe, confidential' })
  crawl.visit({ page: COPY, at: AT + 101, body: bodyOf(COPY), title: 'Page 2' })
  collection.putFact(FACTS.seeds, [crawl.urlOf(HOME), url, 'https://b.example/other-home'])
  collection.putFact(FACTS.moved, [url, crawl.urlOf(COPY)])
  const robots = { fetchedAt: AT, expiresAt: AT, status: 200, verdict: 'rules' as const }
  for (const page of PATHS.keys()) collection.putFreshness(page, Buffer.of(page))
  for (const site of [0, 1]) collection.putCooperation(site, { site })
  collection.putRobots(0, { ...robots, body: Buffer.from('User-agent: *') })
  collection.putRobots(1, { ...robots, body: Buffer.from('Disallow: /other-admin') })
  await crawl.commit()
}

/** Files of the folder in which these words stand, WARC files unpacked. */
export function filesWith(dir: string, words: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return bytes.includes(words) || (path.endsWith('.gz') && gunzipSync(bytes).includes(words))
    })
}

/** Forget, and die before the given step. */
async function forgetAndDie(dir: string, step: number): Promise<void> {
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  let steps = 0
  const onStep = (): void => {
    if (steps++ === step) process.kill(process.pid, 'SIGKILL')
  }
  await forgetPages(collection, GONE, AT + 1_000, { onStep })
}

if (import.meta.main) await forgetAndDie(process.argv[2] ?? '', Number(process.argv[3]))
