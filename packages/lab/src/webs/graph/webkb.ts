/**
 * WebKB (CMU, January 1997): the pages of four universities with their words, for crawls that look for a topic.
 *
 * The folder holds nodes.tsv and edges.tsv and an archive of the pages as the servers sent them: head lines, an empty
 * line, HTML. A file's name is its URL, with ^ for /. Links are those of edges.tsv; what they are called is read from
 * the pages. Whoever made edges.tsv took `/dir`, `/dir/` and `/dir/index.html` for one page, so that is done here too.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalUrl, decodeText, readHtml } from '@comity/protocol'
import type { HtmlPage } from '@comity/protocol'
import { loadWeb } from './graph-file.ts'
import { graphLimits } from './limits.ts'
import { unpackedChunks } from './source.ts'
import { tarFiles } from './tar.ts'
import { webUnreadable } from '../../lab-error.ts'
import { linksOf } from './web-graph.ts'
import type { WebGraph } from './web-graph.ts'

const ARCHIVE = /pages\.tar(?:\.\w+)?$/
/** Of one link: a menu may name a page twice, no page is named at length. */
const MAX_ANCHOR = 1_000

export async function webOfWebkb(dir: string): Promise<WebGraph> {
  const web = await loadWeb(dir, { name: 'WebKB' })
  const archive = (await readdir(dir)).find((name) => ARCHIVE.test(name))
  if (archive === undefined) throw webUnreadable(dir, 'There is no archive …pages.tar of the pages here. Add it.')
  const urls = web.words!
  const pages = new Map<string, number>()
  const keys = new Map<string, number>()
  for (let page = 0; page < web.pages; page++) {
    pages.set(urls.urlOf(page), page)
    keys.set(looseKey(urls.urlOf(page)), page)
  }
  const titles: string[] = []
  const bodies: string[] = []
  const anchors = new Map<number, string>()
  const path = join(dir, archive)
  for await (const { name, bytes } of tarFiles(unpackedChunks(path, graphLimits.maxBytes), path)) {
    const url = name.slice(name.lastIndexOf('/') + 1).replaceAll('^', '/')
    const page = pages.get(url)
    // Seven pages are in two classes and so twice in the archive; one copy is as good as the other.
    if (page === undefined || titles[page] !== undefined) continue
    const html = readHtml(withoutHead(decodeText(bytes).text))
    titles[page] = html.title
    bodies[page] = html.text
    nameLinks(web, page, targetsIn(html, url, keys), anchors)
  }
  const words = {
    urlOf: (page: number) => urls.urlOf(page),
    titleOf: (page: number) => titles[page] ?? '',
    bodyOf: (page: number) => bodies[page] ?? '',
    anchorOf: (link: number) => anchors.get(link) ?? '',
  }
  return { ...web, words }
}

/** The same for all spellings of an address that servers of the time took for one. */
function looseKey(href: string, base?: string): string {
  const url = canonicalUrl(href, base) ?? URL.parse(href, base)?.href ?? href
  return url.replace(/\/(?:index\.html?)?$/i, '')
}

function withoutHead(text: string): string {
  // `WWW Alert: …`, which the crawler of the time put before some, is a head line with a blank.
  if (!/^[A-Za-z][\w -]{0,40}:/.test(text)) return text
  const end = /\r?\n\r?\n/.exec(text)
  return end === null ? '' : text.slice(end.index + end[0].length)
}

type NamedTarget = readonly [page: number, anchor: string]

function targetsIn(html: HtmlPage, url: string, keys: ReadonlyMap<string, number>): NamedTarget[] {
  const base = html.base !== undefined && URL.canParse(html.base) ? html.base : url
  return html.links.flatMap(({ href, anchor }): NamedTarget[] => {
    const target = keys.get(looseKey(href, base))
    return target === undefined || anchor === '' ? [] : [[target, anchor]]
  })
}

/** A page that is linked twice is called by both names. */
function nameLinks(web: WebGraph, page: number, named: readonly NamedTarget[], anchors: Map<number, string>): void {
  const first = web.starts[page]!
  const places = new Map(Array.from(linksOf(web, page), (target, i) => [target, first + i]))
  for (const [target, anchor] of named) {
    const link = places.get(target)
    if (link === undefined) continue
    const before = anchors.get(link)
    anchors.set(link, (before === undefined ? anchor : `${before} ${anchor}`).slice(0, MAX_ANCHOR))
  }
}
