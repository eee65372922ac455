/** What every page of ours must be, checked in a real browser: open to everybody, quiet, and never a stranger's tool. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface WatchedPage {
  readonly page: Page
  /** Everything the browser complained about, and every request to somebody else than `base`. */
  readonly problems: string[]
}

export async function watchedPage(
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage(options)
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`)) problems.push(`asked for ${request.url()}`)
  })
  return { page, problems }
}

/** Something sticks out to the side. */
export const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

/** Until `expression` is true in the page. Playwright's own way evaluates strings there, which the policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 800; tries++) {
    // A page that is loading anew just then has no answer.
    const answer = await page.evaluate(expression).catch((error: Error) => {
      if (!/context was destroyed|navigat/i.test(error.message)) throw error
    })
    if (answer === true) return
    await page.waitForTimeout(25)
  }
  assert.fail(`never true: ${expression}`)
}

/** The rules that go by colours and by what fits: all others say the same of a page in any look. */
const LOOKS: readonly string[] = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable']

/** What axe finds; by `looks`, of what another look may change, where all the rest was asked of the page in this one's opposite. */
export async function checkAccess(page: Page, rules: 'all' | 'looks' = 'all'): Promise<string[]> {
  const runOnly = rules === 'all' ? {} : { runOnly: LOOKS }
  const options = JSON.stringify({ ...runOnly, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(`${axe}; axe.run(${options})`)) as {
    violations: { id: string; help: string; nodes: { target: string[] }[] }[]
  }
  return violations.map(
    ({ id, help, nodes }) => `${page.url()} ${id}: ${help} (${nodes.length}, ${nodes[0]?.target.join(' ')})`,
  )
}

/** Runs in the page: what no page of ours may hold, whatever strangers wrote. */
export const FOREIGN = `[
  ...[...document.querySelectorAll('*')].flatMap((element) => [...element.attributes]
    .filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => element.localName + ' has ' + name)),
  ...[...document.querySelectorAll('iframe, object, embed, base, math, style, img, video, audio')].map(({ localName }) => localName),
  ...[...document.scripts].filter(({ src }) => !src.startsWith(location.origin + '/static/')).map(({ src }) => 'script ' + src),
  ...[...document.links].map(({ href }) => href).filter((href) => !/^(?:https?:|about:invalid$)/.test(href)),
  ...[...document.forms].map(({ action }) => action).filter((action) => !action.startsWith(location.origin)),
  ...(window.ran === undefined ? [] : ['something ran']),
]`
