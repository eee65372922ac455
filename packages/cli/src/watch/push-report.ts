/** Push report: sites that push, as `comity watch --listen` tells of them. Pure. */
import { INTAKE_OUTCOMES } from '@comity/ingest'
import type { DelayFigures, EndpointFigures, PushFigures } from '@comity/follow'
import { counted, formatBytes, formatCount, formatDuration, formatPerSecond } from '../terminal/quantity.ts'
import { textTable } from '../terminal/text-table.ts'

/** For the line that moves: how much comes, what waits, and how soon a change is found. */
export function pushText({ perSecond, searchable, doors }: PushFigures): string[] {
  const waiting = doors === undefined || doors.waiting === 0 ? '' : `, ${formatCount(doors.waiting)} wait`
  const refused = doors === undefined ? 0 : sumOf(doors.refused)
  return [
    `${formatPerSecond(perSecond)} heard${waiting}`,
    ...(searchable === undefined ? [] : [`found after ${formatDuration(searchable.p50Ms)}`]),
    ...(refused === 0 ? [] : [`${formatCount(refused)} refused`]),
  ]
}

/** For the report; nothing where nobody was heard. */
export function pushLines(pushes: PushFigures | undefined): string[] {
  if (pushes === undefined) return []
  const { outcomes, subscriptions, doors, searchable } = pushes
  const known = INTAKE_OUTCOMES.filter(([name]) => (outcomes[name] ?? 0) > 0)
  return [
    `  ${counted(subscriptions.active, 'subscription')}${subscriptions.asked > 0 ? `, ${formatCount(subscriptions.asked)} asked for` : ''}; ${arrivals(pushes)}`,
    ...textTable(
      known.map(([name, words]) => [name, formatCount(outcomes[name]!), words]),
      ['left', 'right', 'left'],
    ),
    ...(sumOf(outcomes) === 0 ? [] : [`  taken in ${delayWords(takenIn(pushes), 'it came')}`]),
    ...(searchable === undefined
      ? []
      : [`  to be found ${delayWords(searchable, 'it changed')} (${counted(searchable.count, 'page')})`]),
    ...(doors === undefined ? [] : doorLines(doors)),
  ]
}

function arrivals({ bytes, outcomes, doors }: PushFigures): string {
  const heard = `${counted(sumOf(outcomes), 'page or notice', 'pages and notices')}, ${formatBytes(bytes)}`
  if (doors === undefined || doors.accepted === 0) return heard
  const ways = Object.entries(doors.byDoor).map(([door, requests]) => `${formatCount(requests)} by ${door}`)
  return `${heard} in ${counted(doors.accepted, 'request')} (${ways.join(', ')})`
}

/** Those of the last thousand, like the other. */
const takenIn = ({ delayP50Ms, delayP99Ms }: PushFigures): Pick<DelayFigures, 'p50Ms' | 'p99Ms'> => ({
  p50Ms: delayP50Ms,
  p99Ms: delayP99Ms,
})

const delayWords = ({ p50Ms, p99Ms }: Pick<DelayFigures, 'p50Ms' | 'p99Ms'>, what: string): string =>
  `${formatDuration(p50Ms)} after ${what}, 99 of 100 within ${formatDuration(p99Ms)}`

function doorLines({ refused, ignored, waiting, pending }: EndpointFigures): string[] {
  const kinds = Object.entries(refused).filter(([, count]) => count > 0)
  const reasons = kinds.map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ')
  return [
    ...(waiting === 0 ? [] : [`  ${counted(waiting, 'request')} still to be taken in`]),
    ...(pending === 0 ? [] : [`  ${counted(pending, 'notice waits', 'notices wait')} for a key file to be looked at`]),
    ...(kinds.length === 0
      ? []
      : [
          `  refused: ${reasons}${ignored === 0 ? '' : `; ${formatCount(ignored)} of them without a word`} (docs/receive.md)`,
        ]),
  ]
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
