/** Sites that call: what they send is in the collection, right, once, and without a request of ours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection, storedContent } from '@comity/collection'
import type { InboxScheme } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { WatchOptions } from '@comity/crawler'
import { WatchDoors } from '@comity/repository'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite } from './cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'

const page = (title: string, ...links: string[]): string =>
  `<title>${title}</title><p>${title} ${'and some text that stays the same '.repeat(40)}${links.map((link) => `<a href="${link}">to ${link}</a>`).join(' ')}`

const OTHERS = Array.from({ length: 60 }, (_, number) => `/other/${number}`)
const SITE: Readonly<Record<string, string>> = {
  '/': page('Home', '/news', ...OTHERS),
  '/news': page('News 1'),
  ...Object.fromEntries(OTHERS.map((path) => [path, page(`Other ${path}`)])),
}

interface Held {
  readonly text: string
  readonly status: number
  readonly captures: readonly { readonly source: string; readonly scheme?: string | undefined }[]
}

async function heldOf(into: string, url: string): Promise<Held | undefined> {
  await using collection = Collection.openReadOnly(into)
  for (const { key, value } of collection.pages()) {
    if (collection.url(key) !== url || value.body === undefined) continue
    const content = storedContent(collection, value.body)
    const captures = [...collection.captures(key)].map(({ value: { source, scheme } }) => ({ source, scheme }))
    return { text: content.kind === 'ok' ? Buffer.from(content.bytes).toString() : '', status: value.status, captures }
  }
  return undefined
}

/** A watch that hears; it runs until the test has seen what it wanted. */
class Watch implements AsyncDisposable {
  readonly #stop = new AbortController()
  readonly #run: Promise<unknown>
  readonly doors: WatchDoors

  constructor(into: string, options: Partial<WatchOptions> = {}, port = 0) {
    this.doors = new WatchDoors({ dir: into, listen: { host: '127.0.51.9', port }, mayBeHttp: true })
    // Few requests for many pages: what is there within a moment was sent.
    const watch = watchOptions({ requestsPerSecond: 4, dayMs: 3_600_000, minPollMs: 3_600_000, ...options })
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(60_000)])
    this.#run = quickCrawl(into, [], { watch }, signal, { intake: this.doors })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#run
  }
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return
    await sleep(50)
  }
  assert.fail(`half a minute was not enough for: ${what}`)
}

const subscribed = (site: CooperatingSite) => (): boolean => [...site.subscribers.all()].length > 0

const schemes: [scheme: InboxScheme, expected: string | undefined][] = [
  ['differences', 'difference'],
  ['pages', undefined],
]
for (const [scheme, expected] of schemes) {
  test(`a change is sent as ${scheme}, is held as it is, and no request was made for it`, async () => {
    await using site = await createCooperatingSite(SITE, { calls: true })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    await using _ = new Watch(into, { subscribeTo: [scheme] })
    await until('a subscription', subscribed(site))
    await site.set('/news', page('News 2'))
    const url = `${site.origin}/news`
    await until('the new version', async () => (await heldOf(into, url))?.text.includes('News 2') === true)
    // What it has sent is what the next difference is from. The first few are fetched too, to see whether they are right:
    // what comes within the second of such a visit is not known to be newer, and is visited.
    const wasSent = async (): Promise<boolean> =>
      (await heldOf(into, url))!.captures
        .slice(3)
        .some(({ source, scheme: by }) => source === 'push' && by === expected)
    for (let version = 3; version < 20 && !(await wasSent()); version++) {
      await site.set('/news', page(`News ${version}`))
      await until(
        `version ${version}`,
        async () => (await heldOf(into, url))?.text.includes(`News ${version}`) === true,
      )
    }
    assert.ok(await wasSent())
    await site.set('/news', undefined)
    await until('the page is gone', async () => (await heldOf(into, url))?.status === 410)
    await site.set('/fresh', page('Fresh'))
    await until('a new page', async () => (await heldOf(into, `${site.origin}/fresh`))?.text.includes('Fresh') === true)
  })
}

test('a notice makes a page due: it is fetched, and how we learnt of it is kept', async () => {
  await using site = await createCooperatingSite(SITE, { calls: true })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  await using _ = new Watch(into, { subscribeTo: ['changes'] })
  await until('a subscription', subscribed(site))
  await site.set('/news', page('News 2'))
  const url = `${site.origin}/news`
  await until('the new version', async () => (await heldOf(into, url))?.text.includes('News 2') === true)
  assert.ok((await heldOf(into, url))!.captures.every(({ source }) => source === 'crawl'))
})

test('while the crawler is away everything waits at the site, and ten edits come as one', async () => {
  await using site = await createCooperatingSite(SITE, { calls: true })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  let port = 0
  {
    await using watch = new Watch(into, { subscribeTo: ['pages'] })
    await until('a subscription', subscribed(site))
    port = Number(new URL(watch.doors.url).port)
  }
  for (let version = 2; version <= 11; version++) await site.set('/news', page(`News ${version}`))
  const url = `${site.origin}/news`
  assert.ok((await heldOf(into, url))!.text.includes('News 1'))
  await using _ = new Watch(into, { subscribeTo: ['pages'] }, port)
  await until('the last of them', async () => (await heldOf(into, url))?.text.includes('News 11') === true)
  assert.equal((await heldOf(into, url))!.captures.filter(({ source }) => source === 'push').length, 1)
})
