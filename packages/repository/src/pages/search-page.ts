/**
 * Search page: the box, what was found, and how to ask for less or more. The empty form says what can be searched; an
 * answer reads in the order of a reader's questions: how many, was I understood, what is it, can I narrow it.
 */
import type { RankName } from '@comity/index'
import { ownPath } from '../html/address.ts'
import { counted, formatCount, formatRate } from '../client/figures.js'
import { cut, foreign, outward } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { SeveralModel, Statistics, WholeModel } from '../model/models.ts'
import type { RoleModel, SearchPageModel, ShownAnswer } from '../model/page-models.ts'
import { renderShell, searchBox } from '../html/page-shell.ts'
import { pager } from '../html/pager.ts'
import { queryHelp } from '../html/query-help.ts'
import { facetList, usedFacets } from './search-facets.ts'
import { resultItem } from './search-result.ts'

type Request = SearchPageModel['request']

/** How results can be put in order, for people; `default` stands first. */
// oxfmt-ignore
const RANKS: readonly (readonly [rank: RankName, name: string, means: string])[] = [
  ['default', 'Best first',       'Words in title, headings, text and links (BM25F), with importance and reading; first of all pages that are called so'],
  ['bm25',    'Words alone',      'How often and where the words stand (BM25F)'],
  ['idf',     'Rare words first', 'Pages with the rarest of the words: 1/df'],
  ['hf',      'Most read',        'Of the pages with the words those that people read most often: hit frequency'],
  ['hf-idf',  'Read and rare',    'How often it is read, times how rare its words are: hf·idf'],
]

export function renderSearchPage({ request, answer, stock, roles = [] }: SearchPageModel): string {
  const { query } = request
  const extent = 'cluster' in stock ? 'cluster' : 'collections' in stock ? 'collections' : 'collection'
  const box = searchBox(query, 'large', {
    rank: request.rank === 'default' ? undefined : request.rank,
    unfolded: request.unfolded ? '1' : undefined,
  })
  if (answer === undefined) {
    const main = html`<div class="start">
      <h1>Search what was crawled</h1>
      ${box} ${'cluster' in stock ? wholeLine(stock) : 'collections' in stock ? severalLine(stock) : stockLine(stock)}
      ${queryHelp} ${roles.length > 0 && roleList(roles)}
    </div>`
    return renderShell({ title: 'Search', place: 'search', extent, hasOwnBox: true, main })
  }
  return renderShell({
    title: query,
    place: 'search',
    extent,
    hasOwnBox: true,
    isWide: true,
    main: html`<h1 class="unseen">Search for ${foreign(query, 200)}</h1>
      ${box} ${answerPart(request, answer, PROGRESS[extent])}`,
  })
}

const roleList = (roles: readonly RoleModel[]): Html =>
  html`<section class="roles" aria-labelledby="roles">
    <h2 id="roles">Who is at work here</h2>
    <ul>
      ${roles.map(
        ({ name, sentence, links }) =>
          html`<li>
            <h3>${name}</h3>
            <p>${sentence}</p>
            <p>${links.map(({ text, href }, i) => [i > 0 && ' · ', roleLink(href, text)])}</p>
          </li>`,
      )}
    </ul>
  </section>`

const roleLink = (href: string, text: string): Html =>
  href.startsWith('/') ? html`<a href="${href}">${text}</a>` : outward(href, html`${text}`)

function answerPart(request: Request, answer: ShownAnswer, progress: string): Html {
  const facets = facetList(answer.facets, (query) => searchPath({ ...request, query, offset: 0 }), request.query)
  return html`<div class="answer">
    <section class="found" aria-labelledby="found">
      <div class="line">
        <h2 id="found" class="sum">${sumOf(request, answer)}</h2>
        <p class="quiet"><span class="number">${formatCount(Math.max(1, answer.tookMs))}</span> ms</p>
      </div>
      ${answer.problems.map((problem) => html`<p class="note">${foreign(problem)}</p>`)} ${widenedLine(answer)}
      ${suggestion(request, answer)}
      ${usedFacets(request.query, (query) => searchPath({ ...request, query, offset: 0 }))} ${rankChoice(request)}
      ${
        answer.corrected !== undefined
          ? html`<ol class="results">
              ${answer.corrected.results.map((one) => resultItem(one, searchPath({ ...request, query: answer.corrected!.query, unfolded: true, offset: 0 })))}
            </ol>`
          : answer.results.length === 0
            ? nothing(request, progress)
            : html`<ol class="results" start="${request.offset + 1}">
                ${answer.results.map((one) => resultItem(one, searchPath({ ...request, unfolded: true, offset: 0 })))}
              </ol>`
      }
      ${pager({ ...request, total: answer.matches, isLowerBound: answer.isLowerBound, shown: answer.results.length }, (offset) => searchPath({ ...request, offset }))}
    </section>
    <div class="side">${facets} ${queryHelp}</div>
  </div>`
}

/** What the server gives when nobody asks for another number. */
const USUAL_LIMIT = 10

const searchPath = ({ query, rank, limit, offset, unfolded }: Request): string =>
  ownPath('/search', {
    q: query,
    rank: rank === 'default' ? undefined : rank,
    offset: offset === 0 ? undefined : offset,
    limit: limit === USUAL_LIMIT ? undefined : limit,
    unfolded: unfolded ? 1 : undefined,
  })

function sumOf(request: Request, { matches, isLowerBound, results }: ShownAnswer): Html {
  const pages = `${isLowerBound ? 'at least ' : ''}${counted(matches, 'page')}`
  if (request.offset === 0 || results.length === 0) return html`${capitalised(pages)} found`
  return html`${formatCount(request.offset + 1)}–${formatCount(request.offset + results.length)} of ${pages} found`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What an operator said means the same was asked for, too. */
function widenedLine({ widened = [] }: ShownAnswer): Html | false {
  if (widened.length === 0) return false
  return html`<p class="quiet widened">
    Asked for
    ${widened.map(({ words, by }, i) => [i > 0 && ', and for ', foreign(words, 60), by.map((one) => [' or ', foreign(one, 60)])])}.
  </p>`
}

function suggestion(request: Request, { suggestion: query, corrected }: ShownAnswer): Html | false {
  if (query === undefined) return false
  if (corrected !== undefined) {
    const pages = `${corrected.isLowerBound ? 'at least ' : ''}${counted(corrected.matches, 'page')}`
    return html`<p class="suggestion">
      No page has ${foreign(cut(request.query, 100))}. Shown
      ${corrected.matches === 1 ? 'is what has' : 'are those with'}
      <a href="${searchPath({ ...request, query, offset: 0 })}">${foreign(query, 200)}</a>: ${pages}.
    </p>`
  }
  return html`<p class="suggestion">
    Did you mean <a href="${searchPath({ ...request, query, offset: 0 })}">${foreign(query, 200)}</a>?
  </p>`
}

function rankChoice(request: Request): Html {
  const choices = RANKS.map(([rank, name, means]) => {
    const current = rank === request.rank
    const path = searchPath({ ...request, rank, offset: 0 })
    return html`<li>
      <a href="${path}" title="${means}" ${attributes({ 'aria-current': current ? 'true' : undefined })}>${name}</a>
    </li>`
  })
  return html`<nav class="choice" aria-label="Order of results">
    <span aria-hidden="true">Order</span>
    <ul>
      ${choices}
    </ul>
    <details>
      <summary>How each works</summary>
      <dl>
        ${RANKS.map(
          ([rank, name, means]) =>
            html`<dt>${name} <code>${rank}</code></dt>
              <dd>${means}</dd>`,
        )}
      </dl>
    </details>
  </nav>`
}

function nothing(request: Request, progress: string): Html {
  if (request.offset > 0) {
    return html`<p class="lead">
      There are no further results. <a href="${searchPath({ ...request, offset: 0 })}">Back to the first ones</a>
    </p>`
  }
  return html`<div class="nothing">
    <p class="lead">No page has ${foreign(cut(request.query, 100))}.</p>
    <ul>
      <li>Are all words spelt as the pages would spell them?</li>
      <li>Fewer or more general words find more.</li>
      <li>
        A page fetched just now takes about a second until it can be found;
        <a href="${progress}">see how far the crawl is</a>.
      </li>
    </ul>
  </div>`
}

/** Where one sees how far the crawl is. */
const PROGRESS = { collection: '/live', cluster: '/cluster', collections: '/collections' }

function wholeLine({ shards, cluster }: WholeModel): Html {
  const away = shards.filter(({ owner }) => owner === undefined).length
  return html`<p class="stock">
    <b>${formatCount(shards.length)}</b> ${shards.length === 1 ? 'shard' : 'shards'} of
    <a href="/cluster">${foreign(cluster, 60)}</a> can be
    searched${away > 0 && html`; <b>${formatCount(away)}</b> of them nobody has now, and what they have is missing`}.
  </p>`
}

const severalLine = ({ collections }: SeveralModel): Html =>
  html`<p class="stock">
    <b>${formatCount(collections.reduce((sum, { documents }) => sum + documents, 0))}</b> pages of
    <a href="/collections">${counted(collections.length, 'collection')}</a> can be searched.
  </p>`

function stockLine({ index, heldSites: sites, pages, crawl, damaged }: Statistics): Html {
  if (index.documents === 0) {
    return html`<p class="lead">
      Nothing can be searched yet: the index is empty. <a href="/live">See whether a crawl is running</a>
    </p>`
  }
  const refused =
    index.refused.length > 0 &&
    html`<p class="note">
      ${capitalised(counted(index.refused.length, 'part'))} of the index ${index.refused.length === 1 ? 'is' : 'are'}
      damaged and left out: ${index.refused.slice(0, 5).map((name) => html`<code>${foreign(name, 80)}</code> `)}
    </p>`
  // Known pages are counted behind our back at first; the index says at once what it has.
  const isCounted = pages.known > 0
  return html`<p class="stock">
      <b>${formatCount(index.documents)}</b>
      ${index.documents === 1 ? 'page' : 'pages'}${isCounted && html` of <b>${formatCount(sites)}</b> ${sites === 1 ? 'site' : 'sites'}`}
      can be searched${isCounted && html`; <b>${formatCount(pages.known)}</b> are known`}. ${crawlLine(crawl)}
    </p>
    ${refused}${
      damaged.length > 0 &&
      html`<p class="note">
        ${capitalised(counted(damaged.length, 'thing'))} in this collection cannot be read, and
        ${damaged.length === 1 ? 'was' : 'were'} stepped over, such as <code>${foreign(damaged[0]!, 80)}</code>.
        <code>comity repair</code> finds them all, and makes again what can be made.
      </p>`
    }`
}

function crawlLine(crawl: Statistics['crawl']): Html | false {
  if (crawl.kind === 'none') return false
  if (crawl.kind === 'paused') return html`The crawl is <a href="/live">paused</a>.`
  return html`A crawl is <a href="/live">running</a>, with ${formatRate(crawl.sample.pagesPerSecond)} pages a second.`
}
