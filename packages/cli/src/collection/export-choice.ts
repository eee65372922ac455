/**
 * Export choice: which visited pages an export takes. Without a word, those that are pages: a redirect, an error or a failure is
 * no page, and is counted apart. What `comity search` calls `site:`, `type:`, `lang:` and `since:` means the same here.
 */
import { knownAs } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { pageFilter, readSince } from '@comity/index'
import type { PageTest } from '@comity/index'
import { essenceOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { BadValue, UsageError } from '../usage-error.ts'
import type { Visited } from './export-rows.ts'

export interface ChoiceSettings {
  readonly where: string | undefined
  readonly site: string | undefined
  readonly type: string | undefined
  readonly lang: string | undefined
  readonly since: string | undefined
  readonly changedSince: Instant | undefined
  readonly status: StatusTest | undefined
  readonly all: boolean
}

type StatusTest = (status: number) => boolean

/** How an export judges a page: `page` and `other` are wanted, the second as it is no page; `left` is not. */
export type Choice = 'page' | 'other' | 'left'

const FILTERS = ['site', 'type', 'lang', 'since'] as const

export function hasChoice({ where, changedSince, status, all, ...settings }: ChoiceSettings): boolean {
  return all || [where, changedSince, status, ...FILTERS.map((name) => settings[name])].some((one) => one !== undefined)
}

/** Throws `UsageError` for what is no filter. */
export function exportChoice(
  settings: ChoiceSettings,
  collection: Collection,
  now: Instant,
): (visited: Visited) => Choice {
  const isAmong = filterOf(
    [settings.where ?? '', ...FILTERS.flatMap((name) => filterText(name, settings[name]))].join(' '),
    now,
  )
  const { status: isStatus, changedSince = -Infinity } = settings
  return (visited) => {
    const { row, url, page, language = '' } = visited
    const known = knownAs(row)
    const isPage = known.outcome === 'ok'
    if (isStatus !== undefined && !isStatus(known.status)) return 'left'
    if ((row.changedAt ?? row.visitedAt) < changedSince) return 'left'
    const [first] = collection.captures(page)
    const firstSeenAt = first?.key[1] ?? row.visitedAt
    if (!isAmong({ url, type: essenceOf(row.type), language, firstSeenAt })) return 'left'
    return isPage || isStatus !== undefined ? 'page' : 'other'
  }
}

const filterText = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${name}:${value}`]

function filterOf(text: string, now: Instant): PageTest {
  const filter = pageFilter(text, now)
  if (typeof filter === 'string') throw new UsageError(`Which pages is not clear. ${filter}`)
  return filter
}

/** `2026-01-31`, `7d`: as `since:` takes it. */
export function parseSince(text: string): Instant {
  const since = readSince(text, Date.now())
  if (since === undefined) throw new BadValue('a date or how long ago, as in 2026-01-31, 24h, 7d or 3m')
  return since
}

/** 0 is no answer. */
const STATUS = /^(?:[1-5]\d\d|[1-5]xx|0)$/

/** `200`, `404,410`, `5xx`. */
export function parseStatuses(text: string): StatusTest {
  const parts = text.split(',').map((part) => part.trim().toLowerCase())
  if (!parts.every((part) => STATUS.test(part))) throw new BadValue('statuses as in 200, or 404,410, or 5xx')
  return (status) =>
    parts.some((part) => (part.endsWith('xx') ? Math.floor(status / 100) === Number(part[0]) : status === Number(part)))
}
