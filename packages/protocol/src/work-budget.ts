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
const WORK_PRICES = {
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
  /** The beginning of a pattern beside that of a text. */
  comparison: 0.02,
  /** A piece of a pattern, looked for in a text; and each character that is passed on the way. */
  piece: 0.2,
  character: 0.001,
} as const
type WorkKind = keyof typeof WORK_PRICES

/**
 * What documents may cost, in units, which is a good deal more than the largest honest ones do: a difference makes one page,
 * out of 100,000 windows at most; a list has 500,000 lines; an archive 30,000 records, each packed by itself, or 375 MB in all;
 * of the rules of a site 10,000 with wildcards are held against one URL.
 */
export const WORK_LIMITS = { difference: 200_000, list: 1_000_000, archive: 1_500_000, rules: 5_000 } as const
export type WorkOf = keyof typeof WORK_LIMITS

/**
 * An archive may cost what its length makes likely: so much whatever its length, and so much more for each byte of it. A record
 * packed by itself is seldom shorter than 150 bytes and costs 50 units; text packs to a tenth or, often repeated, to a fiftieth.
 * So half a megabyte that unpacks to half a gigabyte ends soon, and whoever wants to cost more has to send more.
 */
const ARCHIVE_LEAST = 150_000
const ARCHIVE_BYTE = 0.4

export class WorkBudget {
  #left: number

  constructor(units: number) {
    this.#left = units
  }

  /** One document of that kind. */
  static of(kind: WorkOf): WorkBudget {
    return new WorkBudget(WORK_LIMITS[kind])
  }

  /** An archive of this length. */
  static ofArchive(bytes: number): WorkBudget {
    return new WorkBudget(Math.min(WORK_LIMITS.archive, ARCHIVE_LEAST + bytes * ARCHIVE_BYTE))
  }

  /** For what is the user's own: nobody counts. */
  static get unlimited(): WorkBudget {
    return new WorkBudget(Infinity)
  }

  /** For who goes on elsewhere. */
  get left(): number {
    return this.#left
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
