/** The ledger's page in a real browser: light and dark, wide and narrow, without a script, and open to everybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costPage, CrawlerWeek, defaultPrices, Ledger, LEDGER_SCHEMES, ledgerPage } from '@comity/site'
import { openBrowser } from './browser.ts'
import { checkAccess, isWide } from './page-checks.ts'

const ledger = new Ledger(Date.UTC(2026, 10, 1))
for (const agent of ['Googlebot/2.1', 'comity/0.1', 'GPTBot/1.2'])
  for (const [i, scheme] of LEDGER_SCHEMES.entries())
    ledger.note({ scheme, agent, bytes: 10 ** (i % 7), cpuMs: i * 300, pages: 1 + i, pageBytes: 20_000 * (1 + i) })
const week = new CrawlerWeek()
for (const [n, agent] of ['Googlebot/2.1', 'GPTBot/1.2', '<b>a long name that somebody made up</b> bot/1.0'].entries())
  for (let visit = 0; visit < 40; visit++)
    week.note({
      at: Date.UTC(2026, 10, 18, visit % 24),
      agent,
      path: `/p${visit % 10}`,
      status: 200,
      bytes: 40_000_000 * (n + 1),
      wholeBytes: 90_000_000 * (n + 1),
    })
const PAGES = {
  'the ledger': ledgerPage({ ...ledger.store(), days: week.rows() }, 'https://a.example/'),
  'what a log tells': costPage(week.week(), 'access.log.1, access.log', defaultPrices),
}

for (const [name, html] of Object.entries(PAGES))
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      test(`${name} reads well in ${colorScheme} at ${width} pixels`, async (t) => {
        const browser = await openBrowser(t)
        if (browser === undefined) return
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
        const problems: string[] = []
        page.on('console', (message) => problems.push(message.text()))
        page.on('request', (request) => problems.push(`asked for ${request.url()}`))
        await page.setContent(html)
        assert.equal(await page.evaluate(isWide), false, 'nothing sticks out')
        assert.equal(await page.evaluate('document.scripts.length'), 0)
        assert.equal(await page.locator('tbody').count(), name === 'the ledger' ? 4 : 1)
        // The answer is there without scrolling.
        assert.ok((await page.locator('.figures').boundingBox())!.y < 400)
        assert.match(await page.locator('.figures').innerText(), /crawlers cost you\s+\$0\.86/)
        if (process.env['COMITY_SHOTS'] !== undefined)
          await page.screenshot({
            path: `${process.env['COMITY_SHOTS']}/${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`,
          })
        assert.deepEqual(await checkAccess(page), [])
        assert.deepEqual(problems, [])
      })
    }
  }
