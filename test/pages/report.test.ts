/** The lab's report in a real browser: light and dark, wide and narrow, without a script, and open to everybody. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { renderReport, runOrdering, runScheduling, generateWeb } from '@comity/lab'
import { openBrowser } from './browser.ts'

const web = generateWeb({ pages: 500, sites: 9, seed: 2, bowTie: false })
const html = renderReport([
  runOrdering(web, { starts: 2 }),
  runScheduling(web, { robots: [1, 8], bandwidths: [20_000_000, 20_000], tailBatch: 50, batchSizes: [10_000] }),
])

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs in the page. */
const LOOK = `({
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  plots: [...document.querySelectorAll('figure svg')].filter((svg) => svg.getBoundingClientRect().width > 200).length,
  scripts: document.scripts.length,
  claims: document.querySelectorAll('#claims tr').length,
})`

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`the report reads well in ${colorScheme} at ${width} pixels`, async (t) => {
      const browser = await openBrowser(t)
      if (browser === undefined) return
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      page.on('request', (request) => problems.push(`asked for ${request.url()}`))
      await page.setContent(html)
      const seen = (await page.evaluate(LOOK)) as { wide: boolean; plots: number; scripts: number; claims: number }
      assert.equal(seen.wide, false, 'nothing sticks out')
      assert.ok(seen.plots >= 15, `${seen.plots} plots`)
      assert.ok(seen.claims >= 18)
      assert.equal(seen.scripts, 0)
      const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as {
        violations: { id: string; help: string; nodes: { target: string[] }[] }[]
      }
      assert.deepEqual(
        violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, ${nodes[0]?.target.join(' ')})`),
        [],
      )
      assert.deepEqual(problems, [])
    })
  }
}
