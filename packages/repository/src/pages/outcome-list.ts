/** Outcomes in words: how visits ended, most frequent first, by names that may be a newer version's. */
import { OUTCOMES } from '@comity/ingest'
import { tableOf } from '@comity/protocol'
import { bar } from '../html/bar.ts'
import { formatCount } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'

const byName = tableOf<{ readonly sentence: string }>(OUTCOMES)

/** Empty for a name we do not know. */
export const outcomeSentence = (outcome: string): string => byName.get(outcome)?.sentence ?? ''

const MAX_ROWS = 40

/** A hidden one is there for a script to fill. */
export function outcomeTable(
  counts: Readonly<Record<string, number>>,
  caption: string,
  isHidden: boolean = false,
): Html {
  const rows = Object.entries(counts)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_ROWS)
  const most = Math.max(1, ...rows.map(([, count]) => count))
  return html`<table class="outcomes" ${attributes({ hidden: isHidden })}>
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Outcome</th>
        <th scope="col" class="right">Visits</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, count]) =>
          html`<tr>
            <th scope="row"><code>${foreign(name, 60)}</code></th>
            <td class="right">${formatCount(count)}${bar(count / most)}</td>
            <td>${outcomeSentence(name)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}
