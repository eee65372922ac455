/**
 * PushStory: a site that pushes, or could, for people and programs: what it sends, what came of that, what it is worth, and
 * how far what it sends is taken for what it serves, with the reasons in sentences.
 */
import type { InboxProof, InboxScheme } from '@comity/collection'
import { INBOX_SCHEMES } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import type { PushRow, Counts, SubscriptionRow } from './push-store.ts'
import type { CooperationRow } from './cooperation-store.ts'
import type { PushRecord } from '../choose/push-record.ts'
import { priorityAt } from '../choose/site-priority.ts'

export interface PushStory extends PushRow {
  /** What it sends to whoever subscribes. */
  readonly offers: readonly InboxScheme[]
  /** Pages and notices that it sent. */
  readonly heard: number
  /** Importance times change: what sites are ranked by. */
  readonly worth: number
  /** Pages that were taken as they were sent; fetched to be compared; and other ones than the site serves. */
  readonly taken: number
  readonly checked: number
  readonly different: number
  readonly strikes: number
  /** Until then what it sends is a hint and no more. */
  readonly restsUntil?: Instant | undefined
  readonly why: readonly string[]
}

/** Undefined of a site that neither pushes nor offers to. */
export function pushStory(row: CooperationRow, dayMs: number, now: Instant): PushStory | undefined {
  const { calls, offers, worth, pushes } = row
  const offered = INBOX_SCHEMES.filter((scheme) => offers?.push?.topics[scheme] !== undefined)
  if (calls === undefined && offered.length === 0) return undefined
  const { subscription, outcomes = {}, schemes = {}, refused = {}, bytes = 0, lastAt, door, proof } = calls ?? {}
  const { taken = 0, checked = 0, different = 0, strikes = 0, restsUntil = 0 } = pushes ?? {}
  return {
    offers: offered,
    subscription,
    heard: sumOf(outcomes),
    outcomes,
    schemes,
    bytes,
    lastAt,
    door,
    proof,
    refused,
    worth: worth === undefined ? 0 : priorityAt(worth, dayMs, now),
    taken,
    checked,
    different,
    strikes,
    restsUntil: restsUntil > now ? restsUntil : undefined,
    why: [pushesWords(calls, offered, now), trustWords(pushes, now), refusedWords(refused)].flatMap((one) => one ?? []),
  }
}

/** What it sends is taken for what it serves. */
export const isBelieved = ({ restsUntil }: PushStory): boolean => restsUntil === undefined

const PROOFS: Readonly<Record<InboxProof, string>> = {
  'key-file': 'a key file on its host',
  signature: 'a key that it publishes',
  subscription: 'a subscription that its hub verified',
  pending: 'nothing yet',
}

function pushesWords(calls: PushRow | undefined, offered: readonly InboxScheme[], now: Instant): string[] {
  const { subscription, proof } = calls ?? {}
  const proven = proof === undefined ? [] : [`That it speaks for itself is proven by ${PROOFS[proof]}.`]
  return [subscriptionWords(subscription, offered, now), ...proven]
}

function subscriptionWords(
  subscription: SubscriptionRow | undefined,
  offered: readonly InboxScheme[],
  now: Instant,
): string {
  const offers = offered.length === 0 ? 'It pushes by itself.' : `It offers to send ${offered.join(', ')}`
  const { state, scheme, leaseUntil = Infinity, reason } = subscription ?? {}
  if (state === 'asked') return `Its hub was asked for its ${scheme} and has not verified that yet.`
  if (state === 'active' && leaseUntil > now) {
    const what = scheme === 'agent' ? 'What our agent says there is' : `Its ${scheme} are`
    return `${what} subscribed to${leaseUntil === Infinity ? '' : ` until ${instant(leaseUntil)}`}.`
  }
  if (offered.length === 0) return offers
  if (state === 'denied') return `${offers}, but its hub would not${reason === undefined ? '' : `: ${reason}`}.`
  return `${offers}, and is not subscribed to: it is asked.`
}

function trustWords(record: PushRecord | undefined, now: Instant): string | undefined {
  if (record === undefined || record.taken + record.checked === 0) return undefined
  const { taken, checked, different, strikes, restsUntil } = record
  const found =
    checked === 0
      ? 'none was compared with what it serves yet'
      : `of ${checked} that ${checked === 1 ? 'was' : 'were'} fetched too, ${different === 0 ? 'none was another page' : `${different} ${different === 1 ? 'was another page' : 'were other pages'}`}`
  const verdict =
    restsUntil > now
      ? `not believed until ${instant(restsUntil)}, for the ${ordinal(strikes)} time: what it sends is a hint and no more`
      : strikes > 0
        ? `believed again, after ${strikes} ${strikes === 1 ? 'time' : 'times'} that it was not`
        : 'believed'
  return `${taken} ${taken === 1 ? 'page was' : 'pages were'} taken as sent; ${found}: ${verdict}.`
}

function refusedWords(refused: Counts): string | undefined {
  const kinds = Object.entries(refused).filter(([, count]) => count > 0)
  if (kinds.length === 0) return undefined
  const all = sumOf(refused)
  return `${all} ${all === 1 ? 'request' : 'requests'} in its name ${all === 1 ? 'was' : 'were'} refused: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}.`
}

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const instant = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const ordinal = (count: number): string => ['first', 'second', 'third'][count - 1] ?? `${count}th`
