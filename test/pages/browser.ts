/** A real browser for tests of pages: Debian's Chromium, driven by playwright. The tests of a file share it, one after the other. */
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import type { TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let shared: Promise<Browser> | undefined
after(async () => await (await shared)?.close())

/** Undefined when there is none: the test is skipped then, and says how to get one. Where all must be there it fails. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const path = [process.env['COMITY_CHROMIUM'], ...PATHS].find((one) => one !== undefined && existsSync(one))
  if (path === undefined) {
    const advice = 'no Chromium: apt-get install chromium, or name one in COMITY_CHROMIUM'
    if (process.env['COMITY_REQUIRE_ALL'] !== undefined) throw new Error(advice)
    t.skip(advice)
    return undefined
  }
  shared ??= chromium.launch({ executablePath: path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  const browser = await shared
  // What a test opened, the next does not find.
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}
