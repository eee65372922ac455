/** Gathers a page from what the scanner finds: the sink behind `readHtml`. */
import { ACTS, attributeNames, CELL, elementFlags, elementNames, LINE } from './html-names.ts'
import { HtmlScanner, type HtmlSink } from './scanner.ts'
import { FoldedText, IN_ATTRIBUTE, TO_TAG, UnitBuffer } from './html-text.ts'
import { parseRefresh, srcsetUrls, writeUrl, type Refresh } from './html-values.ts'
import type { HtmlHeading, HtmlLimits, HtmlLink, HtmlLinkKind, HtmlPage } from './html.ts'
import { essenceOf, isFeedLink } from '../http/media-kind.ts'
import { RESOURCESYNC_REL } from '../feeds/resourcesync.ts'

/** More `meta` elements for robots than any page means. */
const MAX_ROBOTS = 50
/** Bots need not be called so: what is told to one by its name is known by its words. `none` is said of much else. */
const ROBOTS_WORD = /(?:^|[\s,])(?:noindex|nofollow|noarchive|unavailable_after)\b/i
/** Of one page. */
const MAX_FEEDS = 4

const HREF = attributeNames.idOf('href')
const SRC = attributeNames.idOf('src')
const SRCSET = attributeNames.idOf('srcset')
const REL = attributeNames.idOf('rel')
const ALT = attributeNames.idOf('alt')
const NAME = attributeNames.idOf('name')
const CONTENT = attributeNames.idOf('content')
const HTTP_EQUIV = attributeNames.idOf('http-equiv')
const LANG = attributeNames.idOf('lang')
const TYPE = attributeNames.idOf('type')
const POSTER = attributeNames.idOf('poster')
const DATA = attributeNames.idOf('data')

const A = elementNames.idOf('a')
const TITLE = elementNames.idOf('title')
const TEMPLATE = elementNames.idOf('template')
const H1 = elementNames.idOf('h1')
const H6 = elementNames.idOf('h6')
const levels = [1, 2, 3, 4, 5, 6] as const

/** A link whose strings are still ranges: of `#urls`, and of the text unless `anchor` is set. */
interface LinkDraft {
  kind: HtmlLinkKind
  start: number
  end: number
  rel: string
  type: string
  anchorStart: number
  anchorEnd: number
  anchor: string | undefined
}

/** A range of the text, or the text itself when it stands beyond what is kept. */
interface HeadingDraft {
  readonly level: HtmlHeading['level']
  readonly start: number
  readonly end: number
  readonly text: string | undefined
}

/** May be used for page after page: `start`, then its scanner's `write`, then `end`. */
export class PageReader implements HtmlSink {
  readonly scanner: HtmlScanner = new HtmlScanner(this)
  readonly #text = new FoldedText()
  readonly #title = new FoldedText()
  readonly #value = new FoldedText()
  readonly #urls = new UnitBuffer()
  #limits!: Required<HtmlLimits>
  /** Drafts are used again for the next page; those up to `#linkCount` are this page's. */
  readonly #links: LinkDraft[] = []
  #linkCount = 0
  #lostLinks = 0
  #headings: HeadingDraft[] = []
  #robots: { agent: string; content: string }[] = []
  #about: {
    lang?: string
    base?: string
    canonical?: string
    capabilityList?: string
    feeds?: string[]
    refresh?: Refresh
    asksForPassword?: true
  } = {}
  /** 0 before the first title, 1 in it, 2 behind it. */
  #titleState = 0
  #inBody = false
  #templates = 0
  /** The link whose anchor text is being written, and where that starts. */
  #anchor: LinkDraft | undefined
  /** The heading being written: its level, 0 for none, and where it starts. */
  #level: HtmlHeading['level'] | 0 = 0
  #headingStart = 0

  get capacity(): number {
    return this.scanner.capacity + this.#text.capacity + this.#urls.units.length + this.#links.length * 40
  }

  start(limits: Required<HtmlLimits>): void {
    this.#limits = limits
    this.#text.clear(limits.maxText)
    this.#title.clear(limits.maxTitle)
    this.#urls.clear()
    this.#headings = []
    this.#robots = []
    this.#about = {}
    this.#linkCount = this.#lostLinks = this.#titleState = this.#templates = 0
    this.#level = 0
    this.#inBody = false
    this.#anchor = undefined
  }

  end(): HtmlPage {
    this.scanner.end()
    this.#endAnchor()
    this.#endHeading()
    const text = this.#text.whole()
    const urls = this.#urls.string()
    return {
      title: this.#title.whole(),
      headings: this.#headings.map((draft) => ({ level: draft.level, text: draft.text ?? oneLine(text, draft) })),
      text,
      ...this.#about,
      robots: this.#robots,
      links: this.#finishLinks(urls, text),
      overflow: { links: this.#lostLinks, text: this.#text.overflow },
    }
  }

  text(start: number, end: number, how: number): number {
    if (this.#templates > 0) return this.#skip(start, end, how)
    const into = this.#titleState === 1 ? this.#title : this.#text
    return into.append(this.scanner.codes, start, end, how)
  }

  open(element: number): void {
    const flags = elementFlags[element]!
    if ((flags & LINE) !== 0) this.#text.newline()
    else if ((flags & CELL) !== 0) this.#text.space()
    if ((flags & ACTS) === 0) return
    if (this.#templates > 0) {
      if (element === TEMPLATE) this.#templates++
    } else if (element === A) this.#openAnchor()
    else if (element >= H1 && element <= H6) this.#openHeading(levels[element - H1]!)
    else this.#openOther(elementNames.names[element]!)
  }

  close(element: number): void {
    const flags = elementFlags[element]!
    if ((flags & LINE) !== 0) this.#text.newline()
    else if ((flags & CELL) !== 0) this.#text.space()
    if ((flags & ACTS) === 0) return
    if (element === TEMPLATE) this.#templates = Math.max(0, this.#templates - 1)
    else if (this.#templates > 0) return
    else if (element === A) this.#endAnchor()
    else if (element === TITLE && this.#titleState === 1) this.#titleState = 2
    else if (element >= H1 && element <= H6) this.#endHeading()
  }

  #openInput(type: string): void {
    if (type === 'image') this.#picture(this.#link(SRC, 'image'))
    if (type === 'password') this.#about.asksForPassword = true
  }

  #openOther(name: string): void {
    switch (name) {
      case 'img':
        this.#picture(this.#link(SRC, 'image'))
        this.#candidates()
        break
      case 'area':
        this.#picture(this.#typedLink('page'))
        break
      case 'input':
        this.#openInput(this.#string(TYPE).toLowerCase())
        break
      case 'link':
        this.#openLink()
        break
      case 'meta':
        this.#openMeta()
        break
      case 'script':
        this.#link(SRC, 'script')
        break
      case 'iframe':
      case 'frame':
        this.#link(SRC, 'frame')
        break
      case 'source':
        this.#candidates()
        this.#link(SRC, 'media')
        break
      case 'video':
        this.#link(POSTER, 'image')
        this.#link(SRC, 'media')
        break
      case 'audio':
      case 'track':
      case 'embed':
        this.#link(SRC, 'media')
        break
      case 'object':
        this.#link(DATA, 'media')
        break
      case 'base':
        if (this.#has(HREF)) this.#about.base ??= this.#string(HREF)
        break
      case 'html':
        if (this.#has(LANG)) this.#about.lang ??= this.#string(LANG)
        break
      case 'title':
        if (this.#titleState === 0 && !this.scanner.inForeign) this.#titleState = 1
        break
      case 'body':
        this.#inBody = true
        break
      case 'template':
        // In a drawing it is an element like any other.
        if (!this.scanner.inForeign) this.#templates = 1
        break
    }
  }

  /** An open anchor ends where the next begins: the standard never nests them. */
  #openAnchor(): void {
    this.#endAnchor()
    const link = this.#typedLink('page')
    if (link === undefined) return
    this.#text.hold()
    link.anchorStart = this.#text.position
    this.#anchor = link
  }

  #endAnchor(): void {
    const link = this.#anchor
    if (link === undefined) return
    this.#anchor = undefined
    this.#anchorTo(link)
    this.#text.release()
  }

  /** Gives the link the text from its start to here. */
  #anchorTo(link: LinkDraft): void {
    link.anchorStart = this.#text.wordAt(link.anchorStart)
    link.anchorEnd = this.#text.clip(link.anchorStart, this.#limits.maxAnchor)
    if (link.anchorEnd > this.#limits.maxText) link.anchor = this.#text.string(link.anchorStart, link.anchorEnd)
  }

  #openHeading(level: HtmlHeading['level']): void {
    this.#endHeading()
    this.#level = level
    this.#headingStart = this.#text.position
    this.#text.hold()
  }

  /** Any heading's end tag ends an open heading, as in the standard. */
  #endHeading(): void {
    const level = this.#level
    if (level === 0) return
    const start = this.#text.wordAt(this.#headingStart)
    const end = this.#text.clip(start, this.#limits.maxTitle)
    const text = end > this.#limits.maxText ? this.#text.string(start, end) : undefined
    if (end > start && this.#headings.length < this.#limits.maxHeadings)
      this.#headings.push({ level, start, end, text })
    this.#level = 0
    this.#text.release()
  }

  /** Puts the picture's `alt` into the text, set apart from the words around it. */
  #picture(link: LinkDraft | undefined): void {
    if (!this.#has(ALT)) return
    const { starts, ends } = this.scanner.attributes
    this.#text.space()
    this.#text.hold()
    const start = this.#text.position
    this.#text.append(this.scanner.codes, starts[ALT]!, ends[ALT]!, IN_ATTRIBUTE)
    if (link !== undefined) {
      link.anchorStart = start
      this.#anchorTo(link)
    }
    this.#text.release()
    this.#text.space()
  }

  #openLink(): void {
    const rel = this.#string(REL).toLowerCase()
    const tokens = rel.split(' ')
    if (tokens.includes('stylesheet')) this.#link(HREF, 'style')
    else if (tokens.some((token) => token === 'icon' || token.endsWith('-icon'))) this.#link(HREF, 'image')
    else if (tokens.some((token) => token === 'alternate' || token === 'next' || token === 'prev')) {
      this.#typedLink('alternate')
    }
    // In the body it may be a visitor's comment that speaks.
    if (this.#inBody || !this.#has(HREF)) return
    if (tokens.includes('canonical')) this.#about.canonical ??= this.#string(HREF)
    if (tokens.includes(RESOURCESYNC_REL)) this.#about.capabilityList ??= this.#string(HREF)
    if (tokens.includes('alternate') && isFeedLink(essenceOf(this.#string(TYPE)), this.#string(HREF)))
      this.#feed(this.#string(HREF))
  }

  #feed(href: string): void {
    const feeds = (this.#about.feeds ??= [])
    if (feeds.length < MAX_FEEDS && !feeds.includes(href)) feeds.push(href)
  }

  #openMeta(): void {
    if (!this.#has(CONTENT)) return
    if (this.#has(HTTP_EQUIV) && this.#string(HTTP_EQUIV).toLowerCase() === 'refresh') this.#refresh()
    if (!this.#has(NAME) || this.#robots.length >= MAX_ROBOTS) return
    const agent = this.#string(NAME).toLowerCase()
    const content = this.#string(CONTENT)
    if (agent.endsWith('bot') || agent.endsWith('robots') || ROBOTS_WORD.test(content))
      this.#robots.push({ agent, content })
  }

  #refresh(): void {
    if (this.#about.refresh !== undefined) return
    const refresh = parseRefresh(this.#string(CONTENT))
    if (refresh === undefined) return
    this.#about.refresh = refresh
    if (refresh.href !== '') this.#linkTo(refresh.href, 'refresh')
  }

  /** The candidates of `srcset`: they differ in size only, but which ones are there nobody else tells. */
  #candidates(): void {
    if (!this.#has(SRCSET)) return
    for (const url of srcsetUrls(this.#string(SRCSET))) this.#linkTo(url, 'image')
  }

  #skip(start: number, end: number, how: number): number {
    if ((how & TO_TAG) === 0) return end
    const tag = this.scanner.codes.indexOf(0x3c, start)
    return tag < 0 || tag > end ? end : tag
  }

  #has(attribute: number): boolean {
    return this.scanner.attributes.has(attribute)
  }

  /** An attribute's value with its white space folded; '' for none. */
  #string(attribute: number): string {
    if (!this.#has(attribute)) return ''
    const { starts, ends } = this.scanner.attributes
    this.#value.clear(this.#limits.maxAttribute)
    this.#value.append(this.scanner.codes, starts[attribute]!, ends[attribute]!, IN_ATTRIBUTE)
    return this.#value.whole()
  }

  /** Notes the link an attribute holds. Empty ones lead from a page to itself and stand for no picture or script. */
  #link(attribute: number, kind: HtmlLinkKind): LinkDraft | undefined {
    if (!this.#has(attribute)) return undefined
    const { starts, ends } = this.scanner.attributes
    const start = this.#urls.length
    const { codes } = this.scanner
    if (isData(codes, starts[attribute]!, ends[attribute]!)) return undefined
    if (this.#linkCount >= this.#limits.maxLinks || !this.#writeUrl(attribute)) {
      this.#lostLinks++
      return undefined
    }
    if (this.#urls.length === start && kind !== 'page') return undefined
    const rel = this.#has(REL) ? this.#string(REL).toLowerCase() : ''
    return this.#note(kind, start, rel)
  }

  /** It may say what type it leads to (HTML §4.6.1), as hardly any does. */
  #typedLink(kind: HtmlLinkKind): LinkDraft | undefined {
    const link = this.#link(HREF, kind)
    if (link !== undefined && this.#has(TYPE)) link.type = this.#string(TYPE).toLowerCase()
    return link
  }

  #writeUrl(attribute: number): boolean {
    const { starts, ends } = this.scanner.attributes
    const { codes } = this.scanner
    return writeUrl(codes, starts[attribute]!, ends[attribute]!, this.#limits.maxAttribute, this.#urls)
  }

  #linkTo(href: string, kind: HtmlLinkKind): void {
    if (/^data:/i.test(href)) return
    if (this.#linkCount >= this.#limits.maxLinks) {
      this.#lostLinks++
      return
    }
    const start = this.#urls.length
    this.#urls.add(href)
    this.#note(kind, start, '')
  }

  #note(kind: HtmlLinkKind, start: number, rel: string): LinkDraft {
    const draft = (this.#links[this.#linkCount++] ??= newDraft())
    draft.kind = kind
    draft.start = start
    draft.end = this.#urls.length
    draft.rel = rel
    draft.type = ''
    draft.anchorStart = draft.anchorEnd = 0
    draft.anchor = undefined
    return draft
  }

  #finishLinks(urls: string, text: string): HtmlLink[] {
    const links: HtmlLink[] = []
    for (let place = 0; place < this.#linkCount; place++) links.push(finishLink(this.#links[place]!, urls, text))
    return links
  }
}

/** `data:` holds what it names and leads nowhere; it is often the longest thing on a page. */
function isData(codes: Uint16Array, start: number, end: number): boolean {
  let at = start
  while (at < end && codes[at]! <= 0x20) at++
  return (
    end - at >= 5 &&
    codes[at + 4] === 0x3a &&
    DATA_SCHEME.every((letter, place) => (codes[at + place]! | 0x20) === letter)
  )
}

const DATA_SCHEME: readonly number[] = Array.from('data', (letter) => letter.charCodeAt(0))

function newDraft(): LinkDraft {
  return { kind: 'page', start: 0, end: 0, rel: '', type: '', anchorStart: 0, anchorEnd: 0, anchor: undefined }
}

function finishLink(draft: LinkDraft, urls: string, text: string): HtmlLink {
  const href = urls.slice(draft.start, draft.end)
  const anchor = draft.anchor ?? oneLine(text, { start: draft.anchorStart, end: draft.anchorEnd })
  const { kind, rel, type } = draft
  return type === '' ? { href, kind, rel, anchor } : { href, kind, rel, anchor, type }
}

function oneLine(text: string, range: { readonly start: number; readonly end: number }): string {
  const line = text.slice(range.start, range.end)
  return line.includes('\n') ? line.replaceAll('\n', ' ') : line
}
