/**
 * HTML reader: what a crawler wants of a page, in one pass and without a tree: its links with their anchor texts, its
 * words, its headings, and what it says about itself.
 *
 * It reads as a browser without scripts does, so `noscript` counts and `template` does not. Everything kept is capped
 * by `HtmlLimits`, time and memory are in proportion to the page, and no string kept holds on to the page's own.
 */
import { PageReader } from './page.ts'
import type { Refresh } from './html-values.ts'

/**
 * page: a, area. frame: iframe, frame. image: img, input, icons, posters. style: stylesheets. media: video, audio,
 * source, track, embed, object. alternate: link rel=alternate, next or prev. refresh: where a `meta` leads.
 */
export type HtmlLinkKind = 'page' | 'frame' | 'image' | 'style' | 'script' | 'media' | 'alternate' | 'refresh'

export interface HtmlLink {
  /** As written, but decoded, trimmed, and without tabs and newlines; not resolved. */
  readonly href: string
  readonly kind: HtmlLinkKind
  /** Lower-case; '' for none. */
  readonly rel: string
  /** In one line; pictures count by their `alt`. */
  readonly anchor: string
  /** The media type that a link says it leads to, lower-case, as it stands there: how feeds are found. */
  readonly type?: string
}

export interface HtmlHeading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  readonly text: string
}

export interface HtmlPage {
  readonly title: string
  readonly headings: readonly HtmlHeading[]
  /** The words a reader without pictures sees: blocks in lines, other white space folded, `alt` for pictures. */
  readonly text: string
  readonly lang?: string
  readonly base?: string
  readonly canonical?: string
  /** Where the site says what it tells crawlers: `link rel=resourcesync` (ResourceSync 1.1 §6.3.2). */
  readonly capabilityList?: string
  /** The first feeds that its head links to: `link rel=alternate` with a type of theirs. */
  readonly feeds?: readonly string[]
  readonly refresh?: Refresh
  /** What `meta` elements say to robots; `agent` is their name: `robots`, or a bot's, lower-case. */
  readonly robots: readonly { readonly agent: string; readonly content: string }[]
  /** There is a field for a password. */
  readonly asksForPassword?: true
  readonly links: readonly HtmlLink[]
  /** What the limits left out: links, and characters of text. */
  readonly overflow: { readonly links: number; readonly text: number }
}

export interface HtmlLimits {
  readonly maxLinks?: number
  /** Of the title, and of each heading. */
  readonly maxTitle?: number
  readonly maxText?: number
  readonly maxAnchor?: number
  readonly maxHeadings?: number
  /** A longer URL is left out, for half a URL leads elsewhere; other longer values are cut. */
  readonly maxAttribute?: number
}

const htmlLimits: Required<HtmlLimits> = {
  maxLinks: 50_000,
  maxTitle: 1_000,
  maxText: 2_000_000,
  maxAnchor: 200,
  maxHeadings: 500,
  maxAttribute: 8_192,
}

export interface HtmlReader {
  write(chunk: string): void
  /** What was read; the reader is done with then. */
  end(): HtmlPage
}

export function readHtml(html: string, limits?: HtmlLimits): HtmlPage {
  const reader = createHtmlReader(limits)
  reader.write(html)
  return reader.end()
}

/** Reads a page as it comes; how it is cut into chunks makes no difference. */
export function createHtmlReader(limits?: HtmlLimits): HtmlReader {
  let reader: PageReader | undefined = idle ?? new PageReader()
  idle = undefined
  reader.start(limits === undefined ? htmlLimits : { ...htmlLimits, ...limits })
  return {
    write(chunk) {
      if (reader === undefined) throw new Error('The page was ended: make a new reader for the next one.')
      reader.scanner.write(chunk)
    },
    end() {
      if (reader === undefined) throw new Error('The page was ended before: keep what its end() returned.')
      const page = reader.end()
      if (reader.capacity <= IDLE_UNITS) idle = reader
      reader = undefined
      return page
    },
  }
}

/** One reader waits for the next page: its buffers are larger than most pages, and making them is a third of the work. */
let idle: PageReader | undefined
const IDLE_UNITS = 1_000_000
