/**
 * Copied HTML: a stored page as one that can be looked at: no script, no frame, nothing that asks or goes anywhere unasked;
 * links lead to stored copies, pictures and styles become places for those that are held.
 *
 * It is written anew, tag by tag, from lists of what may stay (`kept-markup.ts`). How a browser would have read the page
 * makes no difference to what it can do: whatever it was read as, what is written begins a tag only where we write one, and
 * all of those are on the lists. That alone is a wall; the policy it is served under (`http/stored-body.ts`) is another.
 */
import { decodeReferences, srcsetUrls } from '@comity/protocol'
import { escapeHtml } from '../html/html.ts'
import { copiedStyle } from './copied-style.ts'
import { CopyPieces } from './copy-piece.ts'
import type { CopyPiece } from './copy-piece.ts'
import { isKeptAttribute, isKeptElement } from './kept-markup.ts'
import { wholeAddress } from './whole-address.ts'

export interface CopyPlace {
  /** The page's own address: what its links start from. */
  readonly url: string
  /** Where a link to this address leads, here; undefined where it is left out. */
  readonly linkTo: (address: string) => string | undefined
}

const MOST_ATTRIBUTES = 200
const MOST_ADDRESS = 8_192
const MOST_CANDIDATES = 8

/** Elements whose words are no markup, until they end. */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'iframe',
  'noembed',
  'noframes',
  'xmp',
  'title',
  'textarea',
])

const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy
/** Its first character may be anything: `=` too. */
const ATTRIBUTE_NAME = /[^\t\n\f\r />][^\t\n\f\r />=]*/y
const BETWEEN = /[\t\n\f\r /]*/y
const SPACE = /[\t\n\f\r ]*/y
const BARE_VALUE = /[^\t\n\f\r >]*/y

export function copiedHtml(page: string, { url, linkTo }: CopyPlace): readonly CopyPiece[] {
  const out = new CopyPieces()
  let base = url
  let at = 0

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(page)?.[0] ?? ''
    at += found.length
    return found
  }
  const behind = (mark: string, from: number): number => {
    const found = page.indexOf(mark, from)
    return found === -1 ? page.length : found + mark.length
  }
  const resolve = (address: string): string | undefined =>
    address.trim() === '' ? undefined : wholeAddress(address, base)
  const style = (css: string): readonly CopyPiece[] => copiedStyle(css, resolve)

  while (at < page.length) {
    const less = page.indexOf('<', at)
    if (less === -1 || less > at) {
      const end = less === -1 ? page.length : less
      out.write(plain(page.slice(at, end)))
      at = end
      continue
    }
    const next = page[at + 1] ?? ''
    if (/[a-z]/i.test(next)) startTag()
    else if (next === '/' && /[a-z]/i.test(page[at + 2] ?? '')) endTag()
    else if (page.startsWith('<!--', at)) comment()
    else if (next === '!' || next === '?' || next === '/') declaration()
    else {
      out.write('&lt;')
      at++
    }
  }
  return out.end()

  function comment(): void {
    const end = /--!?>/g
    end.lastIndex = at + 2
    const found = end.exec(page)
    // `<!-->` is a whole one, too.
    at = found === null ? page.length : found.index + found[0].length
  }

  /** Without its document type a page is laid out by other rules. */
  function declaration(): void {
    const end = behind('>', at)
    const text = page.slice(at, Math.min(end, at + 300))
    if (/^<!doctype\s[\w\s"'./:=;,()+-]*>$/i.test(text)) out.write(text)
    at = end
  }

  function endTag(): void {
    at += 2
    const name = take(TAG_NAME).toLowerCase()
    at = behind('>', at)
    if (isKeptElement(name)) out.write(`</${name}>`)
  }

  function startTag(): void {
    at++
    const name = take(TAG_NAME).toLowerCase()
    const attributes = attributesHere()
    if (attributes === undefined) return
    if (name === 'base') startFrom(attributes.get('href'))
    else if (name === 'link') sheet(attributes)
    else if (name === 'meta') meta(attributes)
    else if (RAW.has(name)) raw(name, attributes)
    else if (name === 'plaintext') {
      out.write(`<pre>${plain(page.slice(at))}</pre>`)
      at = page.length
    } else if (isKeptElement(name)) {
      out.write(`<${name}`)
      for (const [attribute, value] of attributes) keep(name, attribute, value, attributes)
      out.write('>')
    }
  }

  /** To behind the `>`; undefined when the page ends within the tag, which is none then. */
  function attributesHere(): Map<string, string> | undefined {
    const found = new Map<string, string>()
    for (;;) {
      take(BETWEEN)
      if (at >= page.length) return undefined
      if (page[at] === '>') {
        at++
        return found
      }
      const name = take(ATTRIBUTE_NAME).toLowerCase()
      take(SPACE)
      const value = page[at] === '=' ? valueHere() : ''
      if (found.size < MOST_ATTRIBUTES && !found.has(name)) found.set(name, decodeReferences(value, true))
    }
  }

  function valueHere(): string {
    at++
    take(SPACE)
    const quote = page[at]
    if (quote !== '"' && quote !== "'") return take(BARE_VALUE)
    const start = at + 1
    at = behind(quote, start)
    return page.slice(start, page[at - 1] === quote && at > start ? at - 1 : at)
  }

  /** Of several the first counts, as in browsers. */
  function startFrom(href: string | undefined): void {
    if (base === url && href !== undefined) base = wholeAddress(href, url) ?? url
  }

  function sheet(attributes: ReadonlyMap<string, string>): void {
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
    const address = resolve(attributes.get('href') ?? '')
    if (!rel.includes('stylesheet') || rel.includes('alternate') || attributes.has('disabled') || address === undefined)
      return
    out.want({
      kind: 'sheet',
      urls: [address],
      before: `<style${mediaOf(attributes)}>`,
      after: '</style>',
      otherwise: '',
    })
  }

  /** Only what says how wide and how bright: never where to go, nor in which characters it was written. */
  function meta(attributes: ReadonlyMap<string, string>): void {
    const [name = '', content = ''] = [attributes.get('name')?.toLowerCase(), attributes.get('content')]
    if ((name === 'viewport' || name === 'color-scheme') && /^[\w\s=.,-]{1,200}$/.test(content))
      out.write(`<meta name="${name}" content="${content}">`)
  }

  function raw(name: string, attributes: ReadonlyMap<string, string>): void {
    const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
    end.lastIndex = at
    const found = end.exec(page)
    const text = page.slice(at, found?.index ?? page.length)
    at = found === null ? page.length : behind('>', found.index)
    if (name === 'title' || name === 'textarea') out.write(`<${name}>${plain(text)}</${name}>`)
    else if (name === 'xmp') out.write(`<pre>${plain(text.replaceAll('&', '&amp;'))}</pre>`)
    else if (name === 'style') {
      out.write(`<style${mediaOf(attributes)}>`)
      out.take(style(text))
      out.write('</style>')
    }
  }

  function keep(element: string, name: string, value: string, all: ReadonlyMap<string, string>): void {
    if (name === 'style') quoted(' style="', style(value.slice(0, MOST_STYLE)), '"')
    else if (name === 'href' || name === 'xlink:href') reference(element, value)
    else if (name === 'src' || name === 'srcset' || name === 'data-src') {
      // Once, for all of the names that a picture can have.
      if (name === [...all.keys()].find((one) => one === 'src' || one === 'srcset' || one === 'data-src'))
        if (element === 'img' || element === 'input') picture('src', candidates(all))
    } else if (name === 'poster' || name === 'background') picture(name, [value])
    else if (isKeptAttribute(name, value)) out.write(` ${name}="${escapeHtml(value)}"`)
  }

  function reference(element: string, value: string): void {
    const inside = /^#[^\s]*$/.test(value.trim()) && value.length < MOST_ADDRESS
    if (element === 'image') return picture('href', [value])
    if (element === 'use' || element === 'textpath' || element.endsWith('gradient') || element === 'pattern') {
      if (inside) out.write(` href="${escapeHtml(value.trim())}"`)
      return
    }
    if (element !== 'a' && element !== 'area') return
    // With another base, even a part of the page is a part of another.
    if (inside && base === url) return out.write(` href="${escapeHtml(value.trim())}"`)
    const address = value.length > MOST_ADDRESS ? null : URL.parse(value, base)
    const here = address === null || !/^https?:$/.test(address.protocol) ? undefined : linkTo(address.href)
    if (here !== undefined) out.write(` href="${escapeHtml(here)}" target="_top" rel="noreferrer"`)
  }

  function picture(attribute: string, addresses: readonly string[]): void {
    const data = addresses.find((address) => OWN_PICTURE.test(address) && address.length <= MOST_DATA)
    if (data !== undefined) return out.write(` ${attribute}="${escapeHtml(data)}"`)
    const urls = [...new Set(addresses.flatMap((address) => resolve(address) ?? []))].slice(0, MOST_CANDIDATES)
    if (urls.length > 0) out.want({ kind: 'picture', urls, before: ` ${attribute}="`, after: '"', otherwise: '' })
  }

  function quoted(before: string, pieces: readonly CopyPiece[], after: string): void {
    out.write(before)
    for (const piece of pieces) {
      if (typeof piece === 'string') out.write(escapeHtml(piece))
      // There is no import in an attribute.
      else if (piece.kind === 'picture')
        out.want({
          ...piece,
          before: escapeHtml(piece.before),
          after: escapeHtml(piece.after),
          otherwise: escapeHtml(piece.otherwise),
        })
    }
    out.write(after)
  }
}

function mediaOf(attributes: ReadonlyMap<string, string>): string {
  const media = attributes.get('media')
  return media === undefined || media.length > 300 ? '' : ` media="${escapeHtml(media)}"`
}

const MOST_STYLE = 100_000

/** Pictures that the page brings along. A drawing is none of them: opened by itself it would be a page that runs. */
const OWN_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon);base64,[\w+/=\s]*$/i
const MOST_DATA = 2_000_000

const candidates = (attributes: ReadonlyMap<string, string>): string[] => [
  ...['src', 'data-src'].flatMap((name) => attributes.get(name) ?? []),
  ...srcsetUrls((attributes.get('srcset') ?? '').slice(0, MOST_ADDRESS)),
]

/** Text of the page as text: its references stay, and nothing in it is a tag. */
const plain = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('\0', '\ufffd')
