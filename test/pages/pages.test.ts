/** The repository's pages in a real browser: light and dark, wide and narrow, by keyboard, without a script, under attack. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { ATTACKS, hostile } from '../../packages/repository/src/testing/attacks-fixture.ts'
import { sampleGraph } from '../../packages/repository/src/testing/graph-fixture.ts'
import { pushesAt } from '../../packages/repository/src/testing/pushes-fixture.ts'
import {
  models,
  sampleAt,
  statistics,
  watchAt,
  watchedAt,
} from '../../packages/repository/src/testing/pages-fixture.ts'
import type { PageModels } from '../../packages/repository/src/model/page-models.ts'
import { openBrowser } from './browser.ts'
import { FOREIGN, checkAccess, isWide, until, watchedPage } from './page-checks.ts'
import { PAGE_PATHS, servePages } from './pages-server.ts'
import type { PagesServer, Served } from './pages-server.ts'

const samples = Array.from({ length: 120 }, (_, second) => ({
  ...watchedAt(second),
  errors: { busy: 40 + second, 'dns-error': 9, 'tls-error': 2 },
}))

interface Opened extends PagesServer {
  readonly page: Page
  readonly served: Served
  /** Everything a browser complained about, and every request to somebody else. */
  readonly problems: string[]
}

async function open(
  t: TestContext,
  changes: Partial<Served> = {},
  options: BrowserContextOptions = {},
): Promise<Opened | undefined> {
  const browser = await openBrowser(t)
  if (browser === undefined) return undefined
  const served = { models, samples, suggestions: ['crawler delay', 'crawler politeness'], ...changes }
  const server = await servePages(t, served)
  const { page, problems } = await watchedPage(browser, server.base, options)
  return { ...server, page, served, problems }
}

/** Each theme and each width is gone through by all rules once. */
const rulesFor = (colorScheme: 'light' | 'dark', width: number): 'all' | 'looks' =>
  (colorScheme === 'light') === width > 1_000 ? 'all' : 'looks'

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 360]) {
    test(`every page is open to everybody in ${colorScheme} at ${width} pixels`, async (t) => {
      const opened = await open(t, {}, { colorScheme, viewport: { width, height: 900 } })
      if (opened === undefined) return
      const { page, base, problems } = opened
      for (const path of PAGE_PATHS) {
        await page.goto(base + path)
        if (path === '/live' || path === '/freshness' || path === '/calls') await page.waitForSelector('.chart .line')
        assert.equal(await page.evaluate(isWide), false, `${path}: nothing sticks out`)
        assert.deepEqual(await checkAccess(page, rulesFor(colorScheme, width)), [])
      }
      assert.deepEqual(problems, [])
    })
  }
}

test('without a script: search, sort, compare and live numbers are all there', async (t) => {
  const opened = await open(t, {}, { javaScriptEnabled: false })
  if (opened === undefined) return
  const { page, base, problems } = opened
  await page.goto(base)
  await page.fill('input[name=q]', 'crawler delay')
  await page.click('button:text("Search")')
  assert.equal(page.url(), `${base}/search?q=crawler+delay`)
  assert.equal(await page.locator('.result').count(), 8)
  await page.goto(`${base}/sites`)
  await page.click('thead a:text("Errors")')
  assert.equal(page.url(), `${base}/sites?sort=errors`)
  await page.goto(`${base}/page?key=101`)
  await page.check(`input[name=from][value="${models.page.captures[7]!.at}"]`)
  await page.click('button:text("Compare")')
  const { searchParams } = new URL(page.url())
  assert.deepEqual(
    [...searchParams],
    [
      ['key', '101'],
      ['to', String(models.page.captures[0]!.at)],
      ['from', String(models.page.captures[7]!.at)],
    ],
  )
  assert.equal(await page.locator('.difference ins').count(), 2)
  await page.goto(`${base}/live`)
  assert.match((await page.textContent('.plots')) ?? '', /41,250 pages so far/)
  assert.match((await page.textContent('#control')) ?? '', /curl -X POST/)
  await page.goto(`${base}/freshness`)
  assert.match((await page.textContent('#by-scheme')) ?? '', /difference\s+10/)
  await page.click('a[href="/calls"]')
  assert.match((await page.textContent('#by-outcome')) ?? '', /applied\s+120/)
  await page.click('nav a[href="/reading"]')
  assert.match((await page.textContent('#now')) ?? '', /310/)
  assert.equal(await page.locator('.hours .line').count(), 2)
  await page.click('summary')
  assert.match((await page.textContent('details[open]')) ?? '', /cookie/)
  assert.deepEqual(problems, [])
})

test('by keyboard: past the head, into the box, through suggestions', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, calls } = opened
  await page.goto(`${base}/sites`)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await until(page, 'document.activeElement.getBoundingClientRect().top >= 0')
  await page.keyboard.press('Enter')
  // The browser goes there when it comes to it.
  await until(page, "document.activeElement.id === 'main'")
  await page.keyboard.press('/')
  assert.equal(await page.evaluate('document.activeElement.name'), 'q')
  // In one piece: letter by letter, a machine that is busy pauses long enough between them to be given suggestions for each.
  await page.keyboard.insertText('craw')
  await page.waitForSelector('[role=option]')
  assert.deepEqual(await checkAccess(page), [])
  assert.equal(await page.getAttribute('#q-small', 'aria-expanded'), 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.inputValue('#q-small'), 'crawler politeness')
  assert.equal(await page.getAttribute('#q-small', 'aria-activedescendant'), 'suggestions-0-1')
  await page.keyboard.press('Escape')
  assert.equal(await page.inputValue('#q-small'), 'craw')
  assert.equal(await page.locator('[role=option]').count(), 0)
  await page.keyboard.insertText('l')
  await page.waitForSelector('[role=option]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/search?q=crawler+delay`)
  assert.deepEqual([...new Set(calls.map(({ path }) => path))], ['/api/v1/suggest?q=craw', '/api/v1/suggest?q=crawl'])
})

test('what is typed while suggestions are on their way gets its own', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, calls } = opened
  const hold = Promise.withResolvers<void>()
  await page.route('**/api/v1/suggest?q=cr', async (route) => {
    await hold.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${base}/sites`)
  await page.keyboard.press('/')
  const asked = page.waitForRequest('**/api/v1/suggest?q=cr')
  await page.keyboard.insertText('cr')
  await asked
  await page.keyboard.insertText('aw')
  await page.waitForSelector('[role=option]')
  assert.equal(await page.inputValue('#q-small'), 'craw')
  assert.ok(calls.some(({ path }) => path === '/api/v1/suggest?q=craw'))
  hold.resolve()
})

test('live: numbers and plots follow the stream', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, problems } = opened
  await page.goto(`${base}/live`)
  await until(page, "document.querySelectorAll('.chart .line').length === 7")
  const last = samples.at(-1)!
  await until(page, `document.body.textContent.includes('${last.pages.toLocaleString('en-US')} pages so far')`)
  const causes = await page.locator('#live-errors tbody tr').allInnerTexts()
  assert.match(causes[0] ?? '', /^busy\s+159\s+429 or 503/)
  assert.ok(causes.some((row) => /^tls-error\s+2/.test(row)))
  assert.deepEqual(problems, [])
})

test('freshness: numbers, plots and tables follow the stream', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, problems } = opened
  await page.goto(`${base}/freshness`)
  await until(page, "document.querySelectorAll('.chart .line').length === 6")
  assert.equal(await page.locator('.chart .layer').count(), 6, 'one for each kind of request')
  const last = watchAt(119)
  await until(page, `document.body.textContent.includes('${last.requests.toLocaleString('en-US')} so far; 5 a second')`)
  const difference = await page.locator('[data-row=difference] td').allInnerTexts()
  assert.equal(difference[0]?.trim(), String(last.schemes['difference']!.requests))
  assert.equal(await page.locator('[data-row=dump]').isHidden(), true)
  const kinds = await page.locator('#by-kind tbody tr').allInnerTexts()
  assert.match(kinds[1] ?? '', /^ordinary \(3\)\s+\d+ %\s+9\.4 s\s+83\s+440\s+397/)
  await page.click('summary:text("Why?") >> nth=0')
  assert.match((await page.textContent('details[open]')) ?? '', /silence counts for that much/)
  assert.deepEqual(problems, [])
})

test('calls: numbers, plots and tables follow the stream', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, problems } = opened
  await page.goto(`${base}/calls`)
  await until(page, "document.querySelectorAll('.chart .line').length === 6")
  const { outcomes, doors } = pushesAt(119)
  await until(page, `document.querySelector('[data-row=applied] td').textContent === '${outcomes['applied']}'`)
  const refused = await page.locator('[data-row=too-often] td').allInnerTexts()
  assert.equal(refused[0]?.trim(), String(doors!.refused['too-often']))
  assert.equal(await page.locator('[data-row=stale]').isHidden(), true)
  await page.click('summary:text("Why?") >> nth=1')
  assert.match((await page.textContent('details[open]')) ?? '', /4 were other pages: not believed until/)
  assert.deepEqual(problems, [])
})

test('calls: a watch that begins to listen is followed', async (t) => {
  const atRest = { ...models.calls, crawl: statistics.crawl }
  const { pushes: _, ...deaf } = watchAt(1)
  const unheard = [{ ...sampleAt(1), watch: deaf }]
  const opened = await open(t, { models: { ...models, calls: atRest }, samples: unheard })
  if (opened === undefined) return
  const { page, base, served } = opened
  await page.goto(`${base}/calls`)
  assert.match((await page.textContent('h1')) ?? '', /Nobody is listened to/)
  served.samples = [watchedAt(2)]
  await page.goto(`${base}/calls`)
  await page.waitForEvent('framenavigated')
})

test('freshness: in a narrow window what has no numbers stays hidden', async (t) => {
  const opened = await open(t, {}, { viewport: { width: 360, height: 900 } })
  if (opened === undefined) return
  const { page, base } = opened
  await page.goto(`${base}/freshness`)
  assert.equal(await page.locator('[data-row=dump]').isVisible(), false)
  assert.equal(await page.locator('[data-row=batch]').isVisible(), true)
})

test('freshness: a watch that begins is followed, a crawl that keeps nothing fresh is not', async (t) => {
  const atRest = { ...models.freshness, crawl: statistics.crawl }
  const opened = await open(t, { models: { ...models, freshness: atRest }, samples: [sampleAt(1)] })
  if (opened === undefined) return
  const { page, base, served } = opened
  await page.goto(`${base}/freshness`)
  assert.match((await page.textContent('h1')) ?? '', /Nothing is kept fresh/)
  served.samples = [watchedAt(2)]
  await page.goto(`${base}/freshness`)
  await page.waitForEvent('framenavigated')
})

test('live: a crawl that begins while nobody crawls is followed', async (t) => {
  const opened = await open(t, { models: { ...models, live: statistics } })
  if (opened === undefined) return
  const { page, base } = opened
  await page.goto(`${base}/live`)
  assert.match((await page.textContent('h1')) ?? '', /No crawl is running/)
  await page.waitForEvent('framenavigated')
})

test('live: control asks for the token, sends it with the call, and keeps it nowhere', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, calls, problems } = opened
  await page.goto(`${base}/live`)
  await page.click('button:text("Pause the crawl")')
  assert.match((await page.textContent('#control-status')) ?? '', /First enter the token/)
  await page.fill('#token', 'secret')
  await page.click('button:text("Pause the crawl")')
  await page.waitForSelector('button:text("Resume the crawl")')
  await page.fill('#seed', 'https://new.example/')
  await page.click('button:text("Add")')
  await until(page, "document.getElementById('seed').value === ''")
  await page.fill('#max-pages', '5000')
  await page.click('button:text("Change")')
  await until(page, "document.getElementById('max-pages').value === ''")
  const authorization = 'Bearer secret'
  assert.deepEqual(calls, [
    { path: '/api/v1/crawl/pause', authorization, body: '{}' },
    { path: '/api/v1/crawl/seeds', authorization, body: '{"url":"https://new.example/"}' },
    { path: '/api/v1/crawl/budget', authorization, body: '{"maxPages":5000}' },
  ])
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
  assert.ok(!page.url().includes('secret'))
  assert.deepEqual(problems, [])
})

test('graph: 300 sites are all there, and one that is pointed at lights up its links', async (t) => {
  const opened = await open(t, { models: { ...models, graph: sampleGraph(300, 3_000) } })
  if (opened === undefined) return
  const { page, base, problems } = opened
  await page.goto(`${base}/graph`)
  assert.equal(await page.locator('.nodes a').count(), 300)
  await page.locator('.nodes a').nth(7).focus()
  assert.ok((await page.locator('.lit path').count()) > 0)
  assert.ok((await page.locator('.nodes .near').count()) > 1)
  await page.locator('.nodes a').nth(7).press('Enter')
  await page.waitForURL(/\/site\?origin=https:\/\/docs-7\.example\.net$/)
  assert.deepEqual(problems, [])
})

const attacked = (first: number): PageModels => {
  const made = Object.fromEntries(Object.entries(models).map(([name, model]) => [name, hostile(model, first)]))
  return made as unknown as PageModels
}

function attackedSample(second: number, errors: Readonly<Record<string, number>>): object {
  const { truth, watch } = watchedAt(second)
  const [first, other] = truth!.groups
  const groups = [
    { ...first, name: ATTACKS[0] },
    { ...other, name: ATTACKS[3] },
  ]
  const schemes = { ...watch!.schemes, [ATTACKS[1]!]: watch!.schemes['page'] }
  const told = { watch: { ...watch, policy: ATTACKS[0], schemes }, truth: { ...truth, groups } }
  return { ...sampleAt(second, errors), ...told }
}

test('under attack: nothing runs, loads or leaves its place on any page', async (t) => {
  const errors = Object.fromEntries(ATTACKS.map((attack, i) => [attack, i]))
  const opened = await open(t, {
    samples: [attackedSample(1, errors), attackedSample(2, errors)],
    suggestions: ATTACKS,
  })
  if (opened === undefined) return
  const { page, base, served, problems } = opened
  // The attacks take turns with the members of the models, so that each stands in many places.
  for (let first = 0; first < ATTACKS.length; first += 7) {
    served.models = attacked(first)
    for (const path of PAGE_PATHS) {
      await page.goto(base + path)
      if (path === '/live') await until(page, "document.querySelectorAll('.chart .line').length === 7")
      if (path === '/freshness') await until(page, "document.querySelectorAll('.chart .line').length >= 5")
      if (path === '/calls') await until(page, "document.querySelectorAll('.chart .line').length === 6")
      assert.deepEqual(await page.evaluate(FOREIGN), [], path)
      assert.equal(await page.evaluate(isWide), false, `${path}: nothing sticks out`)
    }
  }
  await page.fill('#q-small', 'x')
  await page.waitForSelector('[role=option]')
  assert.deepEqual(await page.evaluate(FOREIGN), [])
  assert.deepEqual(problems, [])
})

test('a title that looks like markup is read as it was written', async (t) => {
  const opened = await open(t)
  if (opened === undefined) return
  const { page, base, served, problems } = opened
  for (const title of ATTACKS.filter((attack) => attack.trim() !== '' && attack.length < 200)) {
    served.models = { ...models, page: { ...models.page, title } }
    await page.goto(`${base}/page`)
    // As HTML has it: characters that are none are shown as such.
    // oxlint-disable-next-line no-control-regex
    const shown = title.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
    assert.equal(await page.textContent('h1'), shown)
  }
  assert.deepEqual(problems, [])
})
