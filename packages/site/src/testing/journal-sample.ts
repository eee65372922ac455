/** Observations for tests: what page n holds follows from n and its version, so anybody can check it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Instant } from '@comity/protocol'
import { SiteError } from '../errors.ts'
import type { SiteErrorCode } from '../errors.ts'
import type { Observation, JournaledPage } from '../journal/journal.ts'
import { digestOf } from '../journal/version-store.ts'

export const AT: Instant = Date.UTC(2026, 10, 1)

export const bodyOf = (path: string, version: number): Buffer =>
  Buffer.from(`<title>${path}</title><p>version ${version} ${'words '.repeat(version % 50)}</p>`)

export function pageOf(path: string, version = 1, more: Partial<JournaledPage> = {}): JournaledPage {
  const body = bodyOf(path, version)
  const modifiedAt = AT + version
  return { path, modifiedAt, digest: digestOf(body), bytes: body.length, type: 'text/html', ...more }
}

export const withBody = (path: string, version = 1): Observation => ({
  ...pageOf(path, version),
  body: bodyOf(path, version),
})

export const gone = (path: string): Observation => ({ path, gone: true })

export function testFolder(t: Pick<TestContext, 'after'>): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-site-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export const failsAs =
  (code: SiteErrorCode, pattern: RegExp) =>
  (error: unknown): boolean =>
    error instanceof SiteError && error.code === code && pattern.test(error.message)
