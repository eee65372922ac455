/**
 * What is known of a site's pages besides its log: sizes and times from its document root, and every change from a journal of
 * `comity publish`, where there is one. Nothing is written: a journal is read from a copy, as its own process may be at work.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isTextType } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { docrootReader, DocrootScanner, exportedGlobs, FileJournal, MemoryJournal, MemoryVersions } from '@comity/site'
import type { Journal } from '@comity/site'
import type { CountedPage } from '../../cooperating/counted-site.ts'

interface KnownPage {
  readonly bytes: number
  readonly type: string
  readonly modifiedAt: Instant
}

/** A page as it was, and as it became. */
interface ChangedPair {
  readonly path: string
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export interface SiteKnowledge {
  readonly pages: number
  readonly bytes: number
  /** Of texts. */
  readonly text: number
  page(path: string): KnownPage | undefined
  /** From when on the journal has every change; Infinity without one. */
  readonly changesSince: Instant
  /** When a page changed, rising, as far as the journal knows. */
  changesOf(path: string): readonly Instant[]
  /** Pages with their bytes, up to so many of both. */
  sample(most: number, bytes: number): Promise<readonly CountedPage[]>
  /** Versions that follow each other, the newest first, up to so many. */
  pairs(most: number): readonly ChangedPair[]
  readonly notes: readonly string[]
}

interface KnowledgeOptions {
  readonly docroot: string
  readonly base: string
  /** Of `comity publish`; `.comity-NAME` beside the document root unless given. */
  readonly journal?: string | undefined
  readonly now: Instant
}

const MAX_BODY_BYTES = 1 << 20

/** Throws a SiteError for a folder that cannot be read. */
export async function readSite({ docroot, base, journal, now }: KnowledgeOptions): Promise<SiteKnowledge> {
  const root = resolve(docroot)
  const scanned = new MemoryJournal({ id: 'scan', versions: new MemoryVersions({ maxBytes: 0 }) })
  const reject = exportedGlobs(new URL(base).pathname)
  // A file that is being written is looked at again by whoever publishes; here nobody waits for it.
  const world = { now: () => now, sleep: async () => undefined }
  await new DocrootScanner(scanned, { root, rules: { reject }, maxBodyBytes: 0 }, world).scan()
  const folder = resolve(journal ?? join(dirname(root), `.comity-${basename(root) || 'root'}`))
  const story = existsSync(join(folder, 'journal.log')) ? await readStory(folder) : undefined
  const pages = new Map<string, KnownPage>()
  for (const { path, bytes, type, modifiedAt } of scanned.pages()) pages.set(path, { bytes, type, modifiedAt })
  const read = docrootReader(root, MAX_BODY_BYTES)
  return {
    pages: pages.size,
    bytes: [...pages.values()].reduce((sum, page) => sum + page.bytes, 0),
    text: [...pages.values()].reduce((sum, { bytes, type }) => sum + (isTextType(type) ? bytes : 0), 0),
    page: (path) => pages.get(path),
    changesSince: story?.since ?? Infinity,
    changesOf: (path) => story?.changes.get(path) ?? [],
    sample: async (most, bytes) => await sampleOf(pages, read, most, bytes),
    pairs: (most) => (story?.pairs ?? []).slice(0, most),
    notes: [
      `${pages.size} public pages in ${docroot}.`,
      story === undefined
        ? `There is no journal at ${folder}, so changes are known by the last modification of files and by what the log shows.`
        : `The journal at ${folder} has ${story.count} changes from ${new Date(story.since).toISOString().slice(0, 10)} on.`,
    ],
  }
}

/** Evenly over all pages, so that no folder stands for the site. */
async function sampleOf(
  pages: ReadonlyMap<string, KnownPage>,
  read: (path: string) => Promise<Uint8Array | undefined>,
  most: number,
  maxBytes: number,
): Promise<readonly CountedPage[]> {
  const paths = [...pages.keys()]
  const step = Math.max(1, paths.length / most)
  const sample: CountedPage[] = []
  let bytes = 0
  for (let at = 0; at < paths.length && sample.length < most && bytes < maxBytes; at += step) {
    const path = paths[Math.floor(at)]!
    const { modifiedAt, type } = pages.get(path)!
    const body = await read(path)
    if (body === undefined) continue
    sample.push({ path, body, modifiedAt, type })
    bytes += body.length
  }
  return sample
}

interface Story {
  readonly since: Instant
  readonly count: number
  readonly changes: ReadonlyMap<string, readonly Instant[]>
  readonly pairs: readonly ChangedPair[]
}

async function readStory(folder: string): Promise<Story> {
  const copy = mkdtempSync(join(tmpdir(), 'comity-journal-'))
  try {
    for (const name of ['journal.log', 'versions'])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(copy, name), { recursive: true })
    await using journal = await FileJournal.open(copy, { versions: { maxBytes: Infinity } })
    return storyOf(journal)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const MAX_PAIRS = 200

function storyOf(journal: Journal): Story {
  const all = journal.changesAfter(journal.since) ?? []
  const changes = new Map<string, Instant[]>()
  const digests = new Map<string, string>()
  const pairs: [path: string, before: string, after: string][] = []
  for (const { path, change, at, modifiedAt, digest } of all) {
    // When a page is first seen it has not changed; whoever scans by night sees by day's end what the file says was at noon.
    if (change !== 'created') {
      const list = changes.get(path)
      const when = change === 'updated' ? Math.min(at, modifiedAt) : at
      if (list === undefined) changes.set(path, [when])
      else list.push(Math.max(when, list.at(-1)!))
    }
    const before = digests.get(path)
    if (change === 'updated' && before !== undefined) pairs.push([path, before, digest])
    digests.set(path, digest)
  }
  const kept: ChangedPair[] = []
  for (const [path, before, after] of pairs.toReversed()) {
    const [one, other] = [journal.version(before), journal.version(after)]
    if (one !== undefined && other !== undefined) kept.push({ path, before: one, after: other })
    if (kept.length === MAX_PAIRS) break
  }
  return { since: all[0]?.at ?? Infinity, count: all.length, changes, pairs: kept }
}
