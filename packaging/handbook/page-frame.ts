/** Page frame: what stands around each page of the handbook: its head, the menu, what is on the page, and the way to the search. */
import { escapeHtml } from './document.ts'
import type { DocumentHeading } from './document.ts'

export interface FramedPage {
  readonly title: string
  readonly summary: string
  readonly content: string
  readonly headings: readonly DocumentHeading[]
  readonly menu: readonly MenuGroup[]
  /** To the root of the handbook: `./`, `../`. */
  readonly home: string
  /** `comity serve` of a collection of these pages; undefined where there is none. */
  readonly search: URL | undefined
  readonly version: string
}

export interface MenuGroup {
  readonly name: string
  readonly entries: readonly { readonly title: string; readonly href: string; readonly isHere: boolean }[]
}

export function framed(page: FramedPage): string {
  const { title, summary, content, home, menu, search, version } = page
  const name = menu[0]?.entries[0]?.isHere === true ? 'Comity handbook' : `${title} · Comity`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy(search)}">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${home}handbook.css">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header><a class="brand" href="${home}">Comity</a> <span class="quiet">handbook, ${escapeHtml(version)}</span>${searchForm(search)}</header>
<div class="columns">
<nav class="menu" aria-label="All pages"><h2>All pages</h2>
${menu.map(menuGroup).join('\n')}
</nav>
<main id="content">
${content.replace('</h1>\n', (end) => end + onThisPage(page.headings))}</main>
</div>
</body>
</html>
`
}

/** Nothing but our own style sheet, and the dictionary by which a site of `comity publish` sends pages smaller: no script, no picture of others. */
function policy(search: URL | undefined): string {
  const form = search === undefined ? "'none'" : search.origin
  return escapeHtml(
    `default-src 'none'; style-src 'self'; connect-src 'self'; img-src data:; form-action ${form}; base-uri 'none'`,
  )
}

/** Pages that stand still cannot search: they ask whoever can, by a plain form. */
function searchForm(search: URL | undefined): string {
  if (search === undefined) return ''
  return `
<form role="search" action="${escapeHtml(new URL('search', search).href)}"><label>Search the handbook
<input type="search" name="q" required></label> <button>Search</button></form>`
}

function menuGroup({ name, entries }: MenuGroup): string {
  const items = entries.map(
    ({ title, href, isHere }) =>
      `<li><a href="${escapeHtml(href)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
  )
  return `<p class="group">${escapeHtml(name)}</p>\n<ul>${items.join('\n')}</ul>`
}

/** Fewer are seen at a glance. */
const LEAST_HEADINGS = 4

function onThisPage(headings: readonly DocumentHeading[]): string {
  const some = headings.filter(({ level }) => level === 2)
  if (some.length < LEAST_HEADINGS) return ''
  const items = some.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  return `<nav class="here" aria-label="On this page"><ul>${items.join('\n')}</ul></nav>\n`
}
