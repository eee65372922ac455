/** Query help: the query language on a small card. */
import { html } from './html.ts'
import type { Html } from './html.ts'

// oxfmt-ignore
const WAYS: readonly (readonly [example: string, means: string])[] = [
  ['crawl delay',         'pages with both words, in any form: crawls, delayed'],
  ['"crawl delay"',       'the words side by side, in this order'],
  ['robots OR sitemap',   'one of the words, or both'],
  ['robots -noindex',     'the first word, and not the second'],
  ['crawl*',              'words that begin so: crawler, crawling'],
  ['title:politeness',    'the word in the title'],
  ['site:docs.example',   'pages of one site'],
  ['type:pdf',            'pages of one type'],
  ['lang:de',             'pages in one language'],
  ['since:2026-01-31',    'pages first seen on that day or later; since:7d is a week'],
]

export const queryHelp: Html = html`<details class="help">
  <summary>How to ask</summary>
  <dl>
    ${WAYS.map(
      ([example, means]) =>
        html`<div>
          <dt><code>${example}</code></dt>
          <dd>${means}</dd>
        </div>`,
    )}
  </dl>
</details>`
