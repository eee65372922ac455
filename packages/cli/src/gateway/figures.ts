/** What gateways came to, as `comity watch` tells it at its end. */
import { GATEWAY_OUTCOMES } from '@comity/ingest'
import type { GatewayRow, GatewayRows } from '@comity/ingest'
import { isFaultFigure, ownValue } from '@comity/protocol'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { textTable } from '../terminal/text-table.ts'

/** Nothing where none is heard. */
export function gatewayLines(rows: GatewayRows | undefined): string[] {
  if (rows === undefined) return []
  const all = Object.entries(rows)
  if (all.length === 0) return ['  no gateway was heard yet']
  const of = (name: string): number => all.reduce((sum, [, { outcomes }]) => sum + (ownValue(outcomes, name) ?? 0), 0)
  const outcomes = GATEWAY_OUTCOMES.filter(([name]) => of(name) > 0)
  const sum = (part: (row: GatewayRow) => number): number => all.reduce((total, [, row]) => total + part(row), 0)
  return [
    ...textTable(all.map(lineOf), ['left', 'right', 'right', 'right', 'right', 'left']),
    ...textTable(
      outcomes.map(([name, words]) => [name, formatCount(of(name)), words]),
      ['left', 'right', 'left'],
    ),
    `  about ${counted(
      sum(({ avoidedRequests }) => avoidedRequests),
      'request',
    )} and ${formatBytes(sum(({ avoidedBytes }) => avoidedBytes))} of pages that a crawler need not ask for`,
  ]
}

function lineOf([name, row]: readonly [name: string, row: GatewayRow]): string[] {
  const { batches, repeated, bytes, htmlBytes, people, robots, skipped } = row
  const share = htmlBytes === 0 ? '' : `, ${((100 * bytes) / htmlBytes).toFixed(1)} % of the HTML`
  const pages = Object.entries(skipped).filter(([reason]) => !isFaultFigure(reason))
  const left = pages.reduce((sum, [, count]) => sum + count, 0)
  return [
    name,
    `${counted(batches, 'batch', 'batches')}${repeated > 0 ? ` + ${formatCount(repeated)} again` : ''}`,
    `${formatBytes(bytes)}${share}`,
    `${formatCount(people)} by people`,
    `${formatCount(robots)} by robots`,
    left === 0 ? '' : `${formatCount(left)} left out there: ${reasons(pages)}`,
  ]
}

const reasons = (pages: readonly (readonly [reason: string, count: number])[]): string =>
  pages
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([reason, count]) => `${reason} ${formatCount(count)}`)
    .join(', ')
