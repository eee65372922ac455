/** Freshness section: of a page's story, how it changes, what was heard of it, and why it was visited when it was. */
import type { FreshnessStory } from '@comity/follow'
import { counted, formatDuration, formatShare } from '../client/figures.js'
import { factList } from '../html/fact-list.ts'
import { foreign } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { CaptureModel, PageModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'

/** Reasons of older visits are in the API. */
const MAX_REASONS = 10
const DAY_MS = 86_400_000

export function freshnessSection({ freshness, captures }: PageModel): Html | false {
  const reasons = captures.filter(({ why }) => why !== undefined).toSorted((a, b) => b.at - a.at)
  if (freshness === undefined && reasons.length === 0) return false
  return html`<section>
    <h2>Freshness</h2>
    ${freshness !== undefined && facts(freshness)} ${reasons.length > 0 && reasonList(reasons)}
    ${freshness !== undefined && siteTrust(freshness)}
  </section>`
}

function facts(story: FreshnessStory): Html {
  const { changesEveryMs, visits, heard, heardAt, outdated, dueAt, policy, dayMs } = story
  const signals = heard.map(({ channel, signals: count }) => `${counted(count, 'signal')} by ${channel}`).join(', ')
  return factList([
    [
      'Changes',
      changesEveryMs === undefined
        ? 'not known before it is visited again'
        : `about every ${formatDuration(changesEveryMs)}, by ${counted(visits, 'visit')}`,
    ],
    [
      'Heard since the last visit',
      signals === ''
        ? 'nothing'
        : html`${foreign(signals)}${heardAt !== undefined && html`, last at ${moment(heardAt)}`}`,
    ],
    ['Outdated by now', html`with a probability of ${formatShare(outdated)}`],
    [
      'Worth a visit',
      dueAt === undefined
        ? html`not before something is heard of it, by the policy ${foreign(policy, 40)}`
        : html`from ${moment(dueAt)} on, by the policy ${foreign(policy, 40)}`,
    ],
    ['A day here', dayMs !== DAY_MS && `lasts ${formatDuration(dayMs)}, as this was a demonstration`],
  ])
}

const reasonList = (newestFirst: readonly CaptureModel[]): Html =>
  html`<h3>Why it was visited, or came</h3>
    <ol class="reasons">
      ${newestFirst
        .slice(0, MAX_REASONS)
        .map(
          ({ at, scheme, why = '' }) =>
            html`<li>
              ${moment(at)}${scheme !== undefined && html` <span class="quiet">(${foreign(scheme, 40)})</span>`}
              ${foreign(why, 400)}
            </li> `,
        )}
    </ol>`

function siteTrust({ site }: FreshnessStory): Html | false {
  const why = [...site.why, ...(site.calls?.why ?? [])]
  if (why.length === 0) return false
  return html`<h3>How far its site is believed</h3>
    <ul>
      ${why.map((sentence) => html`<li>${foreign(sentence, 400)}</li> `)}
    </ul>`
}
