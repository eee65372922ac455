/** A real browser for tests of pages: Debian's Chromium, driven by playwright. The tests of a file share it, one after the other. */
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import type { TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let shared: Promise<Browser> | undefined
after(async () => await (await shared)?.close())

/** Undefined when there is none. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const path = browserFor(t)
  if (path === undefined) return undefined
  shared ??= launchBrowser(path)
  const browser = await shared
  // What a test opened, the next does not find.
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

const ADVICE = 'no Chromium: apt-get install chromium, or name one in COMITY_CHROMIUM'

/** Where it is. Without one the test is skipped, and says how to get one. Where all must be there it fails. */
export function browserFor(t: TestContext): string | undefined {
  const path = browserPath()
  if (path !== undefined) return path
  if (process.env['COMITY_REQUIRE_ALL'] !== undefined) throw new Error(ADVICE)
  t.skip(ADVICE)
  return undefined
}

export const browserPath = (): string | undefined =>
  [process.env['COMITY_CHROMIUM'], ...PATHS].find((one) => one !== undefined && existsSync(one))

export async function launchBrowser(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  const args = [...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return await chromium.launch({ executablePath, args })
}
