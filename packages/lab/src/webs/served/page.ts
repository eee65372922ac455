/**
 * Served page: a page of a web in memory as the HTML that a server sends. Pure.
 *
 * What can be read in it is what the web says: title, body, and a link with its anchor for each link of the graph. It is
 * filled up to the size that the web gives it with a comment, which no reader counts as text.
 */
import { escapedHtml } from '@comity/testbed'
import type { WebGraph, WebWords } from '../graph/web-graph.ts'

/** A web whose pages have addresses and texts. */
export interface WrittenWeb extends WebGraph {
  readonly words: WebWords
}

/** Of a web made from a power law of sizes, the largest page would take longer than all the others together. */
export const MAX_PAGE_BYTES: number = 64 << 10

export function servedPage(web: WrittenWeb, page: number): Buffer {
  const { words, starts, targets } = web
  const links: string[] = []
  for (let link = starts[page]!; link < starts[page + 1]!; link++) {
    const href = escapedHtml(words.urlOf(targets[link]!))
    links.push(`<li><a href="${href}">${escapedHtml(words.anchorOf(link))}</a></li>`)
  }
  const head = `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapedHtml(words.titleOf(page))}</title></head><body>`
  const html = [
    head,
    `<p>${escapedHtml(words.bodyOf(page))}</p>`,
    '<ul>',
    ...links,
    '</ul>',
    '</body></html>',
    '',
  ].join('\n')
  return Buffer.from(html + filling(Math.min(web.bytes?.[page] ?? 0, MAX_PAGE_BYTES) - Buffer.byteLength(html)))
}

/** What a reader of the page takes for its body: the text, and the anchors with it. */
export function servedText({ words, starts }: WrittenWeb, page: number): string {
  const anchors = Array.from({ length: starts[page + 1]! - starts[page]! }, (_, n) => words.anchorOf(starts[page]! + n))
  return [words.bodyOf(page), ...anchors].join(' ')
}

const [opening, closing] = ['<!--', '-->\n']

function filling(bytes: number): string {
  const room = bytes - opening.length - closing.length
  return room < 0 ? '' : `${opening}${' '.repeat(room)}${closing}`
}
