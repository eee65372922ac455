/**
 * Work budget: what reading one document of a stranger's may cost, whatever it is packed in. Thirty kilobytes can stand for
 * a million empty windows, or half a gigabyte of blank lines; sizes alone do not tell, as each of them is small.
 *
 * Work is counted, not timed, so that the same document has the same outcome on every machine: each piece has its price in
 * units of about a microsecond on a slow one. Who has spent the budget stops where it is, and the outcome has one name:
 * `too-much-work`.
 */
export const TOO_MUCH_WORK = 'too-much-work'
export type TooMuchWork = typeof TOO_MUCH_WORK

/** What a piece of work costs, measured on two cores of a small server and doubled. */
export const WORK_PRICES = {
  /** Of what a coding or an archive unpacks to: inflating, and looking at each byte once or twice. */
  byte: 0.004,
  /** A gzip member takes an inflater of its own, also when it is empty. */
  member: 30,
  /** A record of a WARC, with its head, its digests, or with what is wrong with it. */
  record: 20,
  /** A window of a VCDIFF. */
  window: 2,
  /** A line of an index, of a list, or of rows. */
  line: 2,
  /** One that should be JSON and is none costs an error of the engine's. */
  badLine: 15,
  /** An entry of a ZIP's directory. */
  entry: 2,
} as const
export type WorkKind = keyof typeof WORK_PRICES

/**
 * What documents may cost, in units, which is a good deal more than the largest honest ones do: a difference makes one page,
 * out of 100,000 windows at most; a list has 500,000 lines; an archive 30,000 records, each packed by itself, or 375 MB in all.
 */
export const WORK_LIMITS = { difference: 200_000, list: 1_000_000, archive: 1_500_000 } as const
export type WorkOf = keyof typeof WORK_LIMITS

export class WorkBudget {
  #left: number

  constructor(units: number) {
    this.#left = units
  }

  /** One document of that kind. */
  static of(kind: WorkOf): WorkBudget {
    return new WorkBudget(WORK_LIMITS[kind])
  }

  /** For what is the user's own: nobody counts. */
  static get unlimited(): WorkBudget {
    return new WorkBudget(Infinity)
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** Bytes that may still be unpacked; at least 1, as none at all means "any number" to some decoders. */
  get bytesLeft(): number {
    return Math.max(1, Math.floor(Math.min(this.#left / WORK_PRICES.byte, 2 ** 40)))
  }

  /** False when the budget is spent: whoever asked stops there. */
  spend(kind: WorkKind, count = 1): boolean {
    this.#left -= WORK_PRICES[kind] * count
    return this.#left >= 0
  }
}

/** In the words of a report. */
export const tooMuchWork = (what: string): string =>
  `${TOO_MUCH_WORK}: ${what} takes more work to read than it can be worth`
