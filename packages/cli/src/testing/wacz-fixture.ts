/**
 * WACZ fixture: a small crawl and its export, made once for the tests of a file, and the files that a WACZ holds.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createLivingWeb } from '@comity/testbed'
import { readZipDirectory, readZipEntry } from '@comity/protocol'
import type { ByteSource, ZipEntry } from '@comity/protocol'
import { fileSource } from '../crawl/archive-source.ts'
import { comity, comityHere, temporaryFolder } from './spawned-comity.ts'
import type { TemporaryFolder } from './spawned-comity.ts'

interface WaczFixture extends AsyncDisposable {
  readonly folder: TemporaryFolder
  /** The collection, its export, and the pages that are in it. */
  readonly crawled: string
  readonly wacz: string
  readonly urls: ReadonlySet<string>
}

const calm = { odd: false, latencyMs: 1, bytesPerSecond: Infinity, changeEveryMs: Infinity }
const fast = ['--allow-private', '--delay', '0', '--pages-per-connection', '100', '--threads', '0']

export async function createWaczFixture(seed: number): Promise<WaczFixture> {
  const folder = temporaryFolder()
  await using web = await createLivingWeb({
    seed,
    sites: [
      { ...calm, pages: 30, robots: 'allow', sitemap: true },
      { ...calm, pages: 12, robots: 'allow', sitemap: false },
    ],
  })
  const [crawled, wacz] = [folder.at('crawled'), folder.at('crawled.wacz')]
  const crawl = await comity(['crawl', ...web.sites.map(({ origin }) => `${origin}/`), '--into', crawled, ...fast])
  assert.equal(crawl.code, 0, crawl.stderr)
  const exported = await comityHere(['export', crawled, '--wacz', wacz])
  assert.equal(exported.code, 0, exported.stderr)
  const { urls } = web.reachable()
  return {
    folder,
    crawled,
    wacz,
    urls,
    [Symbol.asyncDispose]: async () => await Promise.resolve(folder[Symbol.dispose]()),
  }
}

async function contentOf(source: ByteSource, entry: ZipEntry): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const bytes = readZipEntry(source, entry)
  let step = await bytes.next()
  for (; step.done !== true; step = await bytes.next()) pieces.push(step.value)
  assert.deepEqual(step.value, { kind: 'sound' })
  return Buffer.concat(pieces)
}

/** Every file of a WACZ, by its path. */
export async function filesOf(path: string): Promise<Map<string, Buffer>> {
  await using handle = await open(path)
  const source = await fileSource(handle)
  const directory = await readZipDirectory(source)
  assert.ok(directory.kind === 'ok')
  const files = new Map<string, Buffer>()
  for (const entry of directory.entries) files.set(entry.name, await contentOf(source, entry))
  return files
}

export const linesIn = (bytes: Buffer | undefined): string[] => (bytes?.toString() ?? '').trimEnd().split('\n')

/** What is worth keeping of every page: all that does not say by whom or when it was visited. */
export async function pagesOf(dir: string, folder: TemporaryFolder): Promise<Record<string, unknown>[]> {
  const file = folder.at('pages.jsonl')
  const exported = await comityHere(['export', dir, '--jsonl', file, '--text'])
  assert.equal(exported.code, 0, exported.stderr)
  return linesIn(readFileSync(file))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ url, status, outcome, at, digest, bytes, title, language, type, etag, lastModified, text }) => {
      return { url, status, outcome, at, digest, bytes, title, language, type, etag, lastModified, text }
    })
    .toSorted((a, b) => (String(a.url) < String(b.url) ? -1 : 1))
}
