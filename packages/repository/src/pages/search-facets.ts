/** Search facets: where the pages found stand, as links that add `site:…`, `type:…` or `lang:…` to the query. */
import type { Facet, SearchAnswer } from '@comity/index'
import { formatCount } from '../client/figures.js'
import { foreign, languageName, siteName } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'

type PathOf = (query: string) => string

const MAX_VALUES = 8

const KINDS = [
  ['site', 'sites', 'Sites'],
  ['type', 'types', 'Types'],
  ['lang', 'languages', 'Languages'],
] as const

export function facetList(facets: SearchAnswer['facets'], pathOf: PathOf, query: string): Html {
  const lists = KINDS.map(([word, member, heading]) => {
    // One value is no choice.
    const values = facets[member].filter(({ value }) => value !== '')
    if (values.length < 2) return undefined
    return html`<section aria-labelledby="facet-${word}">
      <h2 id="facet-${word}">${heading}</h2>
      <ul class="facet">
        ${values.slice(0, MAX_VALUES).map((facet) => facetItem(word, facet, pathOf, query))}
      </ul>
    </section>`
  })
  return html`${lists}`
}

function facetItem(word: string, { value, pages }: Facet, pathOf: PathOf, query: string): Html {
  const name = word === 'lang' ? (languageName(value) ?? value) : word === 'site' ? siteName(value) : value
  return html`<li>
    <a href="${pathOf(narrowed(query, word, word === 'site' ? name : value))}">${foreign(name, 60)}</a>
    <span class="number quiet">${formatCount(pages)}</span>
  </li>`
}

/** Instead of the condition of that kind the query has: pages of two sites would be more and not fewer. */
function narrowed(query: string, word: string, value: string): string {
  const rest = query.replaceAll(CONDITION, (condition) => (condition.startsWith(`${word}:`) ? '' : condition))
  return `${rest} ${word}:${quoted(value)}`.replaceAll(/\s+/g, ' ').trim()
}

const CONDITION = /(?<=^|\s)-?(?:site|type|lang|since|title):(?:"[^"]*"|\S+)/g

/** A value with a space in it would end there. */
const quoted = (value: string): string => (/[\s"()]/.test(value) ? `"${value.replaceAll('"', '')}"` : value)

/** The conditions the query has already, each with a link to the query without it. */
export function usedFacets(query: string, pathOf: PathOf): Html | false {
  const used = [...query.matchAll(CONDITION)].slice(0, 8)
  if (used.length === 0) return false
  const items = used.map((match) => {
    const without = (query.slice(0, match.index) + query.slice(match.index + match[0].length)).replaceAll(/\s+/g, ' ')
    return html`<li>
      <a href="${pathOf(without.trim())}"
        >${foreign(match[0], 80)} <span aria-hidden="true">×</span><span class="unseen">: search without it</span></a
      >
    </li>`
  })
  return html`<ul class="used" aria-label="Conditions">
    ${items}
  </ul>`
}
