/** Moments: instants as readers see them. UTC, since the server does not know where its reader is. */
import type { Instant } from '@comity/protocol'
import { html } from './html.ts'
import type { Html } from './html.ts'

/** `2026-11-15 14:03:20 UTC` */
export const moment = (at: Instant): Html =>
  isShowable(at)
    ? html`<time datetime="${iso(at)}"
        >${iso(at).slice(0, 19).replace('T', ' ')} <abbr title="Coordinated Universal Time">UTC</abbr></time
      >`
    : html`unknown`

/** `15 Nov 2026` */
export const day = (at: Instant): Html =>
  isShowable(at) ? html`<time datetime="${iso(at)}">${dayOf(at)}</time>` : html`unknown`

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

const dayOf = (at: Instant): string => days.format(at)

/** Dates end in the year 275760, numbers do not. */
const isShowable = (at: Instant): boolean => Number.isFinite(at) && Math.abs(at) <= 8.64e15

const iso = (at: Instant): string => new Date(at).toISOString()
