/**
 * Models: what the repository answers, plain data. The API sends them as JSON, the pages draw them; neither knows how
 * they were found. Instants are milliseconds since 1970.
 */
import type { LetterSummary } from '@comity/collection'
import type { PushStory, CooperationStory, FreshnessStory, WatchSample } from '@comity/follow'
import type { CrawlSample } from '@comity/crawler/control'
import type { GatewayRow, PageFact } from '@comity/ingest'
import type { Instant } from '@comity/protocol'
import type { ProgramsView } from '@comity/receiver'

export interface Statistics {
  readonly pages: { readonly known: number; readonly visited: number; readonly held: number; readonly waiting: number }
  /** Known: visited, or linked to. */
  readonly sites: number
  readonly visitedSites: number
  /** Of those that were visited, the ones of which a page is held. */
  readonly heldSites: number
  /** What was met that cannot be read, and stepped over: rows by their table, records by file and place. */
  readonly damaged: readonly string[]
  readonly captures: number
  readonly warcBytes: number
  readonly index: {
    readonly documents: number
    readonly segments: number
    readonly bytes: number
    readonly refused: readonly string[]
  }
  readonly outcomes: Readonly<Record<string, number>>
  readonly crawl: CrawlState
}

/** One of several collections that are searched as one. */
export interface CollectionModel {
  readonly name: string
  /** Pages that can be searched. */
  readonly documents: number
  /** What of its index cannot be read. */
  readonly problems: readonly string[]
}

export interface SeveralModel {
  readonly collections: readonly CollectionModel[]
}

/** A cluster as its machines say: `comity cluster status` prints the same. */
export interface WholeModel {
  readonly cluster: string
  readonly shards: readonly WholeShard[]
  readonly machines: readonly WholeMachine[]
  readonly job: { readonly number: number; readonly state: string; readonly seeds: number } | undefined
  readonly leaseMs: number
  readonly takeOverAfterMs: number
}

export interface WholeShard {
  readonly shard: number
  /** A machine; undefined when nobody has it now. */
  readonly owner: string | undefined
  readonly epoch: number
  readonly pages: number
  readonly waiting: number
  readonly lag: number
  readonly idle: boolean
  readonly copy?: { readonly epoch: number; readonly at: string; readonly bytes: number } | undefined
}

export interface WholeMachine {
  readonly id: string
  readonly host: string
  readonly answers: boolean
  readonly draining: boolean
  readonly keepers: readonly number[]
  readonly lent: number
}

/** The crawl that writes this collection right now, if one does. */
export type CrawlState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'running' | 'paused'
      readonly pid: number
      readonly startedAt: Instant
      readonly sample: LiveSample
    }

/** One moment of a running crawl; rates are over the time since the sample before. */
export type LiveSample = Omit<CrawlSample, 'state'> & {
  /** In a demonstration, which owns the sites: how fresh the copies really are. */
  readonly truth?: TruthSample | undefined
}

export interface TruthSample {
  /** Share of the pages held whose copy is as the page is, 0 to 1. */
  readonly freshness: number
  /** The same by kinds of sites, and what was spent on each since the watch began. */
  readonly groups: readonly TruthGroup[]
}

export interface TruthGroup {
  readonly name: string
  readonly sites: number
  readonly pages: number
  readonly freshness: number
  /** Mean, of copies that are outdated and of those that are not, for which it is 0. */
  readonly ageSeconds: number
  /** Of its pages, since the watch began. */
  readonly changes: number
  readonly requests: number
  readonly bytes: number
}

/** How fresh the collection is, what that costs, and whom to believe. */
export interface FreshnessModel {
  readonly crawl: CrawlState
  /** What the last watch came to, when none runs. */
  readonly last?: { readonly at: Instant; readonly watch: WatchSample } | undefined
  /** Sites that help crawlers, those that told most first. */
  readonly sites: readonly TrustRowModel[]
  readonly total: number
  /** Sites that were asked or visited and have nothing but their pages. */
  readonly ordinary: number
  readonly offset: number
  readonly limit: number
}

export interface TrustRowModel extends CooperationStory {
  readonly origin: string
  /** Pages held. */
  readonly held: number
}

/** Sites that send what changed: what came of that, and who is believed. */
export interface PushesModel {
  readonly crawl: CrawlState
  /** What the last watch came to, when none runs. */
  readonly last?: { readonly at: Instant; readonly watch: WatchSample } | undefined
  /** Those that sent most first. */
  readonly sites: readonly PushRowModel[]
  readonly total: number
  readonly offset: number
  readonly limit: number
  /** What was kept aside for a fault of ours. */
  readonly deadLetters: LetterSummary
}

export interface PushRowModel {
  readonly origin: string
  /** Pages held. */
  readonly held: number
  readonly calls: PushStory
}

/** What gateways saw people read. */
export interface ReadingModel {
  readonly now: Instant
  readonly gateways: readonly GatewayModel[]
  /** Hits of all pages together, those hours that had any, oldest first. */
  readonly hours: readonly { readonly hour: number; readonly people: number; readonly robots: number }[]
  /** Pages that were ever read. */
  readonly pages: number
  /** In this hour and the one before, the most read first. */
  readonly recent: readonly ReadPageModel[]
  /** To which no link leads, the most read first. */
  readonly unfound: readonly ReadPageModel[]
  readonly unfoundTotal: number
  /** What gateways run, or what is wrong with the file that says so; undefined where there is none. */
  readonly programs?: ProgramsView | string | undefined
}

export interface ReadPageModel extends PageRef {
  readonly people: number
  readonly robots: number
  readonly lastAt: Instant
}

export interface GatewayModel extends GatewayRow {
  readonly name: string
}

export interface SiteRowModel {
  readonly origin: string
  readonly known: number
  readonly held: number
  readonly errors: number
  readonly waiting: number
  /** Share of all importance that its pages have together, 0 to 1; 0 until it is known. */
  readonly importance: number
  /** The rest between two visits that counts now: ours, or a longer one that robots.txt or slowness asks for. */
  readonly delayMs: number
  readonly robots: string
  readonly backoffUntil?: Instant | undefined
  readonly strikes: number
  readonly lastVisitAt?: Instant | undefined
  /** Of a site that pushes, or offers to. */
  readonly calls?: PushStory | undefined
}

export interface SiteModel extends SiteRowModel {
  readonly outcomes: Readonly<Record<string, number>>
  /** robots.txt as it was read, cut. */
  readonly robotsText?: string | undefined
  readonly topPages: readonly PageRef[]
}

export interface PageRef {
  readonly key: number
  readonly url: string
  readonly title: string
}

export interface CaptureModel {
  readonly at: Instant
  readonly source: string
  readonly outcome: string
  readonly status: number
  readonly bytes: number
  readonly digest?: string | undefined
  /** Its body can be shown and compared. */
  readonly hasBody: boolean
  /** How the site served it, where it was not the whole page for one request. */
  readonly scheme?: string | undefined
  /** Why it was asked for again, in words. */
  readonly why?: string | undefined
}

export interface PageModel extends PageRef {
  /** What a person is told, name by name; most of it stands below, too, for programs. */
  readonly facts: readonly PageFact[]
  readonly site: string
  /** What it is known as; its place in the queue, and 0, where nobody has visited it. */
  readonly outcome: string
  readonly status: number
  /** Of the last visit, which may have told nothing new. */
  readonly lastOutcome?: string | undefined
  readonly lastStatus?: number | undefined
  readonly type?: string | undefined
  readonly language?: string | undefined
  readonly bytes: number
  readonly visits: number
  readonly changes: number
  readonly firstSeenAt?: Instant | undefined
  readonly visitedAt?: Instant | undefined
  readonly changedAt?: Instant | undefined
  readonly depth: number
  /** In multiples of the average page's; 0 until it is known. */
  readonly importance: number
  readonly foundOn?: PageRef | undefined
  readonly redirectTo?: string | undefined
  readonly canonical?: string | undefined
  readonly nearDuplicateOf?: PageRef | undefined
  readonly noindex: boolean
  readonly noarchive: boolean
  readonly problem?: string | undefined
  /** Of a page that is kept fresh. */
  readonly freshness?: FreshnessStory | undefined
  readonly captures: readonly CaptureModel[]
  readonly linksOut: readonly (PageRef & { readonly anchor: string })[]
  readonly linksIn: readonly (PageRef & { readonly anchor: string })[]
  /** More links than are listed. */
  readonly moreOut: number
  readonly moreIn: boolean
}

export interface DifferenceModel extends PageRef {
  readonly from: Instant
  readonly to: Instant
  /** Of the two captures' texts, line by line: kept, added, removed; long kept runs are one `skipped` line. */
  readonly lines: readonly { readonly kind: 'same' | 'added' | 'removed' | 'skipped'; readonly text: string }[]
  readonly added: number
  readonly removed: number
  readonly isCut: boolean
}

export interface GraphModel {
  /** `pages` are those held: 0 of a site that was never visited. */
  readonly sites: readonly { readonly origin: string; readonly pages: number; readonly importance: number }[]
  /** Links between sites: indexes into `sites`, and how many. */
  readonly links: readonly (readonly [from: number, to: number, links: number])[]
  /** Sites left out, as only the most important are drawn. */
  readonly leftOut: number
  /** Sites that pages merely link to, and that were not asked for. */
  readonly linkedOnly: number
}

/** A stored copy as it is offered, or why there is none. */
export type CopyModel = HeldCopy | (AbsentCopy & Partial<PageRef> & { readonly url: string })

interface AbsentCopy {
  readonly kind: 'absent'
  readonly why: 'unknown' | 'not-visited' | 'no-content' | 'noarchive'
}

export interface CopyVersion {
  readonly at: Instant
  readonly source: string
  readonly scheme?: string | undefined
  readonly outcome: string
  readonly status: number
  readonly bytes: number
  readonly digest?: string | undefined
}

export interface HeldCopy extends PageRef {
  readonly kind: 'held'
  readonly site: string
  readonly language?: string | undefined
  readonly shown: CopyVersion
  /** Neither a page nor text: it can be kept, and is not shown. */
  readonly isFile: boolean
  readonly older?: CopyVersion | undefined
  readonly newer?: CopyVersion | undefined
  /** Oldest first; `more` are older still. */
  readonly versions: readonly CopyVersion[]
  readonly more: number
  /** The address that led on to this page. */
  readonly askedFor?: string | undefined
  /** `#part` of the page, or nothing. */
  readonly fragment: string
}
