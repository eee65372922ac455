/**
 * Compression dictionaries as a real browser takes them (RFC 9842): what our sites pack with a dictionary, Chromium has to
 * unpack. It waits until a page is stored before it offers it, so a page is asked for until it does.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { createSiteFront, MemoryJournal, nodeMiddleware } from '@comity/site'
import { openBrowser } from '../pages/browser.ts'

interface Exchange {
  readonly path: string
  readonly offered: boolean
  readonly coding: string | undefined
  readonly bytes: number
}

/** Pages of one frame behind the middleware on loopback, where Chromium does without HTTPS. */
async function startSite(
  t: TestContext,
  cacheControl?: string,
): Promise<{ url: string; pages: Map<string, string>; exchanges: Exchange[] }> {
  const pages = new Map<string, string>()
  const exchanges: Exchange[] = []
  // A site dictionary is made when it is asked for a minute after the last try: time is ours to tell.
  let now = Date.now()
  const front = createSiteFront({
    journal: new MemoryJournal(),
    base: 'http://localhost/',
    isHostFixed: true,
    now: () => (now += 60_000),
    robots: '',
    cacheControl,
  })
  const middleware = nodeMiddleware(front)
  const server = createServer((request, response) => {
    response.on('finish', () => {
      const coding = response.getHeader('content-encoding')
      exchanges.push({
        path: request.url ?? '',
        offered: request.headers['available-dictionary'] !== undefined,
        coding: typeof coding === 'string' ? coding : undefined,
        bytes: Number(response.getHeader('content-length')),
      })
    })
    middleware(request, response, () => {
      const body = pages.get(request.url ?? '')
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://localhost:${address.port}`, pages, exchanges }
}

const html = (name: string, version = 1): string =>
  `<!doctype html><title>${name}</title><nav>${Array.from({ length: 60 }, (_, i) => `<a href="/topic-${i}">All about topic ${i}</a>\n`).join('')}</nav>
<h1>${name}</h1><p id="version">Version ${version}</p>${Array.from({ length: 40 }, (_, i) => `<p>${name}: thought ${(i * 7919) % 1_000}</p>`).join('\n')}`

const TRIES = 40

/** Goes to pages until the browser offers a dictionary for one. */
async function untilOffered(
  page: Page,
  exchanges: readonly Exchange[],
  next: (attempt: number) => Promise<void>,
): Promise<Exchange | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await next(attempt)
    const last = exchanges.findLast(({ path }) => path.startsWith('/page'))
    if (last?.offered === true && last.coding?.startsWith('dc') === true) return last
    // Chromium stores dictionaries in its own time; asking it something lets it.
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
  }
  return undefined
}

test('Chromium unpacks a page with its earlier version as dictionary', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { url, pages, exchanges } = await startSite(t, 'max-age=0, stale-while-revalidate=2592000')
  const page = await browser.newPage()
  let version = 0
  const exchange = await untilOffered(page, exchanges, async () => {
    pages.set('/page', html('Bread', ++version))
    await page.goto(`${url}/page`)
  })
  assert.ok(exchange !== undefined, `Chromium offered no dictionary in ${TRIES} visits`)
  assert.ok(exchange.bytes < 200, `${exchange.bytes} bytes`)
  assert.equal(await page.textContent('#version'), `Version ${version}`)
  assert.equal(await page.locator('p').count(), 41)
  t.diagnostic(`${exchange.coding}, ${exchange.bytes} bytes of ${html('Bread').length}, at visit ${version}`)
})

test('Chromium unpacks a page it never saw with the dictionary of the site', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { url, pages, exchanges } = await startSite(t)
  const page = await browser.newPage()
  let newest = ''
  const exchange = await untilOffered(page, exchanges, async (attempt) => {
    newest = `Page number ${attempt}`
    pages.set(`/page-${attempt}`, html(newest))
    await page.goto(`${url}/page-${attempt}`)
  })
  assert.ok(exchange !== undefined, `Chromium offered no dictionary in ${TRIES} visits`)
  assert.equal(await page.textContent('h1'), newest)
  assert.ok(exchanges.some(({ path }) => path === '/.well-known/comity/dictionary'))
  t.diagnostic(`${exchange.coding}, ${exchange.bytes} bytes of ${html(newest).length}`)
})
