/** Site page: one site, how it was visited, what it asked for and what it gave. */
import type { PushStory } from '@comity/follow'
import { ownPath } from '../html/address.ts'
import { believed, pushWords, comparison } from './push-words.ts'
import { counted, formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../client/figures.js'
import { bigNumbers, factList } from '../html/fact-list.ts'
import { foreign, outward, pageLink, readableUrl, siteName } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { SiteModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { outcomeTable } from './outcome-list.ts'
import { renderShell } from '../html/page-shell.ts'
import { robotsWords } from './sites-page.ts'

const MAX_ROBOTS = 20_000
const MAX_PAGES = 100

export function renderSitePage(site: SiteModel): string {
  const name = siteName(site.origin)
  return renderShell({
    title: name,
    place: 'sites',
    main: html`<p class="eyebrow"><a href="/sites">Sites</a></p>
      <h1>${foreign(name, 200)}</h1>
      <p>${outward(site.origin)} · <a href="${ownPath('/search', { q: `site:${name}` })}">search it</a></p>
      ${bigNumbers([
        ['pages known', formatCount(site.known)],
        ['held', formatCount(site.held)],
        ['waiting', formatCount(site.waiting)],
        ['errors', formatCount(site.errors)],
        ['of all importance', formatShare(site.importance)],
      ])}
      <section>
        <h2>Politeness</h2>
        ${factList([
          ['Rest between visits', wasVisited(site) ? formatDuration(site.delayMs) : 'not visited yet'],
          ['robots.txt', robotsWords(site.robots)],
          ['Failures in a row', site.strikes > 0 && formatCount(site.strikes)],
          ['Left alone until', site.backoffUntil !== undefined && moment(site.backoffUntil)],
          ['Last visit', site.lastVisitAt !== undefined && moment(site.lastVisitAt)],
        ])}
        ${robotsText(site)}
      </section>
      ${site.calls !== undefined && pushSection(site.calls)}
      <section>
        <h2>How visits ended</h2>
        ${Object.keys(site.outcomes).length === 0 ? html`<p>It was not visited yet.</p>` : outcomeTable(site.outcomes, `Outcomes of visits`)}
      </section>
      <section>
        <h2>Most important pages</h2>
        ${topPages(site)}
      </section>`,
  })
}

/** Of a site that pages merely link to there is no rest between visits. */
const wasVisited = ({ lastVisitAt, delayMs }: SiteModel): boolean => lastVisitAt !== undefined || delayMs > 0

function pushSection(calls: PushStory): Html {
  const { heard, bytes, lastAt, outcomes, worth, why } = calls
  return html`<section>
    <h2>What it sends</h2>
    ${factList([
      ['Sends', pushWords(calls)],
      ['Believed', believed(calls)],
      ['Came', heard > 0 && `${counted(heard, 'page or notice', 'pages and notices')}, ${formatBytes(bytes)}`],
      ['Last', lastAt !== undefined && moment(lastAt)],
      [
        'What came of it',
        heard > 0 &&
          html`${Object.entries(outcomes).map(([name, count], i) => [i > 0 && ', ', foreign(name, 40), ` ${formatCount(count)}`])}`,
      ],
      ['Other pages than it serves', comparison(calls)],
      ['Worth', worth > 0 && formatRate(worth)],
    ])}
    <ul>
      ${why.map((sentence) => html`<li>${foreign(sentence, 400)}</li> `)}
    </ul>
    <p><a href="/calls">All sites that push</a></p>
  </section>`
}

function robotsText({ robotsText: text }: SiteModel): Html | false {
  if (text === undefined || text === '') return false
  return html`<details>
    <summary>robots.txt as it was read</summary>
    <pre class="text" tabindex="0" aria-label="robots.txt"><bdi>${text.slice(0, MAX_ROBOTS)}</bdi></pre>
  </details>`
}

function topPages({ topPages: pages }: SiteModel): Html {
  if (pages.length === 0) return html`<p>None are known.</p>`
  return html`<ol class="pages">
    ${pages
      .slice(0, MAX_PAGES)
      .map(
        (page) => html`<li>${pageLink(page)} <span class="crumbs">${foreign(readableUrl(page.url), 120)}</span></li> `,
      )}
  </ol>`
}
