/** The ledger's page in a real browser: light and dark, wide and narrow, without a script, and open to everybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger, LEDGER_SCHEMES, ledgerPage } from '@comity/site'
import { openBrowser } from './browser.ts'
import { checkAccess, isWide } from './page-checks.ts'

const ledger = new Ledger(Date.UTC(2026, 10, 1))
for (const agent of ['Googlebot/2.1', 'comity/0.1', 'GPTBot/1.2'])
  for (const [i, scheme] of LEDGER_SCHEMES.entries())
    ledger.note({ scheme, agent, bytes: 10 ** (i % 7), cpuMs: i * 300, pages: 1 + i, pageBytes: 20_000 * (1 + i) })
const html = ledgerPage(ledger.store(), 'https://a.example/')

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`the ledger reads well in ${colorScheme} at ${width} pixels`, async (t) => {
      const browser = await openBrowser(t)
      if (browser === undefined) return
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      page.on('request', (request) => problems.push(`asked for ${request.url()}`))
      await page.setContent(html)
      assert.equal(await page.evaluate(isWide), false, 'nothing sticks out')
      assert.equal(await page.evaluate('document.scripts.length'), 0)
      assert.equal(await page.locator('tbody').count(), 3)
      assert.deepEqual(await checkAccess(page), [])
      assert.deepEqual(problems, [])
    })
  }
}
