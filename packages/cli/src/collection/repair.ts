/**
 * Repair: a damaged collection made whole from what of it can be read.
 *
 *   state cannot be read    a new collection takes in the archive, takes the place of the damaged one, and that is kept beside it
 *   some rows cannot        they go, and what the archive has of their pages is taken in again
 *   copies cannot           their pages are fetched whole by the next visit
 *   the index cannot        it is made anew from the archive
 */
import { cpSync, createReadStream, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  Collection,
  collectionDefaults,
  examineState,
  FACTS,
  isMendable,
  removeRows,
  renewManifest,
  storedContent,
  wantWhole,
} from '@comity/collection'
import type { StateTrial } from '@comity/collection'
import { importArchives } from '@comity/crawler'
import type { Archive, ImportSummary } from '@comity/crawler'
import { indexDamage } from '@comity/index'
import { IndexUpdater } from '@comity/search'
import { removeIndex } from './index-command.ts'
import { openView, restoredFrontier } from './collection-view.ts'

export interface RepairReport {
  readonly collection: string
  /** What was wrong, in words; nothing where all is well. */
  readonly found: readonly string[]
  /** What was done about it. */
  readonly done: readonly string[]
  /** Pages whose copy cannot be read, and the first of them. */
  readonly lost: { readonly pages: number; readonly examples: readonly string[] }
  /** Records of the archive that cannot be read, by problem, where the archive was taken in again. */
  readonly records: Readonly<Record<string, number>>
  /** Where the damaged one is kept. */
  readonly keptAs?: string | undefined
}

type Say = (text: string) => void

const MAX_EXAMPLES = 20

export async function repair(dir: string, now: number, isDry: boolean, say: Say): Promise<RepairReport> {
  const repairing = new Repairing(dir, now, isDry, say)
  await repairing.all()
  return repairing.report
}

class Repairing {
  readonly #dir: string
  readonly #now: number
  readonly #isDry: boolean
  readonly #say: Say
  readonly #found: string[] = []
  readonly #done: string[] = []
  #lost: { page: number; url: string }[] = []
  #records: Readonly<Record<string, number>> = {}
  #keptAs: string | undefined

  constructor(dir: string, now: number, isDry: boolean, say: Say) {
    this.#dir = dir
    this.#now = now
    this.#isDry = isDry
    this.#say = say
  }

  get report(): RepairReport {
    const examples = this.#lost.slice(0, MAX_EXAMPLES).map(({ url }) => url)
    const lost = { pages: this.#lost.length, examples }
    const [collection, found, done, records, keptAs] = [this.#dir, this.#found, this.#done, this.#records, this.#keptAs]
    return { collection, found, done, lost, records, keptAs }
  }

  async all(): Promise<void> {
    this.#mendManifest()
    this.#say('reading the state')
    const trial = examineState(this.#dir)
    const problem = trial.kind === 'unreadable' ? trial.problem : await this.#inconsistency(trial)
    if (problem !== undefined) return await this.#rebuild(problem, trial)
    if (trial.kind === 'read') await this.#mendRows(trial)
    await this.#mendCopies()
    await this.#mendIndex()
  }

  #mendManifest(): void {
    if (this.#isDry) return
    if (!renewManifest(this.#dir, collectionDefaults.software, new Date(this.#now))) return
    this.#found.push('collection.json cannot be read')
    this.#done.push('collection.json is written anew; when the collection was begun is not known any more')
  }

  /** Rows that can each be read, and do not fit together. */
  async #inconsistency(trial: Extract<StateTrial, { kind: 'read' }>): Promise<string | undefined> {
    if (!isMendable(trial.damaged)) return `rows of ${Object.keys(trial.damaged).join(', ')} cannot be read`
    try {
      await using view = openView(this.#dir)
      for (const [page] of view.collection.texts()) void view.collection.url(page)
      for (const _ of view.collection.linkTargets()) continue
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : 'its rows do not fit together'
    }
  }

  async #rebuild(problem: string, trial: StateTrial): Promise<void> {
    this.#found.push(`the state cannot be read: ${problem}`)
    if (this.#isDry) return void this.#done.push('it would be made again from the archive')
    const fresh = `${this.#dir}.repaired-${process.pid}`
    const facts = trial.kind === 'read' ? trial.facts : {}
    const { skipped, pages } = await this.#takeIn(fresh, facts, true)
    await this.#keepFacts(fresh, facts)
    for (const name of readdirSync(this.#dir))
      if (!MADE_ANEW.test(name)) cpSync(join(this.#dir, name), join(fresh, name), { recursive: true })
    const kept = `${this.#dir}.damaged-${new Date(this.#now).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}`
    renameSync(this.#dir, kept)
    renameSync(fresh, this.#dir)
    this.#keptAs = kept
    this.#records = Object.fromEntries(Object.entries(skipped).filter(([name]) => BROKEN.has(name)))
    this.#done.push(
      `state and index are made again from the archive: ${pages} pages`,
      'the queue is lost, and what was learnt of how pages change: name the start pages again to go on crawling',
    )
  }

  async #mendRows({ damaged }: Extract<StateTrial, { kind: 'read' }>): Promise<void> {
    const rows = Object.entries(damaged).map(([table, keys]) => `${keys.length} of ${table}`)
    if (rows.length === 0) return
    this.#found.push(`rows that cannot be read: ${rows.join(', ')}`)
    if (this.#isDry) return void this.#done.push('they would be made again from the archive')
    const removed = await removeRows(this.#dir, damaged)
    const { captures, skipped } = await this.#takeIn(this.#dir, {}, false)
    this.#records = Object.fromEntries(Object.entries(skipped).filter(([name]) => BROKEN.has(name)))
    this.#done.push(`${removed} rows are gone, and ${captures} captures are taken in again from the archive`)
  }

  /** Files as they are now: what is taken in is written behind them. */
  async #takeIn(into: string, facts: Readonly<Record<string, unknown>>, index: boolean): Promise<ImportSummary> {
    this.#say('taking in the archive')
    const rules = FACTS.urlRules.isOne(facts['urlRules']) ? { urlRules: facts['urlRules'] } : {}
    return await importArchives({ into, archives: archivesOf(this.#dir), index, ...rules })
  }

  async #keepFacts(into: string, facts: Readonly<Record<string, unknown>>): Promise<void> {
    const { seeds, forgottenSites } = FACTS
    await using collection = await Collection.open(into, this.#now)
    if (seeds.isOne(facts['seeds'])) collection.putFact(seeds, facts['seeds'])
    if (forgottenSites.isOne(facts['forgottenSites'])) collection.putFact(forgottenSites, facts['forgottenSites'])
    await collection.commit(restoredFrontier(collection, this.#now, true).drain())
  }

  async #mendCopies(): Promise<void> {
    this.#say('reading the archive')
    {
      await using collection = Collection.openReadOnly(this.#dir)
      for (const { key: page, value } of collection.pages())
        if (value.body !== undefined && storedContent(collection, value.body).kind === 'damaged')
          this.#lost.push({ page, url: collection.url(page) ?? '(forgotten)' })
    }
    if (this.#lost.length === 0) return
    this.#found.push(`${this.#lost.length} pages have a damaged copy in the archive`)
    if (this.#isDry) return
    await wantWhole(
      this.#dir,
      this.#lost.map(({ page }) => page),
    )
    this.#done.push(
      'their words stay in the index, and the next visit brings them whole: comity crawl --revisit 0s, or comity watch',
    )
  }

  async #mendIndex(): Promise<void> {
    this.#say('reading the index')
    const problem = indexDamage(join(this.#dir, 'index'))
    if (problem === undefined) return
    this.#found.push(`the index cannot be read: ${problem}`)
    if (this.#isDry) return void this.#done.push('it would be made again from the archive')
    await using collection = await Collection.open(this.#dir, this.#now)
    removeIndex(this.#dir)
    await using updater = new IndexUpdater(collection)
    await updater.catchUp()
    await updater.finish()
    this.#done.push('the index is made again from the archive')
  }
}

const MADE_ANEW = /^(?:state|warc|index|collection\.json|writer-\d+\.lock|crawl\.sock|serve\.token|attempts-.*)$/

/** Problems of the WARC reader that took a record with them. */
const BROKEN: ReadonlySet<string> = new Set([
  'truncated',
  'bad-gzip',
  'bad-version',
  'bad-header',
  'bad-length',
  'gave-up',
])

function* archivesOf(dir: string): Generator<Archive> {
  const names = readdirSync(join(dir, 'warc')).filter((name) => /^comity-.*\.warc\.gz$/.test(name))
  const sized = names.toSorted().map((name) => [name, statSync(join(dir, 'warc', name)).size] as const)
  for (const [name, size] of sized)
    if (size > 0)
      yield { name, bytes: createReadStream(join(dir, 'warc', name), { end: size - 1, highWaterMark: 1 << 18 }) }
}
