/** `comity forget`: remove a page or a whole site everywhere, and keep it out. */
import { join } from 'node:path'
import { Collection, countSent, forgetPages, forgetSite } from '@comity/collection'
import type { Forgotten, ForgottenSent } from '@comity/collection'
import { FORGOTTEN } from '@comity/frontier'
import { earlierTotals, pagesNeedingScripts, TOTALS } from '@comity/ingest'
import { IndexUpdater } from '@comity/search'
import { redactSent } from '@comity/crawler'
import type { Frontier } from '@comity/frontier'
import { readIndexManifest } from '@comity/index'
import { canonicalPath, canonicalUrl, defaultUrlRules, siteOf, withCanonicalPath } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { requireOnePlace, wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { restoredFrontier } from './collection-view.ts'
import { sayUrlRules } from './url-rules-note.ts'
import { withScheme } from '../crawl/options.ts'
import { counted } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { NotThere, UsageError } from '../usage-error.ts'

interface ForgetSettings extends WholeSettings {
  readonly dryRun: boolean
  readonly ifKnown: boolean
  readonly keepOut: boolean
  readonly json: boolean
}

export const forgetCommand: Command<ForgetSettings> = {
  name: 'forget',
  summary: 'remove a page or a whole site everywhere, and keep it out',
  operands: [
    { name: 'DIR', help: 'the collection to remove it from; none with --cluster', optional: true },
    {
      name: 'WHAT',
      help: 'a page, https://example.org/page, or a whole site, https://example.org, without a slash at its end',
      optional: true,
    },
  ],
  flags: {
    dryRun: off('only say what would go'),
    ifKnown: off('what is not known here is nothing to do, and no mistake'),
    keepOut: off('the same, and a page that is not known here is kept out from now on'),
    json: off('print what went as one JSON object'),
    ...wholeFlags,
  },
  examples: [
    ['comity forget example https://example.org/private', 'one page: rows, links, captures, and its WARC records'],
    ['comity forget example https://example.org', 'all pages of that site'],
    ['comity forget example https://example.org --dry-run', 'how many that would be'],
    [
      'comity forget --cluster nats://nats.intranet:4222 --name web https://example.org/private',
      'on all machines, and in the copies of their shards',
    ],
  ],
  notes: [
    'A page goes in every spelling of its address, and comes back by none: /page, //page, /p%61ge, /x/..%2Fpage.',
    'It cannot be undone. WARC files that hold something of it are written anew, so there must be room for them twice.',
    'What was sent and waits, or was kept aside, goes too. Of an item that holds other pages as well the rest stays, or these ' +
      'pages are visited; what cannot be read and may hold it goes as a whole.',
  ],
  run: runForget,
}

interface Target {
  readonly kind: 'page' | 'site'
  /** Canonical: the page's URL, or the site's origin. */
  readonly name: string
}

async function runForget({ settings, operands, terminal }: Call<ForgetSettings>): Promise<number> {
  if (settings.cluster === undefined) {
    const [dir, typed] = operands
    requireOnePlace(dir, settings)
    return await forgetHere(dir ?? '', required(typed), settings, terminal)
  }
  const [typed, more] = operands
  requireOnePlace(more, settings)
  const { forgetWhole } = await import('../cluster/whole-forget.ts')
  return await forgetWhole(settings, targetOf(required(typed), defaultUrlRules), terminal)
}

function required(typed: string | undefined): string {
  if (typed === undefined)
    throw new UsageError('WHAT is missing: a page, https://example.org/page, or a site, https://example.org.')
  return typed
}

async function forgetHere(dir: string, typed: string, settings: ForgetSettings, terminal: Terminal): Promise<number> {
  // For its complaints: opening to write would make a collection where none is.
  targetOf(typed, defaultUrlRules)
  await sayUrlRules(dir, terminal)
  const { dryRun } = settings
  // Who only asks may do so while a crawl is at work.
  await using collection = dryRun ? Collection.openReadOnly(dir) : await Collection.open(dir, Date.now())
  const target = targetOf(typed, collection.urlRules())
  const home = settings.keepOut ? siteOf(target.name) : undefined
  const frontier = restoredFrontier(collection, Date.now(), dryRun || collection.wasClosed, home)
  const found = await sentOf(collection, target)
  const pages = pagesOf(collection, frontier, target, {
    isKeptOut: settings.keepOut || found.items + found.letters > 0,
    mayBeUnknown: settings.keepOut || settings.ifKnown,
  })
  const isLive = terminal.liveColumns() !== undefined
  const onStep = (step: string): void => (isLive ? terminal.say(step) : undefined)
  const gone = dryRun ? undefined : await forgetAll(collection, frontier, target, pages, onStep)
  const { items, letters } = gone?.sent ?? found
  const sent = [
    ...(items === 0 ? [] : [`${counted(items, 'item')} of what was sent`]),
    ...(letters === 0 ? [] : [counted(letters, 'dead letter')]),
  ]
  const size = `${target.name}: ${[counted(pages.length, 'page'), ...sent].join(', ')}`
  if (settings.json) {
    terminal.print(
      JSON.stringify({
        collection: dir,
        [target.kind]: target.name,
        pages: pages.length,
        sent: items,
        letters,
        forgotten: gone !== undefined,
      }),
    )
  } else if (gone === undefined) terminal.print(`${size} would be forgotten`)
  else terminal.print(`${size} forgotten; ${counted(gone.warcFiles, 'WARC file')} written anew`)
  return 0
}

/** A URL without a path is its site; with one, also a bare slash, it is a page. */
function targetOf(typed: string, rules: UrlRules): Target {
  const url = canonicalUrl(withScheme(typed), undefined, rules)
  if (url === undefined)
    throw new UsageError(
      `"${typed}" is neither a page nor a site: write https://example.org/page or https://example.org.`,
    )
  const isSite = /^(?:https?:\/\/)?[^/?#]+$/.test(typed)
  return isSite ? { kind: 'site', name: siteOf(url) } : { kind: 'page', name: url }
}

const sentOf = (collection: Collection, { kind, name }: Target): Promise<ForgottenSent> =>
  countSent(collection, kind === 'page' ? { url: name } : { origin: name }, redactSent)

interface Leniency {
  /** It may be that no crawl knows it yet, as it is held as it came or is only to be kept out. It is from now on, as one to stay away from. */
  readonly isKeptOut: boolean
  readonly mayBeUnknown: boolean
}

function pagesOf(
  collection: Collection,
  frontier: Frontier,
  { kind, name }: Target,
  { isKeptOut, mayBeUnknown }: Leniency,
): number[] {
  const origin = siteOf(name)
  const away = frontier.elsewhere?.of(origin)
  if (away !== undefined) return pagesElsewhere(collection, away.site, { kind, name }, mayBeUnknown)
  const { pages, sites } = frontier
  const site = sites.find((one) => one.origin === origin)
  if (kind === 'page') {
    const found = site === undefined ? [] : pagesSpelled(collection, frontier, site.id, name)
    if (found.length === 0 && isKeptOut) return [frontier.offer(name, { depth: 0, seed: 0 })]
    if (found.length === 0 && !mayBeUnknown)
      throw new NotThere(`${name} is not known here, so there is nothing to forget. --exclude keeps it out of a crawl.`)
    return found
  }
  if (site === undefined && (isKeptOut || mayBeUnknown)) return []
  if (site === undefined)
    throw new NotThere(`No page of ${name} is known here. --do-not-crawl keeps a host out of a crawl.`)
  const found: number[] = []
  for (let page = 0; page < pages.count; page++) {
    if (pages.siteOf(page) === site.id && pages.stateOf(page) !== FORGOTTEN) found.push(page)
  }
  return found
}

/** Rows of pages that are at home in another shard, which have their whole URLs; what they say of links goes with them. */
function pagesElsewhere(collection: Collection, site: number, { kind, name }: Target, mayBeUnknown: boolean): number[] {
  const plain = withCanonicalPath(name)
  const isMeant = (url: string): boolean =>
    url !== '' && (kind === 'site' ? siteOf(url) === name : withCanonicalPath(url) === plain)
  const found: number[] = []
  for (const [page, text] of collection.texts()) if (text.site === site && isMeant(text.path)) found.push(page)
  if (found.length === 0 && !mayBeUnknown)
    throw new NotThere(`${name} is not known here, so there is nothing to forget.`)
  return found
}

/** A page is the same in every spelling of its path, and goes in all of them; it may be forgotten already by one. */
function pagesSpelled(collection: Collection, frontier: Frontier, site: number, name: string): number[] {
  const known = frontier.findUrl(name)
  const found = new Set(known === -1 ? [] : [known])
  const path = pathOf(withCanonicalPath(name))
  for (const [page, text] of collection.texts())
    if (text.site === site && text.path !== '' && canonicalPath(text.path) === path) found.add(page)
  return [...found]
}

/** By the plain spelling whoever comes with another one is known; nobody may have come by it yet. */
function keepOut(frontier: Frontier, name: string): number[] {
  const plain = withCanonicalPath(name)
  const isHere = frontier.elsewhere?.of(siteOf(name)) === undefined
  return isHere && frontier.findUrl(plain) === -1 ? [frontier.offer(plain, { depth: 0, seed: 0 })] : []
}

const pathOf = (url: string): string => url.slice(siteOf(url).length)

async function forgetAll(
  collection: Collection,
  frontier: Frontier,
  { kind, name }: Target,
  pages: readonly number[],
  onStep: (step: string) => void,
): Promise<Forgotten> {
  const held = pages.filter((page) => collection.page(page)?.body !== undefined).length
  const hasIndex = readIndexManifest(join(collection.dir, 'index')).generation > 0
  if (hasIndex) {
    onStep('taking them out of the index')
    await forgetInIndex(collection, frontier, pages)
  }
  const leaving = kind === 'page' ? [...pages, ...keepOut(frontier, name)] : pages
  for (const page of leaving) frontier.forget(page)
  const site = kind === 'site' ? frontier.site(name) : undefined
  const options = { frontier: frontier.drain(), onStep, redact: redactSent }
  const gone =
    site === undefined
      ? await forgetPages(collection, leaving, Date.now(), { ...options, urls: [name, withCanonicalPath(name)] })
      : await forgetSite(collection, site, Date.now(), options)
  // What is gone counts no more, neither in a summary nor against --max-pages.
  const totals = earlierTotals(collection)
  const needsScripts = pagesNeedingScripts(collection)
  if (totals !== undefined) collection.putFact(TOTALS, { ...totals, pages: totals.pages - held, needsScripts })
  await collection.commit(frontier.drain())
  if (hasIndex) {
    await using feed = new IndexUpdater(collection)
    await feed.catchUp()
  }
  return gone
}

/**
 * The words of the pages, and what their links say about others, leave the index first: were we killed in between, the
 * pages would still be there and the command could be given again. That others must be indexed anew without those links
 * is written down before, so that it happens whatever comes.
 */
async function forgetInIndex(collection: Collection, frontier: Frontier, pages: readonly number[]): Promise<void> {
  const concerned = new Set(pages)
  for (const page of pages) for (const { to } of collection.links(page)) concerned.add(to)
  for (const page of concerned) collection.touch(page)
  await collection.commit(frontier.drain())
  await using feed = new IndexUpdater(collection)
  feed.purge(concerned)
}
