/**
 * Page shell: what every page has around its subject: the way past the head for keyboards, the search box, where one is
 * and can go. Works without a script; the scripts that are named here only add to it, and come from this server, as
 * everything does: `default-src 'none'` holds, with no inline style or script anywhere.
 */
import { ASSETS } from './assets.ts'
import { plain } from './foreign-text.ts'
import { attributes, html } from './html.ts'
import type { Html } from './html.ts'
import { MAX_QUERY_CHARS } from '../limits.ts'

type Place = 'search' | 'live' | 'freshness' | 'reading' | 'sites' | 'graph' | 'cluster' | 'collections'

/** What is served: one collection, several, or all shards of a cluster, of which other pages can be shown. */
export type Extent = 'collection' | 'cluster' | 'collections'

interface Shell {
  /** In the window's title; may hold words of strangers. */
  readonly title: string
  /** Which entry of the menu this page belongs to. */
  readonly place?: Place | undefined
  readonly extent?: Extent | undefined
  readonly main: Html
  /** Names of scripts besides the one of the search box. */
  readonly scripts?: readonly ('live.js' | 'freshness.js' | 'graph.js')[]
  /** The page has its own search box. */
  readonly hasOwnBox?: boolean
  /** Without scripts the page comes again after so many seconds. */
  readonly refreshSeconds?: number
  /** Wider than a text should be: tables and pictures. */
  readonly isWide?: boolean
  /** As wide and high as the window, to its edges. */
  readonly isFull?: boolean
}

type Menu = readonly (readonly [place: Place, path: string, name: string])[]

const MENU: Menu = [
  ['search', '/', 'Search'],
  ['live', '/live', 'Live'],
  ['freshness', '/freshness', 'Freshness'],
  ['reading', '/reading', 'Reading'],
  ['sites', '/sites', 'Sites'],
  ['graph', '/graph', 'Graph'],
]
const CLUSTER_MENU: Menu = [
  ['search', '/', 'Search'],
  ['cluster', '/cluster', 'Cluster'],
]

const COLLECTIONS_MENU: Menu = [
  ['search', '/', 'Search'],
  ['collections', '/collections', 'Collections'],
]
const MENUS: Readonly<Record<Extent, Menu>> = {
  collection: MENU,
  cluster: CLUSTER_MENU,
  collections: COLLECTIONS_MENU,
}

export function renderShell(shell: Shell): string {
  const scripts = ['search.js', ...(shell.scripts ?? [])]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${plain(shell.title, 120)} · Comity</title>
        <link rel="stylesheet" href="${ASSETS + 'comity.css'}" />
        <link rel="icon" href="${ASSETS + 'icon.svg'}" type="image/svg+xml" />
        <link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="Comity" />
        ${scripts.map((name) => html`<script src="${ASSETS + name}" type="module"></script> `)}${
          shell.refreshSeconds !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${shell.refreshSeconds}" /></noscript> `
        }
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="head">
          <a class="brand" href="/">${mark}Comity</a>
          <nav aria-label="Pages">
            <ul>
              ${MENUS[shell.extent ?? 'collection'].map((entry) => menuEntry(entry, shell.place))}
            </ul>
          </nav>
          ${shell.hasOwnBox !== true && searchBox('', 'small')}
        </header>
        <main
          id="main"
          tabindex="-1"
          ${attributes({ class: shell.isFull === true ? 'full' : shell.isWide === true ? 'wide' : undefined })}
        >
          ${shell.main}
        </main>
        <footer class="foot">
          <p>
            Comity: courtesy between those who crawl the Web and those who serve it. Pages shown here were written by
            others.
          </p>
        </footer>
      </body>
    </html> `.source
}

/** Two that meet: the sign of the project. */
const mark: Html = html`<svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
  <circle cx="9" cy="12" r="6.5" />
  <circle cx="15" cy="12" r="6.5" />
</svg>`

const menuEntry = ([place, path, name]: Menu[number], current: Place | undefined): Html =>
  html`<li><a href="${path}" ${attributes({ 'aria-current': place === current ? 'page' : undefined })}>${name}</a></li>`

/** The search box; `hidden` are fields that go with the query unseen. */
export function searchBox(
  query: string,
  size: 'small' | 'large',
  hidden: Readonly<Record<string, string | undefined>> = {},
): Html {
  const id = `q-${size}`
  const kept = Object.entries(hidden).filter(([, value]) => value !== undefined)
  return html`<search class="box ${size}">
    <form action="/search" method="get">
      <label for="${id}" class="unseen">Search words</label>
      <div class="field">
        <input
          id="${id}"
          type="search"
          name="q"
          value="${query}"
          maxlength="${MAX_QUERY_CHARS}"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          enterkeyhint="search"
          data-suggest="/api/v1/suggest"
          ${attributes({ placeholder: size === 'small' ? 'Search' : undefined })}
        />
      </div>
      ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}<button>
        Search
      </button>
    </form>
  </search>`
}
