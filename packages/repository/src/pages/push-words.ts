/** Push words: in a few words, whether a site pushes, what it sends, and whether that is believed. */
import type { PushStory } from '@comity/follow'
import { counted, formatCount } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { moment } from '../html/moment.ts'

/** For a cell of a table. */
export function pushCell(calls: PushStory | undefined): Html {
  if (calls === undefined) return html`<span class="quiet">no</span>`
  return html`${pushWords(calls)}${pushDoubt(calls)}`
}

/** What it sends, or could. */
export function pushWords({ subscription, schemes, offers, heard }: PushStory): Html {
  if (subscription?.state === 'active') return html`${foreign(subscription.scheme, 40)}`
  if (subscription?.state === 'asked')
    return html`<span class="quiet">asked for ${foreign(subscription.scheme, 40)}</span>`
  if (heard > 0) return names(Object.keys(schemes))
  return html`<span class="quiet">could: ${names(offers)}</span>`
}

const names = (all: readonly string[]): Html => html`${all.map((name, i) => [i > 0 && ', ', foreign(name, 40)])}`

/** Nothing of a site that is believed. */
export const pushDoubt = ({ restsUntil }: PushStory): Html | false =>
  restsUntil !== undefined && html`<span class="trouble">not believed until ${moment(restsUntil)}</span>`

/** Yes, no, or not known yet. */
export function believed(calls: PushStory): Html {
  const { taken, checked, restsUntil, strikes } = calls
  if (restsUntil !== undefined) return html`<b class="trouble">no</b>${pushDoubt(calls)}`
  if (strikes > 0)
    return html`<b>again</b> <span class="quiet">after ${counted(strikes, 'time')} that it was not</span>`
  if (taken + checked === 0) return html`<span class="quiet">nothing was to be believed yet</span>`
  return html`<b>yes</b>`
}

/** Of the pages that it sent and that were fetched too, how many were other ones. */
export const comparison = ({ checked, different }: PushStory): string =>
  checked === 0 ? '–' : `${formatCount(different)} of ${formatCount(checked)}`
