/**
 * Living site: what one generated site is made of, before anybody asks for it.
 *
 * A site is a map from path to resource. A page that changes has a period; its version is a pure function of the
 * instant, so nothing ticks and two servers with the same seed agree:
 *
 *   epoch      one period    one period    one period
 *     ├───────────×─┼──×───────────┼────────────×┼──   × = the change, at a seeded place in each period
 *   version 0     1      2                        3
 *
 * Poisson arrivals would be nearer to the Web (Cho & Garcia-Molina 2003), but then version(at) would cost a walk over
 * all earlier changes; one change a period, placed at random, keeps it constant time.
 */
import type { Instant } from '@comity/protocol'
import type { PushScheme } from '@comity/site'
import { createRandom, seedOf } from '../seeded-random.ts'
import type { Topic } from './site-topics.ts'

/** What its robots.txt does: the five answers a crawler must tell apart (RFC 9309 §2.3.1). */
type RobotsHabit = 'allow' | 'disallow-directory' | 'crawl-delay' | 'missing' | 'server-error'
/** Which validators its answers carry (RFC 9110 §8.8). */
type Validators = 'both' | 'etag' | 'last-modified' | 'none'

export interface SiteSpec {
  /** Unique in its web; a host label. */
  readonly name: string
  readonly title: string
  readonly topic: Topic
  /** Ordinary pages: the home page, section pages and articles. The odd ones come on top. */
  readonly pages: number
  /** Redirects, errors, copies, drafts and orphans too. */
  readonly odd: boolean
  readonly latencyMs: number
  /** Infinity: as fast as the machine. */
  readonly bytesPerSecond: number
  readonly robots: RobotsHabit
  readonly crawlDelaySeconds: number
  readonly sitemap: boolean
  readonly validators: Validators
  readonly gzip: boolean
  /** Tells crawlers of its changes; then its front makes validators and codings. */
  readonly cooperates: boolean
  /** Calls those who subscribe, and what it can send them; a site that pushes has no need to be asked. */
  readonly calls?: readonly PushScheme[]
  /** It sends other pages than it serves. */
  readonly lies?: boolean
  /** Period of the busiest page; others change at a half, a quarter … of its rate. Infinity: nothing ever changes. */
  readonly changeEveryMs: number
  /** Over how many octaves the rates are spread, and the share of pages that never change. */
  readonly changeOctaves: number
  readonly stillShare: number
  /** How long after the epoch the pages that fail at first have recovered. */
  readonly troubleMs: number
  /** Listen here; without it the web gives the site an address. */
  readonly address?: string
  /** Be known by this name, so that several sites may share one address and port. */
  readonly host?: string
}

export interface PageLink {
  /** Canonical and absolute. */
  readonly url: string
  readonly anchor: string
  readonly place: 'navigation' | 'text' | 'list'
}

/** Fails until `until`, then is an ordinary page. */
export interface Trouble {
  readonly status: 429 | 500 | 503
  readonly until: Instant
  readonly retryAfter: 'none' | 'seconds' | 'date'
}

export interface LivingPage {
  readonly kind: 'page'
  readonly path: string
  readonly title: string
  readonly seed: number
  readonly paragraphs: number
  readonly links: readonly PageLink[]
  readonly images: readonly string[]
  /** Infinity: it never changes. */
  readonly changeEveryMs: number
  /** The absolute URL for `<link rel=canonical>`. */
  readonly canonical?: string
  /** Serve that page's bytes (`exact`) or nearly those (`near`). */
  readonly copyOf?: { readonly path: string; readonly likeness: 'exact' | 'near' }
  readonly trouble?: Trouble
}
export interface LivingRedirect {
  readonly kind: 'redirect'
  readonly path: string
  readonly status: 301 | 302 | 308
  /** As it stands in `Location`: absolute, or a path. */
  readonly location: string
}
interface LivingLoss {
  readonly kind: 'loss'
  readonly path: string
  readonly status: 404 | 410 | 500
}
interface LivingImage {
  readonly kind: 'image'
  readonly path: string
  readonly seed: number
}
export type Resource = LivingPage | LivingRedirect | LivingLoss | LivingImage

export interface LivingSite {
  readonly spec: SiteSpec
  /** `http://127.0.1.1:8080`, without a slash at the end. */
  readonly origin: string
  readonly epoch: Instant
  readonly resources: ReadonlyMap<string, Resource>
}

/** Everything below here is off limits where robots.txt disallows a directory. */
export const draftsDirectory = '/drafts/'

/** How often the page has changed by `at`. Never negative and never falling. */
export function versionOf(page: LivingPage, epoch: Instant, at: Instant): number {
  if (page.changeEveryMs === Infinity || at <= epoch) return 0
  const period = Math.floor((at - epoch) / page.changeEveryMs)
  return period + (at >= changeWithin(page, epoch, period) ? 1 : 0)
}

/** When the version of `at` came about. The first one is some seeded days older than the web. */
export function changedAt(page: LivingPage, epoch: Instant, at: Instant): Instant {
  const version = versionOf(page, epoch, at)
  if (version > 0) return changeWithin(page, epoch, version - 1)
  return epoch - (1 + (page.seed % 300)) * 86_400_000
}

/** When the page changes next after `at`; Infinity when it never does. */
export function changesNextAt(page: LivingPage, epoch: Instant, at: Instant): Instant {
  if (page.changeEveryMs === Infinity) return Infinity
  return changeWithin(page, epoch, versionOf(page, epoch, at))
}

/** True when robots.txt lets a crawler ask for the path in the end. */
export function isAllowed(spec: SiteSpec, path: string): boolean {
  // A robots.txt that answers 5xx closes the whole site (RFC 9309 §2.3.1.4).
  if (spec.robots === 'server-error') return path === '/robots.txt'
  return spec.robots !== 'disallow-directory' || !path.startsWith(draftsDirectory)
}

function changeWithin(page: LivingPage, epoch: Instant, period: number): Instant {
  const share = createRandom(seedOf('change', page.seed, period)).next()
  return epoch + Math.ceil((period + share) * page.changeEveryMs)
}
