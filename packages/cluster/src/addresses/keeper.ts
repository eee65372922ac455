/**
 * AddressKeeper: lends addresses to shards, each to one at a time, so that no two machines are connected to one address at once and
 * none is too soon. In memory alone: one that begins anew lends nothing before every loan of its predecessor's has ended, and then
 * treats every address as just visited.
 *
 *   free ──borrow──▶ lent ──give back──▶ resting ──▶ free
 *                     └──no renewal for a lease──▶ resting
 *
 * Who finds an address taken has one place in its line and is told when to ask again. Whoever is first has a moment to come; then it
 * is the next one's turn. So a lost message delays, and nobody is forgotten or preferred.
 *
 * Deterministic: time is an argument, of this machine's monotonic clock.
 */
export interface Ask {
  readonly shard: number
  readonly epoch: number
  /** Another one for each loan: the same again is the same question, heard twice. */
  readonly token: string
  readonly address: string
  /** The least rest after the visit, for when nobody says how it ended. */
  readonly restMs: number
}

type Answered =
  | { readonly kind: 'lent' }
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** The asker was followed by another owner of its shard. */
  | { readonly kind: 'refused' }

interface Loan {
  readonly token: string
  readonly shard: number
  readonly restMs: number
  until: number
}

interface Place {
  loan: Loan | undefined
  /** Of the loan before: its question may come again, late. */
  spent: string | undefined
  readyAt: number
  /** Nobody knows when it was visited before this keeper began. */
  isUnknown: boolean
  readonly line: { readonly shard: number; comesAt: number }[]
}

/** How long a visit lasts, when nobody knows: who waits asks again then. */
const VISIT_MS = 200
const MIN_WAIT_MS = 20
/** Whoever is first in line is waited for so long after its turn. */
const GRACE_MS = 1_000
const MAX_REST_MS = 86_400_000
/** Places that nobody waits for or rests at are let go when there are this many; where none can be, nobody is let in. */
const MAX_PLACES = 200_000
const FULL_MS = 10_000

interface KeeperOptions {
  readonly leaseMs: number
  readonly bornAt: number
  /** Nobody has lent these addresses before. */
  readonly isFirst: boolean
}

export class AddressKeeper {
  readonly #options: KeeperOptions
  readonly #places = new Map<string, Place>()
  /** The newest epoch heard of each shard. */
  readonly #epochs = new Map<number, number>()
  #sweepAt = -Infinity
  /** Loans given. */
  lent = 0

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  get places(): number {
    return this.#places.size
  }

  borrow(ask: Ask, now: number): Answered {
    if (!this.#isCurrent(ask)) return { kind: 'refused' }
    const place = this.#place(ask.address, now)
    if (place === undefined) return { kind: 'wait', waitMs: FULL_MS }
    const restMs = restOf(ask.restMs)
    this.#lapse(place, now)
    if (place.loan?.token === ask.token) return { kind: 'lent' }
    if (place.isUnknown) place.readyAt = Math.max(place.readyAt, this.#bornUntil + restMs)
    if (place.loan !== undefined || place.readyAt > now || !this.#isTurnOf(ask.shard, place, now))
      return { kind: 'wait', waitMs: this.#queue(ask.shard, place, restMs, now) }
    if (place.spent === ask.token) return { kind: 'wait', waitMs: MIN_WAIT_MS }
    leaveLine(place, ask.shard)
    place.isUnknown = false
    place.loan = { token: ask.token, shard: ask.shard, restMs, until: now + this.#options.leaseMs }
    this.lent++
    return { kind: 'lent' }
  }

  /** Of these, those at whose address another shard waits: a connection that could go on for long is to end soon. */
  wanted(tokens: readonly string[], loans: readonly Pick<Ask, 'address' | 'token'>[]): string[] {
    return loans.flatMap(({ address, token }) => {
      const place = this.#places.get(address)
      const isWaitedFor = place?.line.some(({ shard }) => shard !== place.loan?.shard) === true
      return tokens.includes(token) && isWaitedFor ? [token] : []
    })
  }

  /** Those of a shard's loans that go on. A keeper that is new takes over what its predecessor has lent. */
  renew(
    shard: number,
    epoch: number,
    loans: readonly { readonly address: string; readonly token: string; readonly restMs: number }[],
    now: number,
  ): string[] {
    if (!this.#isCurrent({ shard, epoch })) return []
    return loans.flatMap(({ address, token, restMs }) => {
      const place = this.#place(address, now)
      if (place === undefined) return []
      this.#lapse(place, now)
      const isAdopted = place.loan === undefined && place.isUnknown && now < this.#bornUntil
      if (isAdopted) place.loan = { token, shard, restMs: restOf(restMs), until: 0 }
      if (place.loan?.token !== token) return []
      place.loan.until = now + this.#options.leaseMs
      return [token]
    })
  }

  /** The visit is over, and its address rests for so long. Harmless when the loan has ended already. */
  giveBack({ address, token, restMs }: Pick<Ask, 'address' | 'token' | 'restMs'>, now: number): void {
    const place = this.#place(address, now)
    if (place === undefined) return
    if (place.loan?.token === token) place.loan = undefined
    place.spent = token
    place.readyAt = Math.max(place.readyAt, now + restOf(restMs))
  }

  get #bornUntil(): number {
    return this.#options.bornAt + this.#options.leaseMs
  }

  /** What an owner says that was followed by another is refused. */
  #isCurrent({ shard, epoch }: Pick<Ask, 'shard' | 'epoch'>): boolean {
    const newest = this.#epochs.get(shard) ?? 0
    if (epoch > newest) this.#epochs.set(shard, epoch)
    return epoch >= newest
  }

  /** A loan that nobody renewed is over: as if visited until its last moment. */
  #lapse(place: Place, now: number): void {
    const { loan } = place
    if (loan === undefined || loan.until > now) return
    place.loan = undefined
    place.readyAt = Math.max(place.readyAt, loan.until + loan.restMs)
  }

  #isTurnOf(shard: number, { line }: Place, now: number): boolean {
    for (let first = line[0]; first !== undefined; first = line[0]) {
      if (first.shard === shard) return true
      if (now <= first.comesAt + GRACE_MS) return false
      line.shift()
    }
    return true
  }

  #queue(shard: number, place: Place, restMs: number, now: number): number {
    const { line, loan } = place
    let at = line.findIndex((one) => one.shard === shard)
    if (at === -1) at = line.push({ shard, comesAt: 0 }) - 1
    const freeMs =
      loan === undefined ? Math.max(0, place.readyAt - now) : Math.min(loan.until - now, VISIT_MS) + loan.restMs
    const waitMs = Math.max(MIN_WAIT_MS, freeMs + at * (restMs + MIN_WAIT_MS))
    line[at]!.comesAt = now + waitMs
    return waitMs
  }

  #place(address: string, now: number): Place | undefined {
    const known = this.#places.get(address)
    if (known !== undefined) return known
    if (this.#places.size >= MAX_PLACES && now >= this.#sweepAt) this.#sweep(now)
    if (this.#places.size >= MAX_PLACES) return undefined
    const isUnknown = !this.#options.isFirst
    const place: Place = {
      loan: undefined,
      spent: undefined,
      readyAt: isUnknown ? this.#bornUntil : -Infinity,
      isUnknown,
      line: [],
    }
    this.#places.set(address, place)
    return place
  }

  #sweep(now: number): void {
    this.#sweepAt = now + GRACE_MS
    for (const [address, place] of this.#places) {
      this.#lapse(place, now)
      // Whoever did not come when it was its turn does not come any more.
      while (place.line.length > 0 && place.line[0]!.comesAt + GRACE_MS < now) place.line.shift()
      // One that is not known is as it was when it is met again.
      if (place.loan === undefined && place.readyAt <= now && place.line.length === 0) this.#places.delete(address)
    }
  }
}

const restOf = (ms: number): number => Math.min(Math.max(ms, 0), MAX_REST_MS)

function leaveLine({ line }: Place, shard: number): void {
  const at = line.findIndex((one) => one.shard === shard)
  if (at !== -1) line.splice(at, 1)
}
