/**
 * PushFigures: what came in and what came of it, in all and by site, for whoever watches. Sites that nobody has proven to
 * speak for are not counted one by one: a stranger may name as many as they like. Once a site is known, what is forged in its
 * name is seen there.
 */
import type { InboxEndpoint, InboxProof } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { PUSH_REFUSALS } from './push-refusal.ts'
import type { PushRefusalKind } from './push-refusal.ts'

export interface SitePushes {
  readonly origin: string
  readonly accepted: number
  readonly bytes: number
  /** How the last one was proven. */
  readonly proof?: InboxProof | undefined
  readonly lastAt?: Instant | undefined
  readonly refused: Readonly<Partial<Record<PushRefusalKind, number>>>
}

export interface PushTotals {
  readonly accepted: number
  readonly acceptedBytes: number
  readonly byDoor: Readonly<Partial<Record<InboxEndpoint, number>>>
  readonly refused: Readonly<Partial<Record<PushRefusalKind, number>>>
  /** Content with a bad signature by a callback: answered as if it were good, as WebSub §8.1 wants, and not taken. */
  readonly ignored: number
}

type Counts<Name extends string> = Partial<Record<Name, number>>

interface Row {
  accepted: number
  bytes: number
  proof: InboxProof | undefined
  lastAt: Instant | undefined
  readonly refused: Counts<PushRefusalKind>
}

export class PushFigures {
  readonly #maxSites: number
  /** The one that was heard of longest ago first. */
  readonly #sites = new Map<string, Row>()
  readonly #byDoor: Counts<InboxEndpoint> = {}
  readonly #refused: Counts<PushRefusalKind> = {}
  #accepted = 0
  #acceptedBytes = 0
  #ignored = 0

  constructor(maxSites: number) {
    this.#maxSites = maxSites
  }

  accepted(origin: string, door: InboxEndpoint, proof: InboxProof, bytes: number, at: Instant): void {
    this.#accepted++
    this.#acceptedBytes += bytes
    this.#byDoor[door] = (this.#byDoor[door] ?? 0) + 1
    const row = this.#sites.get(origin) ?? { accepted: 0, bytes: 0, proof, lastAt: at, refused: {} }
    row.accepted++
    row.bytes += bytes
    row.proof = proof
    row.lastAt = at
    this.#sites.delete(origin)
    if (this.#sites.size >= this.#maxSites) this.#sites.delete(this.#sites.keys().next().value as string)
    this.#sites.set(origin, row)
  }

  /** `origin`: whom the request names, if anybody. */
  refused(kind: PushRefusalKind, origin?: string): void {
    this.#refused[kind] = (this.#refused[kind] ?? 0) + 1
    const row = origin === undefined ? undefined : this.#sites.get(origin)
    if (row !== undefined) row.refused[kind] = (row.refused[kind] ?? 0) + 1
  }

  /** Counted as refused, though whoever sent it was not told. */
  ignored(origin: string): void {
    this.#ignored++
    this.refused('forged', origin)
  }

  get totals(): PushTotals {
    const [byDoor, refused] = [{ ...this.#byDoor }, { ...this.#refused }]
    return { accepted: this.#accepted, acceptedBytes: this.#acceptedBytes, byDoor, refused, ignored: this.#ignored }
  }

  site(origin: string): SitePushes | undefined {
    const row = this.#sites.get(origin)
    return row === undefined ? undefined : { origin, ...row, refused: { ...row.refused } }
  }

  /** Those that were heard last come first. */
  sites(limit: number): SitePushes[] {
    const last = [...this.#sites.keys()].slice(-limit).toReversed()
    return last.flatMap((origin) => this.site(origin) ?? [])
  }
}

/** In the order of the table, for a report. */
export function refusalCounts(refused: PushTotals['refused']): readonly (readonly [PushRefusalKind, number])[] {
  const kinds = Object.keys(PUSH_REFUSALS) as PushRefusalKind[]
  return kinds.flatMap((kind) => (refused[kind] === undefined ? [] : [[kind, refused[kind]] as const]))
}
