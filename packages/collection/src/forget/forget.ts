/**
 * Forget: remove pages everywhere: rows, captures, links from and to them, texts, simhashes, and their WARC records; before that,
 * what was sent of them (`forget/sent.ts`).
 *
 *   plan ─▶ WARC files rewritten beside the old ones ─▶ state copied without them ─▶ the copy gets its number ─▶ old
 *   files removed
 *
 * The old state refers to the old WARC files and the new one to the new, so giving the copy its number is the one step
 * that counts: a crash before it leaves the old collection, a crash after it the new, and opening removes the other's
 * files. What other pages say themselves (a link in their stored HTML, a site's robots.txt) is theirs and stays.
 *
 * Afterwards a page's id and 64-bit key remain, so that it is not fetched again; so does the origin of a site.
 */
import { rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Instant } from '@comity/protocol'
import type { Collection, Holdings } from '../collection.ts'
import { dropLetters } from '../faults/dead-letters.ts'
import { diskRoom } from '../warc/disk-room.ts'
import { syncPath } from '@comity/disk'
import { diskFull } from '../errors.ts'
import { planForgetting } from './plan.ts'
import type { ForgetPlan, Leaving } from './plan.ts'
import { rowsAfterForgetting } from './forgotten-rows.ts'
import { forgetSent } from './sent.ts'
import type { ForgetSentOptions, ForgottenSent } from './sent.ts'
import { editFor } from './warc.ts'
import { putFrontierRows } from '../rows/frontier-rows.ts'
import type { FrontierRows } from '../rows/frontier-rows.ts'
import { copyState } from '../rows/state-copy.ts'
import { adoptNextState, createNextState, currentStatePath } from '../rows/state.ts'
import { nextRevision, warcPath } from '../warc/warc-store.ts'
import type { WarcState } from '../warc/warc-store.ts'
import { rewriteWarc } from '../warc/warc-rewrite.ts'
import type { Relocation } from '../warc/warc-rewrite.ts'
import { FACTS } from '../rows/facts.ts'
import { encodeChanges } from '../rows/change-list.ts'

export interface ForgetOptions {
  /** What the frontier says about them (`Frontier.forget`, then `drain`): takes effect in the same step. */
  readonly frontier?: FrontierRows
  /** Addresses of pages that were forgotten before, say by a version that left what was sent. */
  readonly urls?: readonly string[]
  /** Reads what was sent: `redactSent` of `@comity/crawler`. Without it, all that may hold one of the pages goes. */
  readonly redact?: ForgetSentOptions['redact']
  /** Called before each step, with a sentence for people. */
  readonly onStep?: (step: string) => void
}

export interface Forgotten {
  readonly pages: number
  readonly warcFiles: number
  readonly sent: ForgottenSent
}

/** Forget pages by id. Ids that were forgotten before are harmless. */
export async function forgetPages(
  collection: Collection,
  pages: readonly number[],
  now: Instant,
  options: ForgetOptions = {},
): Promise<Forgotten> {
  return await forget(collection, leavingPages(collection, pages, options), now, options)
}

function leavingPages(
  collection: Collection,
  pages: readonly number[],
  { frontier, urls = [] }: ForgetOptions,
): Leaving {
  const known = pages.map((page) => urlIn(collection, page, frontier)).filter((url) => url !== undefined)
  return { ...NOTHING, pages: new Set(pages), urls: new Set([...known, ...urls]) }
}

/** Forget every known page of a site, and the site's robots.txt. `forgottenSites` names it from then on. */
export async function forgetSite(
  collection: Collection,
  site: number,
  now: Instant,
  options: ForgetOptions = {},
): Promise<Forgotten> {
  const pages = new Set<number>()
  for (const [page, text] of collection.texts()) if (text.site === site) pages.add(page)
  const origins = new Set([originIn(collection, site, options.frontier)])
  return await forget(collection, { pages, urls: new Set(), sites: new Set([site]), origins }, now, options)
}

/** How much of what was sent, and is still held as it came, speaks of a page or of a site, by its origin. */
export async function countSent(
  collection: Collection,
  what: { readonly url: string } | { readonly origin: string },
  redact?: ForgetSentOptions['redact'],
): Promise<ForgottenSent> {
  const named = 'url' in what ? { urls: new Set([what.url]) } : { origins: new Set([what.origin]) }
  return await forgetSent(collection, { ...NOTHING, ...named }, 0, { redact, isDry: true })
}

/**
 * Let go of what pages said, and keep what is known of them: rows, links, texts. Their WARC records go, but for bodies
 * that another page has too.
 */
export async function dropContents(
  collection: Collection,
  pages: readonly number[],
  now: Instant,
  options: ForgetOptions = {},
): Promise<Forgotten> {
  const urls = pages.map((page) => collection.url(page)).filter((url) => url !== undefined)
  const leaving = { ...NOTHING, pages: new Set(pages), urls: new Set(urls) }
  return await forget(collection, leaving, now, { ...options, keepRows: true })
}

/** Origins that were forgotten as a whole: nothing of them may be crawled again. */
export function forgottenSites(collection: Collection): ReadonlySet<string> {
  return new Set(collection.fact(FACTS.forgottenSites))
}

async function forget(
  collection: Collection,
  leaving: Leaving,
  now: Instant,
  options: ForgetOptions & { readonly keepRows?: boolean },
): Promise<Forgotten> {
  let warcFiles = 0
  // First: it is no more than a copy of what was sent, and were we killed behind it, the pages would still be known.
  const sent =
    options.keepRows === true
      ? dropOwnLetters(collection, leaving)
      : await forgetSent(collection, leaving, now, options)
  await collection.replaceState(async (holdings) => {
    warcFiles = await writeSuccessor(holdings, {
      leaving,
      urlOf: (page) => collection.url(page) ?? '',
      now,
      ...options,
    })
  })
  return { pages: leaving.pages.size, warcFiles, sent }
}

/** To make room, what is about one of the pages and no other goes; what waits is still wanted. */
function dropOwnLetters(collection: Collection, { urls }: Leaving): ForgottenSent {
  return { items: 0, letters: dropLetters(collection.dir, ({ url = '' }) => urls.has(url)) }
}

const NOTHING: Leaving = { pages: new Set(), urls: new Set(), sites: new Set(), origins: new Set() }

interface Task extends ForgetOptions {
  readonly leaving: Leaving
  /** Records go, rows stay. */
  readonly keepRows?: boolean
  readonly urlOf: (page: number) => string
  readonly now: Instant
}

async function writeSuccessor(holdings: Holdings, task: Task): Promise<number> {
  const { leaving, urlOf, onStep = () => undefined } = task
  onStep('looking for what goes')
  const plan = planForgetting(holdings.state, leaving, urlOf)
  await requireRoom(holdings, plan.files)
  const rewritten = await rewriteFiles(holdings, plan, onStep)
  try {
    await copyRows(holdings, plan, rewritten, task)
  } catch (error) {
    removeAll(rewritten.paths)
    throw error
  }
  onStep('putting the copy in place')
  adoptNextState(holdings.dir)
  onStep('removing the old files')
  return plan.files.size
}

interface Rewritten {
  readonly warc: WarcState
  readonly relocations: ReadonlyMap<number, Relocation>
  readonly paths: readonly string[]
}

async function rewriteFiles(holdings: Holdings, plan: ForgetPlan, onStep: (step: string) => void): Promise<Rewritten> {
  const { dir, warc } = holdings
  const folder = join(dir, 'warc')
  const names = [...warc.names]
  const relocations = new Map<number, Relocation>()
  const paths: string[] = []
  let { goodBytes } = warc
  try {
    for (const file of plan.files) {
      const from = warcPath(folder, names, file)
      const name = nextRevision(basename(from))
      const isNewest = file === names.length - 1
      onStep(`rewriting ${name}`)
      const to = join(folder, name)
      paths.push(to)
      const edit = editFor(plan, holdings, file, name)
      const bytes = isNewest ? goodBytes : statSync(from).size
      const { relocation, size } = await rewriteWarc(from, bytes, to, edit)
      names[file] = name
      relocations.set(file, relocation)
      if (isNewest) goodBytes = size
    }
  } catch (error) {
    removeAll(paths)
    throw error
  }
  syncPath(folder)
  return { warc: { names, goodBytes }, relocations, paths }
}

async function copyRows({ dir, state }: Holdings, plan: ForgetPlan, rewritten: Rewritten, task: Task): Promise<void> {
  const { now, frontier, keepRows = false, onStep = () => undefined } = task
  const [leaving, said] = keepRows ? [NOTHING, { ...plan, leaves: () => false }] : [task.leaving, plan]
  const { tables, facts, silence } = rowsAfterForgetting({ leaving, plan: said, now, ...rewritten })
  const next = createNextState(dir)
  try {
    copyState(state, next, tables, (table) => onStep(`copied ${table}`))
    next.root.transactionSync(() => {
      for (const [name, value] of Object.entries(facts(state))) void next.meta.put(name, value)
      // Whoever follows the changes hears of it in the very state that does not have them any more.
      if (leaving.pages.size > 0) {
        const [lastChange] = next.changes.getKeys({ reverse: true, limit: 1 })
        void next.changes.put((lastChange ?? 0) + 1, encodeChanges([...leaving.pages]))
      }
      if (frontier === undefined) return
      const [last] = next.pageLog.getKeys({ reverse: true, limit: 1 })
      putFrontierRows(next, (last ?? 0) + 1, silence(frontier), new Map())
    })
  } finally {
    await next.root.close()
  }
}

function removeAll(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true })
}

/** For a while both the old and the new files are there. */
async function requireRoom({ dir, warc, minFreeBytes }: Holdings, files: ReadonlySet<number>): Promise<void> {
  const sizes = Array.from(files, (file) => statSync(warcPath(join(dir, 'warc'), warc.names, file)).size)
  const needed = sizes.reduce((sum, size) => sum + size, statSync(currentStatePath(dir)).size)
  const room = await diskRoom(dir, minFreeBytes)
  if (room.free < needed + room.reserve) throw diskFull(dir, undefined, room)
}

/** The URL of a page, also of one that only the batch at hand knows. */
function urlIn(collection: Collection, page: number, frontier: FrontierRows | undefined): string | undefined {
  const fresh = frontier?.texts[page - frontier.first]
  if (fresh === undefined) return collection.url(page)
  return originIn(collection, fresh.site, frontier) + fresh.path
}

function originIn(collection: Collection, site: number, frontier: FrontierRows | undefined): string {
  return frontier?.sites.find(([id]) => id === site)?.[1].origin ?? collection.origin(site)
}
