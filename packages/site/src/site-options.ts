/**
 * Site options: what an owner says of the site once, and the defaults for all that need not be said.
 */
import type { Instant, RobotsRdfOptions } from '@comity/protocol'
import { checkAdmissionOptions } from './serve/crawler-admission.ts'
import type { CrawlerAdmissionOptions } from './serve/crawler-admission.ts'
import { optionInvalid } from './errors.ts'
import type { Journal } from './journal/journal.ts'
import type { KeptFiles } from './documents/kept-files.ts'
import type { KeySource } from './key-file.ts'
import type { PublicRuleOptions } from './privacy/public-rules.ts'
import { checkPushOptions } from './push-options.ts'
import type { PushOptions } from './push-options.ts'
import type { Served } from './served.ts'

/** What a site can offer; each may be left out. */
export const SCHEMES = [
  'robots',
  'sitemap',
  'archives',
  'robots-rdf',
  'resourcesync',
  'dump',
  'wacz',
  'catalog',
  'batch',
  'changes',
  'push',
  'events',
  'keys',
] as const
export type SiteScheme = (typeof SCHEMES)[number]

export interface PublishingLimits {
  /** Pages in one part of a sitemap or resource list, about. One change rewrites one part. */
  readonly listPages: number
  /** Bytes of the pages in one part of a dump, about, before packing. */
  readonly dumpBytes: number
  /** A page larger than this is in no dump and no batch: whoever wants it asks for it. */
  readonly pageBytes: number
  /** A site larger than this offers no dump of itself. */
  readonly siteBytes: number
  /** Documents held in memory. */
  readonly cacheBytes: number
  /** Body of a batch request, before and after its content coding is off. */
  readonly requestBytes: number
  readonly batchPages: number
  /** Pages and differences in one answer; the rest is told to be asked for again. */
  readonly answerBytes: number
  /** Pages told of in one answer of the filter, and changes looked at for it. */
  readonly changePages: number
  readonly changesLookedAt: number
  /** Answers with many pages that are made at one time; who comes then is asked to wait. */
  readonly streams: number
  /** robots.rdf is made of all pages at a time, so not more often than this. */
  readonly relistMs: number
  /** Crawlers that listen to changes at one time, and how long each may before it has to come again. */
  readonly eventStreams: number
  readonly eventStreamMs: number
}

export const publishingLimits: PublishingLimits = {
  listPages: 1_000,
  dumpBytes: 16 << 20,
  pageBytes: 16 << 20,
  siteBytes: 2 ** 31,
  cacheBytes: 64 << 20,
  requestBytes: 4 << 20,
  batchPages: 10_000,
  answerBytes: 32 << 20,
  changePages: 10_000,
  changesLookedAt: 50_000,
  streams: 8,
  relistMs: 60_000,
  eventStreams: 64,
  eventStreamMs: 3_600_000,
}

/** Streams of changes, and answers with many pages, beyond those there may be. */
export type SiteRefusal = 'too-many-listeners' | 'too-many-streams'

/** Who is told what happens at a site. */
interface SiteListeners {
  /** Told of every answer once it is sent or given up. */
  readonly onServed?: ((served: Served) => void) | undefined
  /** Told of everybody who was asked to come later, as there is no more or they have their share. */
  readonly onRefused?: ((reason: SiteRefusal) => void) | undefined
  /** Told of what could not be made; the asker is told only that. */
  readonly onFailed?: ((error: unknown, path: string) => void) | undefined
}

export interface SiteOptions extends CrawlerAdmissionOptions, SiteListeners {
  readonly journal: Journal
  /** Absolute URL of the home page. Documents stand beside it, except those that have a place at the host's root. */
  readonly base: string
  readonly now: () => Instant
  /** The body that a page has now, without content coding; undefined when it cannot be had. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>
  /** The site's own robots.txt; as a function where it may change while the site runs. */
  readonly robots?: string | (() => string) | undefined
  /** Include, reject and queries as they were when pages were recorded; looked at again before anything is told. */
  readonly rules?: Omit<PublicRuleOptions, 'robots'> | undefined
  /** All of them unless given; `push` only where there is a place for subscribers. */
  readonly schemes?: readonly SiteScheme[] | undefined
  /** Who is called when something changes. Nobody unless given. */
  readonly push?: PushOptions | undefined
  /** What the site signs with; the public halves are published. None unless given. */
  readonly keys?: KeySource | undefined
  readonly limits?: Partial<PublishingLimits> | undefined
  /** Where archives are kept, so that their names are the same after a restart. */
  readonly kept?: KeptFiles | undefined
  readonly robotsRdf?: Partial<Omit<RobotsRdfOptions, 'base'>> | undefined
  /** Absolute URL of one body that the site's pages resemble (RFC 9842), for the catalog. */
  readonly dictionary?: string | undefined
}

/** Options, checked, with what follows from them. */
export interface SiteSetting extends SiteOptions {
  readonly origin: string
  /** Path of the home page, with a slash at its end. */
  readonly root: string
  readonly offered: ReadonlySet<SiteScheme>
  readonly limits: PublishingLimits
  /** Changes up to this number are told by lists of all pages alone. None are unless given. */
  readonly toldSince?: (() => number) | undefined
}

const NAMES: ReadonlySet<string> = new Set<keyof SiteOptions>([
  'journal',
  'base',
  'now',
  'read',
  'robots',
  'rules',
  'schemes',
  'push',
  'keys',
  'offersTo',
  'openSchemes',
  'proof',
  'limits',
  'kept',
  'robotsRdf',
  'dictionary',
  'onServed',
  'onRefused',
  'onFailed',
])

/** Throws for what cannot be meant. */
export function siteSetting(options: SiteOptions): SiteSetting {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name))
  if (unknown !== undefined) throw optionInvalid(`A site has no option named ${unknown}.`)
  const base = URL.parse('.', options.base)
  if (base?.protocol !== 'https:' && base?.protocol !== 'http:')
    throw optionInvalid(`"${options.base}" is no site: base is the absolute http or https URL of its home page.`)
  const scheme = options.schemes?.find((name) => !SCHEMES.includes(name))
  if (scheme !== undefined) throw optionInvalid(`There is no scheme named ${scheme}: use ${SCHEMES.join(', ')}.`)
  if (options.push !== undefined) checkPushOptions(options.push)
  checkAdmissionOptions(options, SCHEMES)
  // Without it, whoever subscribes would be forgotten.
  const hasPlace = options.push?.subscribers !== undefined
  return {
    ...options,
    origin: base.origin,
    root: base.pathname,
    offered: new Set((options.schemes ?? SCHEMES).filter((name) => name !== 'push' || hasPlace)),
    limits: checkedLimits(options.limits),
  }
}

function checkedLimits(given: Partial<PublishingLimits> = {}): PublishingLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(publishingLimits, name)) throw optionInvalid(`A site has no limit named ${name}.`)
    if (!(value >= (name === 'relistMs' ? 0 : 1))) throw optionInvalid(`The site's limit ${name} cannot be ${value}.`)
  }
  const limits = { ...publishingLimits, ...given }
  // Offsets in a ZIP file have 32 bits here; what is around the pages takes less than as much again.
  return { ...limits, siteBytes: Math.min(limits.siteBytes, publishingLimits.siteBytes) }
}
