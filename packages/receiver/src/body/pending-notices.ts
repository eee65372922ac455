/**
 * PendingNotices: notices that were answered with 202, since the key file that proves them could not be looked at in time
 * (IndexNow has that answer). They are on the disk, in an inbox of their own, and nobody reads them but this: each goes on to
 * the inbox when its key was found, and away when it was not, or when nobody could tell for an hour.
 *
 * Nobody has proven anything here, so the room is shared by the addresses that notices came from: one of them can fill a third
 * of it. What was there before a restart counts as one more, since nobody remembers whose it was.
 *
 * A kill between the two inboxes makes a notice come twice. A notice twice is harmless.
 */
import type { Appended, FileInbox, InboxItem, NewInboxItem } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { FairShare } from '@comity/protocol'
import { PENDING } from '../proof/speaker-proof.ts'
import type { SpeakerProof } from '../proof/speaker-proof.ts'

interface PendingParts {
  readonly box: FileInbox
  readonly proof: SpeakerProof
  readonly now: () => Instant
  readonly maxMs: number
  /** Of all that waits. */
  readonly maxItems: number
  readonly maxBytes: number
  /** Its proof was found. False: there is no room, so it is tried again. */
  readonly onProven: (item: InboxItem) => Promise<boolean>
  readonly onRefused: (item: InboxItem) => void
}

/** Whose those are that an earlier process took; it is no address. */
const BEFORE = 'before'

export class PendingNotices implements AsyncDisposable {
  readonly #parts: PendingParts
  /** Numbers that are settled, behind the first that is not. */
  readonly #settled = new Set<number>()
  readonly #room: FairShare
  /** What one weighs besides its bytes, so that items and bytes are bounded together. */
  readonly #itemWeight: number
  readonly #held = new Map<number, { readonly from: string; readonly weight: number }>()
  #done = 0
  #turn: Promise<void> | undefined

  constructor(parts: PendingParts) {
    this.#parts = parts
    this.#room = new FairShare(parts.maxBytes)
    this.#itemWeight = Math.ceil(parts.maxBytes / parts.maxItems)
    for (const { number, bytes } of parts.box.waiting()) this.#hold(number, BEFORE, bytes + this.#itemWeight)
  }

  get waiting(): number {
    return this.#parts.box.depth.items - this.#settled.size
  }

  /** `kept`: durable; `full`: there is no room; `over`: the address `from` has its share of it. */
  async add(item: NewInboxItem, from: string): Promise<'kept' | 'full' | 'over'> {
    const weight = item.body.length + (item.file?.bytes ?? 0) + this.#itemWeight
    const taken = this.#room.take(from, weight)
    if (taken !== 'taken') return taken
    let appended: Appended | undefined
    try {
      appended = await this.#parts.box.append(item)
    } finally {
      this.#room.give(from, weight)
    }
    if (appended.kind === 'full') return 'full'
    this.#hold(appended.number, from, weight)
    return 'kept'
  }

  #hold(number: number, from: string, weight: number): void {
    this.#room.add(from, weight)
    this.#held.set(number, { from, weight })
  }

  #settle(number: number): void {
    this.#settled.add(number)
    const held = this.#held.get(number)
    if (held !== undefined) this.#room.give(held.from, held.weight)
    this.#held.delete(number)
  }

  /** Try all that wait. Those who ask while it is under way wait for the same. */
  turn(): Promise<void> {
    return (this.#turn ??= this.#tryAll().finally(() => {
      this.#turn = undefined
    }))
  }

  async #tryAll(): Promise<void> {
    const { box } = this.#parts
    let after = this.#done
    for (let items = await box.read(after, 100); items.length > 0; items = await box.read(after, 100)) {
      const open = items.filter(({ number }) => !this.#settled.has(number))
      await Promise.all(open.map((item) => this.#try(item)))
      after = items.at(-1)!.number
    }
    await this.#acknowledge()
  }

  async #try(item: InboxItem): Promise<void> {
    const { proof, now, maxMs, onProven, onRefused } = this.#parts
    const { claim } = item
    const verdict =
      claim === undefined ? undefined : await proof.byKeyFile(new URL(claim.keyLocation).origin, claim, PENDING)
    if (verdict?.kind === 'proven' && !(await onProven(item))) return
    const isOpen = verdict?.kind === 'unreachable' || verdict?.kind === 'too-many'
    if (isOpen && now() - item.at < maxMs) return
    if (verdict?.kind !== 'proven') onRefused(item)
    this.#settle(item.number)
  }

  /** An inbox lets go of everything up to a number, so the first that is open holds up those behind it. */
  async #acknowledge(): Promise<void> {
    const { box } = this.#parts
    const open = box.waiting().find(({ number }) => !this.#settled.has(number))
    const upTo = open === undefined ? box.last : open.number - 1
    this.#done = upTo
    await box.acknowledged(upTo)
    for (const number of this.#settled) if (number <= upTo) this.#settled.delete(number)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turn?.catch(() => undefined)
    await this.#parts.box.close()
  }
}
