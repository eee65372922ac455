/** A crawler and a site that help each other: what changed is told, and only that is fetched; and it is right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Collection, storedContent } from '@comity/collection'
import type { CaptureRow } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { WatchOptions } from '@comity/crawler'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite } from './cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { page } from './small-site.ts'

const words = 'words that every page of this site has in common, as sites do, '.repeat(40)
const article = (n: number, version = 1): string => `${page(`Article ${n}`, '/')}<p>${words}<p>version ${version}`
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/a${n}`)

function pagesOf(count: number): Record<string, string> {
  const entries = paths(count).map((path, n) => [path, article(n)] as const)
  return { '/': page('Home', ...paths(count)), ...Object.fromEntries(entries) }
}

interface HeldPage {
  readonly text: string | undefined
  readonly outcome: string
  readonly captures: readonly CaptureRow[]
}

/** Every page by its path. */
async function holdings(into: string): Promise<Map<string, HeldPage>> {
  await using collection = Collection.openReadOnly(into)
  const held = new Map<string, HeldPage>()
  for (const { key, value } of collection.pages()) {
    const content = value.body === undefined ? undefined : storedContent(collection, value.body)
    const text = content?.kind === 'ok' ? Buffer.from(content.bytes).toString() : undefined
    const captures = [...collection.captures(key)].map((capture) => capture.value)
    held.set(new URL(collection.url(key)!).pathname, { text, outcome: value.outcome, captures })
  }
  return held
}

/** Keeps fresh until `isEnough`, looked at as the run goes on. */
async function watch(
  into: string,
  isEnough: () => boolean | Promise<boolean>,
  options: Partial<WatchOptions> = {},
): Promise<void> {
  const settings = { requestsPerSecond: 50, dayMs: 4_000, explore: 0.2, minPollMs: 150 }
  const stop = new AbortController()
  const late = AbortSignal.timeout(60_000)
  const run = quickCrawl(into, [], { watch: watchOptions({ ...settings, ...options }) }, stop.signal)
  try {
    while (!late.aborted && !(await isEnough())) await setTimeout(50)
  } finally {
    stop.abort()
    await run
  }
  assert.ok(!late.aborted, 'a minute was not enough')
}

/** The site has said what it offers and what changed until now. */
async function acquainted(site: CooperatingSite, into: string): Promise<void> {
  await watch(into, () => site.asked.filter(({ path }) => path.endsWith('/changes')).length >= 2)
}

test('a change is told, and comes as a difference, with a handful of requests', async () => {
  await using site = await createCooperatingSite(pagesOf(60))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/a7', article(7, 2))
  const from = site.asked.length
  // At two requests a second, asking for all sixty pages would take half a minute.
  await watch(into, async () => (await holdings(into)).get('/a7')?.text === article(7, 2), { requestsPerSecond: 2 })
  const [first] = (await holdings(into))
    .get('/a7')!
    .captures.filter(({ outcome }) => outcome === 'ok')
    .slice(1)
  assert.ok(first?.scheme === 'difference' || first?.scheme === 'batch', first?.scheme)
  assert.match(first.why ?? '', /signal/)
  const asked = site.asked.slice(from).map(({ method, path }) => `${method} ${path}`)
  assert.ok(asked.length <= 30, asked.join('\n'))
})

test('many changes come together, and every page is right', async () => {
  await using site = await createCooperatingSite(pagesOf(40))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  const changed = paths(40).slice(5, 35)
  for (const path of changed) await site.set(path, article(Number(path.slice(2)), 2))
  const isRight = async (): Promise<boolean> => {
    const held = await holdings(into)
    return changed.every((path) => held.get(path)?.text === article(Number(path.slice(2)), 2))
  }
  const from = site.asked.length
  await watch(into, isRight, { explore: 0 })
  const held = await holdings(into)
  const schemes = changed.map((path) => held.get(path)!.captures.findLast(({ outcome }) => outcome === 'ok')!.scheme)
  assert.ok(schemes.filter((scheme) => scheme === 'batch').length >= 15, schemes.join(' '))
  assert.ok(site.asked.length - from < 40, `${site.asked.length - from} requests for thirty pages`)
})

test('a page that nothing links to is found by the list, and one that is gone is known to be', async () => {
  await using site = await createCooperatingSite(pagesOf(5))
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { sitemaps: false })
  await acquainted(site, into)
  await site.set('/behind-a-form', article(99))
  await site.set('/a3', undefined)
  await watch(into, async () => {
    const held = await holdings(into)
    return held.get('/behind-a-form')?.text === article(99) && held.get('/a3')?.outcome === 'client-error'
  })
})

test('what robots.txt forbids is neither told nor delivered', async () => {
  const pages = { ...pagesOf(3), '/private/salaries': article(1) }
  await using site = await createCooperatingSite(pages, { robots: 'User-agent: *\nDisallow: /private/\n' })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  await acquainted(site, into)
  assert.ok(!site.asked.some(({ path }) => path.startsWith('/private')))
  assert.ok(!(await holdings(into)).has('/private/salaries'))
})
