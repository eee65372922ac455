/**
 * JSON Feed (https://www.jsonfeed.org/version/1.1/, and version 1): the newest pages of a site, as one JSON object. Read when it is
 * whole, as half an object is none; what is wrong in it is counted by name, as in other lists.
 */
import { ownValue } from '../lookup.ts'
import { parseClaimedDate } from './claimed-date.ts'
import type { EntryProblem, SitemapEntry } from './sitemap-entry.ts'

export type JsonFeedProblem = 'malformed-json' | 'unknown-version'

interface JsonFeedSink {
  /** A page as it stood there, and when it changed by its own word. */
  offer(kind: 'page', loc: string, facts: Pick<SitemapEntry, 'lastmod'>): void
  report(problem: JsonFeedProblem | EntryProblem): void
}

/** Versions are URLs, with or without `www`, over either scheme: all of them are met. */
const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1(?:\.\d{1,2})?\/?$/i

/** False when it is no feed at all. */
export function readJsonFeed(text: string, sink: JsonFeedSink): boolean {
  const feed = parsed(text)
  if (feed === undefined) {
    sink.report('malformed-json')
    return false
  }
  const [version, items] = [ownValue(feed, 'version'), ownValue(feed, 'items')]
  if (typeof version !== 'string' || !VERSION.test(version) || !Array.isArray(items)) {
    sink.report('unknown-version')
    return false
  }
  for (const item of items as readonly unknown[]) readItem(item, sink)
  return true
}

function readItem(item: unknown, sink: JsonFeedSink): void {
  const loc = isRecord(item) ? locOf(item) : undefined
  if (loc === undefined || !isRecord(item)) return sink.report('missing-loc')
  const date = textOf(item, 'date_modified') ?? textOf(item, 'date_published')
  const lastmod = date === undefined ? undefined : parseClaimedDate(date)
  if (date !== undefined && lastmod === undefined) sink.report('bad-date')
  sink.offer('page', loc, lastmod === undefined ? {} : { lastmod })
}

/** Where an item has no `url`, its `id` may be one (§ Items). `external_url` is somebody else's page. */
function locOf(item: Readonly<Record<string, unknown>>): string | undefined {
  const id = textOf(item, 'id')
  return textOf(item, 'url') ?? (id !== undefined && /^https?:\/\//i.test(id) ? id : undefined)
}

function textOf(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = ownValue(item, name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    // It is no JSON: the caller counts that.
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
