// Runs alone: it is long.
/** The real `comity serve` on a crawled collection, in a real browser: every page, every flow, and strangers' tricks. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { SearchAnswer } from '@comity/index'
import { createLivingWeb } from '@comity/testbed'
import { openBrowser } from './browser.ts'
import { startCrawl } from '../crawl/child-crawl.ts'
import { FOREIGN, checkAccess, isWide, until, watchedPage } from './page-checks.ts'
import { quick } from '../crawl/quick-crawl.ts'
import { createServedCollection, startServe } from './served-collection.ts'
import type { ServeProcess, ServedCollection } from './served-collection.ts'
import { createSmallSite } from '../sites/small-site.ts'

const mainFile = join(import.meta.dirname, '../../packages/cli/src/main.ts')

interface Place extends ServeProcess {
  readonly browser: Browser
  readonly made: ServedCollection
}

const textOf = async (page: Page, selector: string): Promise<string> =>
  ((await page.textContent(selector)) ?? '').replaceAll(/\s+/g, ' ').trim()
const siteIn = (list: string, { museum }: ServedCollection): string =>
  `${list} a[href*="${new URL(museum.origin).hostname}"]`
const storyPath = (url: string): string => `/page?url=${encodeURIComponent(url)}`

test('the pages of a collection, in a browser', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  await using made = await createServedCollection()
  await using serve = await startServe(made.dir)
  const place: Place = { ...serve, browser, made }
  // The first look at everything is behind us then, and numbers are those of the whole collection.
  await fetch(`${serve.base}/sites`)
  for (const [sentence, check] of Object.entries(checks)) await t.test(sentence, (sub) => check(place, sub))
})

const checks: Record<string, (place: Place, t: TestContext) => Promise<void>> = {
  'search: results, facets, order, pages of results, and a suggestion': async ({ browser, base, made }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(base)
    assert.match(await textOf(page, '.stock'), /^\d+ pages of 7 sites can be searched; \d+ are known\.$/)
    await page.fill('input[name=q]', 'lantern')
    await page.press('input[name=q]', 'Enter')
    await page.waitForURL(`${base}/search?q=lantern`)
    const sum = Number(/^(\d+) pages found/.exec(await textOf(page, '#found'))?.[1])
    assert.ok(sum > 30, `${sum} pages`)
    assert.ok((await page.locator('.snippet mark').count()) > 5)
    await page.click('a[rel=next]')
    assert.match(await textOf(page, '#found'), /^11–20 of/)
    await page.click('a[rel=prev]')
    await page.click(siteIn('.facet', made))
    assert.match(page.url(), /site/)
    const narrowed = Number(/^(\d+) pages found/.exec(await textOf(page, '#found'))?.[1])
    assert.ok(narrowed < sum && narrowed >= 25, `${narrowed} of ${sum}`)
    await page.click('.facet a:has-text("German")')
    assert.deepEqual(await page.locator('.result h3').allInnerTexts(), ['Die Laterne'])
    await page.click('.used a >> nth=1')
    assert.match(await textOf(page, '#found'), new RegExp(`^${narrowed} pages found`))
    await page.click('nav.choice a:text("Rare words first")')
    assert.match(page.url(), /rank=idf/)
    await page.goto(`${base}/search?q=lanetrns`)
    assert.match(
      await textOf(page, '.suggestion'),
      /^No page has lanetrns\. Shown are those with lanterns?: \d+ pages\.$/,
    )
    assert.ok((await page.locator('.result').count()) > 5)
    await page.click('.suggestion a')
    await page.waitForURL(/q=lanterns?$/)
    assert.ok((await page.locator('.result').count()) > 5)
    assert.deepEqual(problems, [])
  },

  'search: what is typed brings pages by their titles, which open, by keyboard alone': async ({
    browser,
    base,
    made,
  }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/sites`)
    await page.keyboard.press('/')
    await page.keyboard.type('lantern mus')
    await page.waitForSelector('[role=option]')
    const options = await page.locator('[role=option] bdi').allInnerTexts()
    assert.ok(options.includes('The lantern museum'), options.join(', '))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.origin === made.museum.origin)
    assert.deepEqual(
      problems.filter((one) => !one.includes(made.museum.origin)),
      [],
    )
  },

  'page: its story, its links, two captures compared': async ({ browser, base, made }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/search?q=news+lanterns`)
    await page.click('.result:has-text("News of the lanterns") a:text("Story")')
    assert.equal(await textOf(page, 'h1'), 'News of the lanterns')
    assert.match(await textOf(page, '.big'), /2\s+visits|visits\s+2/)
    assert.match(await textOf(page, '.big'), /times the mean importance\s+[\d.]+/)
    assert.equal(await page.locator('.captures tbody tr').count(), 2)
    assert.match(await textOf(page, '.two'), /The lantern museum/)
    await page.click('button:text("Compare")')
    assert.deepEqual(
      [await textOf(page, '.difference ins'), await textOf(page, '.difference del')],
      ['added: A lantern was stolen in the night.', 'removed: All lanterns are well.'],
    )
    await page.goto(base + storyPath(`${made.museum.origin}/lost`))
    assert.match(await textOf(page, 'main'), /client-error 404/)
    assert.deepEqual(problems, [])
    const unknown = await page.goto(base + storyPath('https://nowhere.example/'))
    assert.equal(unknown?.status(), 404)
  },

  'stored page: shown, and nothing in it runs, asks or leads anywhere': async ({ browser, base, made }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(base + storyPath(`${made.museum.origin}/danger`))
    await page.click('a:text("View the stored copy")')
    const copy = page.frameLocator('iframe.copy')
    await copy.locator('h1:text("Dangerous lantern")').waitFor()
    await page.waitForTimeout(500)
    const url = page.url()
    assert.match(url, /\/page\/copy\?/)
    await copy.locator('a:text("lantern")').click()
    await copy.locator('button:text("Send")').click()
    await page.waitForTimeout(200)
    assert.equal(page.url(), url)
    assert.deepEqual([made.trap.connections, made.trap.asked], [0, []], 'nobody was asked')
    const frame = (await page.getAttribute('iframe.copy', 'src')) ?? ''
    const response = await page.goto(base + frame)
    assert.match(
      response?.headers()['content-security-policy'] ?? '',
      /^sandbox allow-top-navigation-by-user-activation; default-src 'none'/,
    )
    const notes = await page.goto(base + storyPath(`${made.museum.origin}/notes.txt`))
    assert.equal(notes?.status(), 200)
    await page.click('a:text("View the stored copy")')
    await copy.locator('body:has-text("lantern notes <script>")').waitFor()
    await context.close()
  },

  'stored page: dressed as it was, and its links lead to copies, or to a page that says there is none': async ({
    browser,
    base,
    made,
  }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/page/copy?url=${encodeURIComponent(`${made.museum.origin}/dressed`)}`)
    assert.match(await textOf(page, '.copy-bar'), /as it was on 20\d\d.+fetched by a crawl.+2 versions held/)
    const copy = page.frameLocator('iframe.copy')
    // In there no script runs, ours neither: what is drawn is asked from outside.
    const heading = copy.locator('h1')
    await heading.waitFor()
    const markup = await (await fetch(base + ((await page.getAttribute('iframe.copy', 'src')) ?? ''))).text()
    assert.match(markup, /<style>h1 \{ color: rgb\(170, 85, 0\); background: url\("data:image\/png;base64,/)
    assert.match(markup, /<img src="data:image\/png;base64,[^"]+" width="40"/)
    await copy.locator('a:text("news")').click()
    await page.waitForURL(/\/page\/copy\?url=.*news%23stolen&near=\d+$/)
    assert.match(await textOf(page, 'h1'), /News of the lanterns/)
    assert.match((await page.getAttribute('iframe.copy', 'src')) ?? '', /#stolen$/)
    await page.click('.copy-bar summary')
    await page.click('.versions a >> nth=1')
    await copy.locator('p:text("All lanterns are well")').waitFor()
    await page.click('.copy-bar a:text("Newer")')
    await copy.locator('p:text("A lantern was stolen")').waitFor()
    await page.click('.copy-bar a:text("The page’s story")')
    await page.waitForURL(/\/page\?key=/)
    await page.goto(`${base}/page/copy?url=${encodeURIComponent(`${made.museum.origin}/dressed`)}`)
    await copy.locator('a:text("the old page")').click()
    await page.waitForURL(/moved/)
    assert.match(await textOf(page, '.copy-bar'), /moved led on to it/)
    await page.goBack()
    await copy.locator('a:text("elsewhere")').click()
    await page.waitForURL(/never/)
    assert.match(await textOf(page, 'main'), /This page is not held.+was not visited/)
    assert.deepEqual(
      problems.filter((one) => !one.includes('404')),
      [],
    )
    assert.deepEqual([made.trap.connections, made.trap.asked], [0, []], 'nobody was asked')
  },

  'a page that asks for no archive is found, and its copy is shown nowhere': async ({ browser, base }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/search?q=unquotable`)
    assert.equal(await textOf(page, '.result h3'), 'Private lantern')
    assert.equal(await page.locator('.snippet').count(), 0)
    await page.click('.result a:text("Story")')
    assert.match(await textOf(page, 'main'), /asks not to be shown from an archive/)
    assert.equal(await page.locator('a[href*="/page/copy"], button:text("Compare")').count(), 0)
    assert.ok(!(await page.content()).includes('lore'))
    assert.deepEqual(problems, [])
    const key = Number(
      ((await (await fetch(`${base}/api/v1/search?q=unquotable`)).json()) as SearchAnswer).results[0]?.key,
    )
    const { captures } = (await (await fetch(`${base}/api/v1/page?key=${key}`)).json()) as {
      captures: { at: number }[]
    }
    for (const path of [`/page/view?key=${key}`, `/page/view?key=${key}&at=${captures[0]?.at}`]) {
      const refused = await fetch(base + path)
      assert.ok(refused.status >= 400, `${path} gave ${refused.status}`)
      assert.doesNotMatch(await refused.text(), /lore/)
    }
  },

  'sites, one site, and the graph of them': async ({ browser, base, made }) => {
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/sites`)
    assert.equal(await page.locator('.sites tbody tr').count(), 7)
    await page.click('.choice a:text("merely linked (1)")')
    assert.match(await textOf(page, '.sites tbody'), /not visited/)
    await page.click('.choice a:text("visited (7)")')
    await page.waitForURL(`${base}/sites?sort=importance`)
    await page.click('thead a:text("Errors")')
    await page.waitForURL(`${base}/sites?sort=errors`)
    await page.click(siteIn('.sites', made))
    assert.match(await textOf(page, 'main'), /Most important pages[\s\S]*The lantern museum/)
    assert.match(await textOf(page, '.big'), /pages known/)
    await page.goto(`${base}/graph`)
    assert.equal(await page.locator('.nodes a').count(), 7)
    await page.click('.lead a:text("show all")')
    assert.equal(await page.locator('.nodes a').count(), 8)
    const held = await page.locator('#graph-table tr:has-text("127.0.70.3") td').first().innerText()
    assert.equal(held, '0', 'a site that was only heard of holds nothing')
    await page.locator('.nodes a[href*="127.0.71.1"]').focus()
    assert.ok((await page.locator('.lit path').count()) > 0)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/site\?origin=/)
    assert.deepEqual(problems, [])
  },

  'without a script: search, narrow, sort, compare': async ({ browser, base, made }) => {
    const { page, problems } = await watchedPage(browser, base, { javaScriptEnabled: false })
    await page.goto(base)
    await page.fill('input[name=q]', 'lantern')
    await page.click('button:text("Search")')
    await page.click(siteIn('.facet', made))
    await page.click('.facet a:has-text("German")')
    assert.equal(await page.locator('.result').count(), 1)
    await page.goto(`${base}/sites`)
    await page.click('thead a:text("Held")')
    assert.equal(page.url(), `${base}/sites?sort=held`)
    await page.goto(base + storyPath(`${made.museum.origin}/news`))
    await page.click('button:text("Compare")')
    assert.equal(await page.locator('.difference ins').count(), 1)
    await page.goto(`${base}/live`)
    assert.match(await textOf(page, 'h1'), /No crawl is running/)
    await page.goto(`${base}/freshness`)
    assert.match(await textOf(page, 'main'), /Nothing is kept fresh now.+Nobody has kept this collection fresh yet/)
    await page.goto(`${base}/graph`)
    assert.equal(await page.locator('.nodes a').count(), 7)
    assert.deepEqual(problems, [])
  },

  'every page is open to everybody, light and dark, wide and narrow': async ({ browser, base, made }) => {
    const { origin } = made.museum
    const { results } = (await (await fetch(`${base}/api/v1/search?q=stolen`)).json()) as SearchAnswer
    const { captures } = (await (await fetch(`${base}/api/v1/page?key=${results[0]?.key}`)).json()) as {
      captures: { at: number }[]
    }
    const [one, two] = captures.map(({ at }) => at)
    const paths = [
      '/',
      '/search?q=lantern',
      '/search?q=lanetrn',
      '/live',
      '/freshness',
      '/sites',
      `/site?origin=${encodeURIComponent(origin)}`,
      `/page/copy?url=${encodeURIComponent(`${origin}/dressed`)}`,
      `/page/copy?url=${encodeURIComponent(`${origin}/never`)}`,
      '/graph',
      storyPath(`${origin}/news`),
      `/page/difference?key=${results[0]?.key}&from=${two}&to=${one}`,
      storyPath('https://nowhere.example/'),
    ]
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const { page, problems } = await watchedPage(browser, base, { colorScheme, viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(base + path)
        assert.equal(await page.evaluate(isWide), false, `${path}: nothing sticks out`)
        assert.deepEqual(await checkAccess(page), [])
      }
      const complaints = problems.filter((problem) => !/status of 404/.test(problem))
      assert.deepEqual(complaints, [])
    }
  },

  'what a hostile site said everywhere never becomes markup': async ({ browser, base, made }, t) => {
    const { page, problems } = await watchedPage(browser, base)
    const search = `${base}/api/v1/search?q=mischief&limit=100&unfolded=1`
    const { results } = (await (await fetch(search)).json()) as SearchAnswer
    assert.ok(results.length > 30, `${results.length} pages of attacks were crawled`)
    const { origin } = made.attacker
    const paths = [
      ...[0, 10, 20, 30].map((offset) => `/search?q=mischief&unfolded=1&offset=${offset}`),
      `/search?q=${encodeURIComponent('"><script>window.ran=1</script> mischief')}`,
      '/sites',
      `/site?origin=${encodeURIComponent(origin)}`,
      '/graph',
      '/live',
      '/freshness',
      ...results.map(({ key }) => `/page?key=${key}`),
    ]
    for (const path of paths) {
      await page.goto(base + path)
      assert.deepEqual(await page.evaluate(FOREIGN), [], path)
      assert.equal(await page.evaluate(isWide), false, `${path}: nothing sticks out`)
    }
    await page.fill('#q-small', 'mischief')
    await page.waitForTimeout(400)
    assert.deepEqual(await page.evaluate(FOREIGN), [])
    assert.deepEqual(problems, [])
    t.diagnostic(`${paths.length} pages of ${results.length} attacks`)
  },

  'freshness: a watch that runs elsewhere is shown, with whom it believes, and remembered when it ends': async (
    place,
  ) => {
    const { browser, base, made } = place
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/freshness`)
    const flags = [
      '--budget',
      '20/s',
      '--day',
      '1s',
      '--poll',
      '1s',
      '--explore',
      '0',
      '--delay',
      '0',
      '--allow-private',
    ]
    const watch = spawn(process.execPath, [mainFile, 'watch', made.dir, ...flags], { stdio: 'ignore' })
    const gone = once(watch, 'exit')
    try {
      // The page notices by itself that somebody keeps fresh.
      await page.waitForSelector('h1:text("How fresh it is, now")')
      await until(page, "document.querySelectorAll('.chart .layer').length === 6")
      await until(page, "Number(/([\\d,]+) so far/.exec(document.body.textContent)[1].replaceAll(',', '')) > 20")
      assert.deepEqual(await checkAccess(page), [])
    } finally {
      watch.kill('SIGKILL')
      await gone
    }
    await page.waitForSelector('h1:text("Nothing is kept fresh now")')
    assert.match(await textOf(page, 'main'), /by the policy value: [\d.]+ % of [\d,]+ pages were thought to be fresh/)
    const story = await watchedPage(browser, base)
    await story.page.goto(base + storyPath(`${made.museum.origin}/news`))
    assert.match(await textOf(story.page, 'main'), /Freshness Changes .+Outdated by now with a probability of/)
    assert.deepEqual([...problems, ...story.problems], [])
  },

  'live: numbers move, and the crawl can be paused, fed and resumed with the token alone': async (place) => {
    const { browser, base, token, made } = place
    const slow = { latencyMs: 40, bytesPerSecond: Infinity, changeEveryMs: Infinity, odd: false }
    await using web = await createLivingWeb({
      seed: 12,
      firstAddress: '127.0.72.1',
      sites: [{ ...slow, pages: 900, robots: 'missing', sitemap: false }],
    })
    await using late = await createSmallSite({ '/': '<title>A latecomer</title>serendipity' }, '127.0.73.1')
    const { page, problems } = await watchedPage(browser, base)
    await page.goto(`${base}/live`)
    const options = {
      ...quick,
      seeds: [web.home],
      index: true,
      stayOpen: true,
      politeness: { ...quick.politeness!, pagesPerConnection: 10 },
    }
    const child = startCrawl({ into: [made.dir], options })
    try {
      // The page notices by itself that a crawl has begun.
      await page.waitForSelector('h1:text("The crawl, now")')
      await until(page, "document.querySelectorAll('.chart .line').length === 7")
      const pagesSoFar = async (): Promise<number> =>
        Number(/([\d,]+) pages so far/.exec(await textOf(page, '.plots'))?.[1]?.replaceAll(',', ''))
      const first = await pagesSoFar()
      await until(
        page,
        `Number(/([\\d,]+) pages so far/.exec(document.body.textContent)[1].replaceAll(',', '')) > ${first}`,
      )
      assert.deepEqual(await checkAccess(page), [])
      await page.fill('#token', 'not-the-token-at-all-not-the-token-at-all')
      await page.click('button:text("Pause the crawl")')
      await until(page, "document.getElementById('control-status').textContent !== ''")
      assert.equal(await page.locator('button:text("Pause the crawl")').count(), 1, 'a wrong token changes nothing')
      const refusals = problems.splice(0)
      assert.ok(
        refusals.every((problem) => /status of 40[13]/.test(problem)),
        refusals.join('\n'),
      )
      await page.fill('#token', token)
      await page.click('button:text("Pause the crawl")')
      await page.waitForSelector('button:text("Resume the crawl")')
      const state = async (): Promise<unknown> =>
        ((await (await fetch(`${base}/api/v1/statistics`)).json()) as { crawl: { kind: string } }).crawl.kind
      for (let tries = 0; tries < 400 && (await state()) !== 'paused'; tries++) await page.waitForTimeout(25)
      assert.equal(await state(), 'paused')
      await page.fill('#seed', `${late.origin}/`)
      await page.click('button:text("Add")')
      await until(page, "document.getElementById('seed').value === ''")
      await page.click('button:text("Resume the crawl")')
      await page.waitForSelector('button:text("Pause the crawl")')
      // What the new seed says is found without anything being started again.
      const other = await watchedPage(browser, base)
      for (let tries = 0; tries < 200; tries++) {
        await other.page.goto(`${base}/search?q=serendipity`)
        if ((await other.page.locator('.result').count()) > 0) break
        await other.page.waitForTimeout(50)
      }
      assert.equal(await textOf(other.page, '.result h3'), 'A latecomer')
      assert.deepEqual(other.problems, [])
    } finally {
      await child.kill()
    }
    await page.waitForSelector('h1:text("No crawl is running")')
    // A browser may tell of a refused request late.
    assert.deepEqual(
      problems.filter((problem) => !/status of 40[13]/.test(problem)),
      [],
    )
  },
}
