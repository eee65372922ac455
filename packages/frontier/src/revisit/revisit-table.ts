/**
 * Revisit table: what the calendar of visits knows of each page, in columns: 90 bytes a page with its place in a heap, so
 * that a million fit in a hundred megabytes. Pages are numbered by whoever owns them; the numbers should be dense.
 *
 *   where   site u32 · rank f64 (due instant, or value below zero) · place u32 · flags u8
 *   page    importance f32 · bytes f32 · visited at f64 · visits u16 · our mark u32 · interval f32
 *   rates   change rate f32 · five f32 of change statistics
 *   heard   events u32, three bits a channel · channels heard u16 · last event at f64, its mark u32, its channel u8
 */
import { SIGNAL_CHANNELS } from '@comity/protocol'
import type { SignalChannel } from '@comity/protocol'
import type { ChangeStats } from './change-rate.ts'
import { grown } from '../queue/grown.ts'
import type { HeapColumns } from '../queue/page-heap.ts'
import { NOWHERE } from '../queue/page-table.ts'
import type { RevisitRecord } from './revisit-record.ts'

/** In the table at all. */
export const KNOWN = 1
/** Worth its price, and in its site's heap of such pages. */
export const READY = 2
/** Being visited. */
export const OUT = 4
/** To be visited as a sample of a channel that is not believed. */
export const SAMPLE = 8
/** A believed channel told of a digest other than ours. */
export const CERTAIN = 16
/** The visit under way is an audit. */
export const AUDIT = 32
/** Not to be visited for a while. */
export const HELD = 64
/** What is stored: the rest is about this very moment. */
const LASTING = SAMPLE | CERTAIN

const EVENT_BITS = 3
/** Signals of a channel that are counted for a page. */
export const MOST_EVENTS: number = (1 << EVENT_BITS) - 1

export class RevisitTable implements HeapColumns {
  /** One more than the highest page. */
  size = 0
  flags: Uint8Array = new Uint8Array(0)
  site: Uint32Array = new Uint32Array(0)
  rank: Float64Array = new Float64Array(0)
  place: Uint32Array = new Uint32Array(0)
  importance: Float32Array = new Float32Array(0)
  bytes: Float32Array = new Float32Array(0)
  visitedAt: Float64Array = new Float64Array(0)
  visits: Uint16Array = new Uint16Array(0)
  ourMark: Uint32Array = new Uint32Array(0)
  intervalDays: Float32Array = new Float32Array(0)
  changeRate: Float32Array = new Float32Array(0)
  quietDays: Float32Array = new Float32Array(0)
  dated: Float32Array = new Float32Array(0)
  changed: Float32Array = new Float32Array(0)
  logDays: Float32Array = new Float32Array(0)
  logSquares: Float32Array = new Float32Array(0)
  events: Uint32Array = new Uint32Array(0)
  heard: Uint16Array = new Uint16Array(0)
  lastEventAt: Float64Array = new Float64Array(0)
  lastMark: Uint32Array = new Uint32Array(0)
  lastChannel: Uint8Array = new Uint8Array(0)

  rankOf(page: number): number {
    return this.rank[page]!
  }
  placeOf(page: number): number {
    return this.place[page]!
  }
  setPlace(page: number, at: number): void {
    this.place[page] = at
  }

  has(page: number, flag: number): boolean {
    return page < this.size && (this.flags[page]! & flag) !== 0
  }
  set(page: number, flag: number): void {
    this.flags[page]! |= flag
  }
  clear(page: number, flag: number): void {
    this.flags[page]! &= ~flag
  }

  /** Make room up to this page. */
  ensure(page: number): void {
    if (page < this.size) return
    const count = page + 1
    this.size = count
    this.flags = grown(this.flags, count)
    this.site = grown(this.site, count)
    this.rank = grown(this.rank, count)
    this.place = grown(this.place, count, NOWHERE)
    this.importance = grown(this.importance, count)
    this.bytes = grown(this.bytes, count)
    this.visitedAt = grown(this.visitedAt, count)
    this.visits = grown(this.visits, count)
    this.ourMark = grown(this.ourMark, count)
    this.intervalDays = grown(this.intervalDays, count)
    this.changeRate = grown(this.changeRate, count)
    this.quietDays = grown(this.quietDays, count)
    this.dated = grown(this.dated, count)
    this.changed = grown(this.changed, count)
    this.logDays = grown(this.logDays, count)
    this.logSquares = grown(this.logSquares, count)
    this.events = grown(this.events, count)
    this.heard = grown(this.heard, count)
    this.lastEventAt = grown(this.lastEventAt, count)
    this.lastMark = grown(this.lastMark, count)
    this.lastChannel = grown(this.lastChannel, count)
  }

  statsOf(page: number): ChangeStats {
    return {
      quietDays: this.quietDays[page]!,
      dated: this.dated[page]!,
      changed: this.changed[page]!,
      logDays: this.logDays[page]!,
      logSquares: this.logSquares[page]!,
    }
  }

  setStats(page: number, stats: ChangeStats): void {
    this.quietDays[page] = stats.quietDays
    this.dated[page] = stats.dated
    this.changed[page] = stats.changed
    this.logDays[page] = stats.logDays
    this.logSquares[page] = stats.logSquares
  }

  // ── signals since the last visit ───────────────────────────────────────────────────────────────────────────

  /** Count an event for a channel; seven are as good as more. */
  addEvent(page: number, channel: number, by: 1 | -1): void {
    const shift = channel * EVENT_BITS
    const count = ((this.events[page]! >>> shift) & MOST_EVENTS) + by
    if (count >= 0 && count <= MOST_EVENTS) this.events[page]! += by * 2 ** shift
  }

  eventsOf(page: number): [channel: SignalChannel, count: number][] {
    const rows: [SignalChannel, number][] = []
    for (let events = this.events[page]!, channel = 0; events !== 0; events >>>= EVENT_BITS, channel++) {
      if ((events & MOST_EVENTS) !== 0) rows.push([SIGNAL_CHANNELS[channel]!, events & MOST_EVENTS])
    }
    return rows
  }

  heardOf(page: number): SignalChannel[] {
    return SIGNAL_CHANNELS.filter((_, channel) => (this.heard[page]! & (1 << channel)) !== 0)
  }

  forgetEvents(page: number): void {
    this.events[page] = 0
    this.heard[page] = 0
    this.lastEventAt[page] = -Infinity
    this.lastMark[page] = 0
    this.clear(page, SAMPLE | CERTAIN)
  }

  // ── storage ────────────────────────────────────────────────────────────────────────────────────────────────

  recordOf(page: number): RevisitRecord {
    return {
      flags: this.flags[page]! & LASTING,
      visits: this.visits[page]!,
      visitedAt: this.visitedAt[page]!,
      lastEventAt: this.lastEventAt[page]!,
      ourMark: this.ourMark[page]!,
      lastMark: this.lastMark[page]!,
      events: this.events[page]!,
      heard: this.heard[page]!,
      lastChannel: this.lastChannel[page]!,
      importance: this.importance[page]!,
      bytes: this.bytes[page]!,
      intervalDays: this.intervalDays[page]!,
      ...this.statsOf(page),
      changeRate: this.changeRate[page]!,
    }
  }

  load(page: number, record: RevisitRecord): void {
    this.flags[page] = KNOWN | (record.flags & LASTING)
    this.visits[page] = record.visits
    this.visitedAt[page] = record.visitedAt
    this.lastEventAt[page] = record.lastEventAt
    this.ourMark[page] = record.ourMark
    this.lastMark[page] = record.lastMark
    // A channel of another version of the list is not known here.
    this.events[page] = record.events % 2 ** (EVENT_BITS * SIGNAL_CHANNELS.length)
    this.heard[page] = record.heard
    this.lastChannel[page] = Math.min(record.lastChannel, SIGNAL_CHANNELS.length - 1)
    this.importance[page] = record.importance
    this.bytes[page] = record.bytes
    this.intervalDays[page] = record.intervalDays
    this.setStats(page, record)
    this.changeRate[page] = record.changeRate
  }
}
