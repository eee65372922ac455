/** Trust table: the sites that help crawlers: what each offers, which of it is asked, and how far it is believed. */
import { isBelieved } from '@comity/follow'
import type { ChannelStory, OfferStory } from '@comity/follow'
import { pushDoubt } from './push-words.ts'
import { counted, formatCount, formatShare } from '../client/figures.js'
import { foreign, siteLink } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { TrustRowModel } from '../model/models.ts'
import { moment } from '../html/moment.ts'

export function trustTable(sites: readonly TrustRowModel[]): Html {
  return html`<table class="trust cards">
      <caption class="unseen">
        Sites that help crawlers
      </caption>
      <thead>
        <tr>
          <th scope="col">Site</th>
          <th scope="col" class="right">Held</th>
          <th scope="col">Offers</th>
          <th scope="col">Asked</th>
          <th scope="col" class="right">Right</th>
          <th scope="col" class="right">Told</th>
          <th scope="col">Believed?</th>
        </tr>
      </thead>
      <tbody>
        ${sites.map(trustRow)}
      </tbody>
    </table>
    <p class="quiet">
      Right: of the pages it announced, those that had changed. Told: of all changes, those it announced, at a guess,
      together and by each of its channels.
    </p>`
}

const trustRow = (site: TrustRowModel): Html =>
  html`<tr>
    <th scope="row">${siteLink(site.origin)}</th>
    <td data-name="Held" class="right">${formatCount(site.held)}</td>
    <td data-name="Offers">${offers(site)}</td>
    <td data-name="Asked">
      ${site.uses === undefined ? html`<span class="quiet">nothing</span>` : foreign(site.uses, 60)}
    </td>
    <td data-name="Right" class="right">${right(site.channels)}</td>
    <td data-name="Told" class="right">${told(site)}</td>
    <td class="all">${believed(site)}</td>
  </tr> `

function right(channels: readonly ChannelStory[]): string {
  const sum = (of: (channel: ChannelStory) => number): number => channels.reduce((all, one) => all + of(one), 0)
  const heard = sum((channel) => channel.heard)
  return heard < 0.5 ? '–' : formatShare(Math.min(1, sum((channel) => channel.confirmed) / heard))
}

/** Of the whole site; and where several channels speak, of each by itself. */
function told({ recall, channels }: TrustRowModel): Html {
  if (recall === undefined) return html`–`
  const each = channels.map(({ channel, recall: own }, i) => [
    i > 0 && ', ',
    foreign(channel, 60),
    ` ${formatShare(own)}`,
  ])
  return html`${formatShare(recall)}${channels.length > 1 && html` <span class="quiet">(${each})</span>`}`
}

function offers({ offers: all, calls }: TrustRowModel): Html {
  if (all.length === 0 && calls === undefined) return html`<span class="quiet">nothing found</span>`
  const kinds = all.map(({ kind }, i) => [i > 0 && ', ', foreign(kind, 60)])
  return html`${kinds}${calls !== undefined && html`${all.length > 0 && '; '}<a href="/calls">pushes</a>`}${all.filter(({ failures }) => failures > 0).map(failure)}`
}

const failure = ({ kind, failures, problem, restsUntil }: OfferStory): Html =>
  html`<span class="trouble"
    >${foreign(kind, 60)} failed
    ${counted(failures, 'time')}${problem !== undefined && html`: ${foreign(problem, 160)}`}${
      restsUntil !== undefined && html`; left alone until ${moment(restsUntil)}`
    }</span
  >`

/** Doubts first, then the reasons, which are our own sentences about the site. */
function believed({ channels, silenceDoubtedUntil, why, calls }: TrustRowModel): Html {
  const doubted = channels.filter(({ quarantine }) => quarantine !== undefined)
  const isLiar = calls !== undefined && !isBelieved(calls)
  const word =
    doubted.length > 0 || isLiar || (why.length > 0 && silenceDoubtedUntil !== undefined)
      ? html`<b class="trouble">with doubts</b>`
      : why.length === 0 && (calls?.taken ?? 0) === 0
        ? html`<span class="quiet">nothing was heard yet</span>`
        : html`<b>yes</b>`
  return html`${word}${doubted.map(doubt)}${isLiar && html`<span class="trouble">what it sends: </span>${pushDoubt(calls)}`}${
    why.length > 0 &&
    html`<details>
      <summary>Why?</summary>
      <ul>
        ${why.map((sentence) => html`<li>${foreign(sentence, 400)}</li> `)}
      </ul>
    </details>`
  }`
}

const doubt = ({ channel, quarantine }: ChannelStory): Html | false =>
  quarantine !== undefined &&
  html`<span class="trouble"
    >${foreign(channel, 60)}: not until ${moment(quarantine.until)}, for ${foreign(quarantine.reason, 60)}</span
  >`
