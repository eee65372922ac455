/**
 * Whether a page shows next to nothing until its scripts have run, so that whoever runs none has not read what people see. A
 * judgement: no sign is enough alone, so each is asked for beside scripts and little text, the surer the sign the more of it.
 *
 *   it asks to turn scripts on (`noscript`)         and says no more than a notice and a menu do
 *   an empty element, which scripts are to fill     and says no more than a heading does
 *   nothing to see and nowhere to go                but a word or two, `Loading…`
 */
import { readHtml } from './html.ts'
import type { HtmlLink, HtmlPage } from './html.ts'

/** Characters of text that a page may have of its own beside each sign. */
const BESIDE_NOTICE = 400
const BESIDE_EMPTY = 200
const BESIDE_NOTHING = 40
/** A longer notice is the page that those without scripts get. */
const MOST_NOTICE = 600
/** Shells are short; what comes behind this are scripts and their data. */
const MOST_LOOKED_AT = 1 << 20

export function needsScripts(html: string, page: HtmlPage): boolean {
  // Nearly all pages end here.
  if (page.text.length > BESIDE_NOTICE + MOST_NOTICE || page.refresh !== undefined) return false
  const source = html.slice(0, MOST_LOOKED_AT).toLowerCase()
  if (!hasScript(source)) return false
  const notices = noticesIn(source)
  const noticed = notices.reduce((sum, { text }) => sum + text.length, 0)
  if (noticed > MOST_NOTICE) return false
  const own = page.text.length - noticed
  const isAsked = notices.some(({ text }) => /java\s?script/.test(text))
  if (isAsked && own <= BESIDE_NOTICE) return true
  if (own <= BESIDE_EMPTY && hasEmptyRoot(source)) return true
  const elsewhere = notices.reduce((sum, { links }) => sum + links.filter(isSeen).length, 0)
  return own <= BESIDE_NOTHING && page.links.filter(isSeen).length <= elsewhere
}

/** Icons stand in no page. */
const isSeen = ({ kind, rel }: HtmlLink): boolean =>
  kind === 'page' || kind === 'frame' || kind === 'media' || (kind === 'image' && !rel.includes('icon'))

/** One that runs: other types hold data. */
function hasScript(source: string): boolean {
  for (const [, attributes = '', code] of source.matchAll(/<script\b([^>]{0,2000})>\s{0,100}(\S)?/g)) {
    const type = /\btype\s*=\s*["']?([^\s"'>]*)/.exec(attributes)?.[1] ?? ''
    const runs = type === '' || type === 'module' || type.endsWith('javascript')
    if (runs && (/\bsrc\s*=/.test(attributes) || (code !== undefined && code !== '<'))) return true
  }
  return false
}

/** What stands in `noscript`, each looked for once: without an end there is none. */
function noticesIn(source: string): HtmlPage[] {
  const notices: HtmlPage[] = []
  for (let at = source.indexOf('<noscript'); at !== -1; at = source.indexOf('<noscript', at)) {
    const [start, end] = [source.indexOf('>', at), source.indexOf('</noscript', at)]
    if (start === -1 || end === -1) break
    if (start < end) notices.push(readHtml(source.slice(start + 1, end)))
    at = end
  }
  return notices
}

/** As frameworks name what they fill: `root`, `app`, `__next`, or an element of their own. */
const ROOT_ID =
  /\bid\s*=\s*["']?(?:[a-z0-9]{0,20}[-_]{1,3})?(?:root|app|application|next|nuxt|gatsby|svelte|react|vue|ember|spa|mount|main|content|container)(?:[-_][a-z0-9-_]{0,20})?["'\s]?(?:[\s/]|$)/

function hasEmptyRoot(source: string): boolean {
  const empty = /<(div|main|section|[a-z][a-z0-9]{0,20}-[a-z0-9-]{1,40})\b([^>]{0,500})>\s{0,200}<\/\1\s{0,20}>/g
  for (const [, name = '', attributes = ''] of source.matchAll(empty))
    if (name.includes('-') || ROOT_ID.test(attributes)) return true
  return false
}
