/**
 * Request log: what the served side saw of a crawler, and when.
 *
 * Politeness is a promise about what arrives at a server, so it is measured there and not in the crawler. The log is a
 * list of events; folding the list gives connections and requests. Events can also go to a file as JSON lines, one
 * write each: a crawler that is killed takes nothing with it, and a test can read the file after both are gone.
 *
 * Invariant: at most `maxEvents` are in memory. The oldest go first and are counted in `dropped`.
 */
import { appendFileSync } from 'node:fs'
import type { Instant } from '@comity/protocol'

export type LogEvent = ConnectionOpened | RequestServed | ConnectionClosed

interface ConnectionOpened {
  readonly event: 'opened'
  readonly connectionId: number
  readonly address: string
  readonly port: number
  readonly at: Instant
}

interface ConnectionClosed {
  readonly event: 'closed'
  readonly connectionId: number
  readonly at: Instant
}

/** Carries all of its connection's facts, so a log that lost its oldest events still makes sense. */
export interface RequestServed {
  readonly event: 'request'
  readonly connectionId: number
  readonly connectionOpenedAt: Instant
  readonly site: string
  readonly address: string
  readonly port: number
  readonly method: string
  readonly path: string
  readonly userAgent: string
  /** When the request head was whole. */
  readonly startedAt: Instant
  /** When the last byte of the answer was handed on, or the connection broke. */
  readonly endedAt: Instant
  /** 0 when nothing that looks like a status was sent. */
  readonly status: number
  /** The instant that `Retry-After` named, when the answer had one. */
  readonly retryAt?: Instant
  /** Sent, head and body. */
  readonly bytes?: number
}

export interface ConnectionRecord {
  readonly connectionId: number
  readonly address: string
  readonly port: number
  /** The sites asked for over it: none for a connection that never asked, several for names that share an address. */
  readonly sites: readonly string[]
  readonly openedAt: Instant
  /** Infinity while it is open. */
  readonly closedAt: Instant
}

export interface RequestRecord extends Omit<RequestServed, 'event'> {
  /** Infinity while it is open. */
  readonly connectionClosedAt: Instant
}

/** Both lists in the order of time: connections by opening, requests by start. */
export interface RequestLog {
  readonly connections: readonly ConnectionRecord[]
  readonly requests: readonly RequestRecord[]
}

export interface LogRecorder {
  record(event: LogEvent): void
  /** A number no other connection of this recorder has. */
  nextConnectionId(): number
  read(): RequestLog
  /** All requests to a site so far, also those whose events were dropped. */
  traffic(site: string): Traffic
  readonly dropped: number
}

interface Traffic {
  readonly requests: number
  readonly bytes: number
}

interface LogRecorderOptions {
  readonly maxEvents?: number
  /** Append every event to this file as a line of JSON. */
  readonly file?: string
}

const defaultMaxEvents = 200_000

export function createLogRecorder({ maxEvents = defaultMaxEvents, file }: LogRecorderOptions = {}): LogRecorder {
  let events: LogEvent[] = []
  let dropped = 0
  let lastId = 0
  const traffic = new Map<string, Traffic>()
  const none: Traffic = { requests: 0, bytes: 0 }
  return {
    record: (event) => {
      if (event.event === 'request') {
        const { requests, bytes } = traffic.get(event.site) ?? none
        traffic.set(event.site, { requests: requests + 1, bytes: bytes + (event.bytes ?? 0) })
      }
      // Synchronous, so the line is with the kernel before the answer goes out and survives our own kill -9.
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`)
      events.push(event)
      // Twice the cap before cutting makes the cost of a cut constant for each event.
      if (events.length >= maxEvents * 2) {
        dropped += events.length - maxEvents
        events = events.slice(-maxEvents)
      }
    },
    nextConnectionId: () => (lastId += 1),
    traffic: (site) => traffic.get(site) ?? none,
    read: () => foldEvents(events.slice(-maxEvents)),
    get dropped() {
      return dropped + Math.max(0, events.length - maxEvents)
    },
  }
}

export function foldEvents(events: readonly LogEvent[]): RequestLog {
  const connections = new Map<number, { -readonly [K in keyof ConnectionRecord]: ConnectionRecord[K] }>()
  const served: RequestServed[] = []
  for (const event of events) {
    if (event.event === 'closed') {
      const connection = connections.get(event.connectionId)
      if (connection !== undefined) connection.closedAt = event.at
      continue
    }
    const { connectionId, address, port } = event
    const openedAt = event.event === 'opened' ? event.at : event.connectionOpenedAt
    const known = connections.get(connectionId) ?? {
      connectionId,
      address,
      port,
      sites: [],
      openedAt,
      closedAt: Infinity,
    }
    connections.set(connectionId, known)
    if (event.event === 'opened') continue
    if (!known.sites.includes(event.site)) known.sites = [...known.sites, event.site]
    served.push(event)
  }
  const requests = served.map((request) =>
    recordOf(request, connections.get(request.connectionId)?.closedAt ?? Infinity),
  )
  return {
    connections: [...connections.values()].toSorted((a, b) => a.openedAt - b.openedAt),
    requests: requests.toSorted((a, b) => a.startedAt - b.startedAt),
  }
}

function recordOf(request: RequestServed, connectionClosedAt: Instant): RequestRecord {
  const { event: _event, ...facts } = request
  return { ...facts, connectionClosedAt }
}

/** Read a log file back. A last line cut short by a crash is left out. */
export function parseLogLines(text: string): RequestLog {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const lines = whole.split('\n').filter((line) => line !== '')
  return foldEvents(lines.map((line): LogEvent => JSON.parse(line)))
}

/** `Retry-After` as an instant: seconds or an HTTP date (RFC 9110 §10.2.3). */
export function retryInstant(value: string | undefined, at: Instant): Instant | undefined {
  if (value === undefined) return undefined
  const instant = /^\d+$/.test(value) ? at + Number(value) * 1_000 : Date.parse(value)
  return Number.isNaN(instant) ? undefined : instant
}
