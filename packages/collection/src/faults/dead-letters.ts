/**
 * Dead letters: what we could not work on, because of a fault of our own; kept aside with its reason, so that all others go
 * on, a restart does not meet it again, and somebody can look at it, have it tried again, or drop it.
 *
 *   dead-letters/crawl-000000000001.letter    one line of JSON, then the bytes it is about
 *   dead-letters/crawl-000000000001.retry     the same, to be tried again when its writer starts next
 *
 * Whoever writes has a name of its own, as the thread that indexes works beside the crawl. A letter is durable when `keep`
 * returns. The folder is bounded: the oldest go first, and the numbers tell how many there ever were.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '@comity/protocol'
import { makePrivateFolder, syncPath, writeDurably } from '@comity/disk'
import { INBOX_DOORS, INBOX_PROOFS, INBOX_SCHEMES } from '../inbox/inbox.ts'
import type { InboxItem } from '../inbox/inbox.ts'

/** Who was at work. */
const LETTER_WRITERS = ['crawl', 'index', 'import'] as const
export type LetterWriter = (typeof LETTER_WRITERS)[number]

/** What it is, by name and in words. */
export const LETTER_KINDS = {
  page: 'the answer of a page that was visited',
  delivered: 'a page that came with others, from a batch, a dump or a web archive',
  question: 'what a site answered when it was asked something besides its pages',
  push: 'what a site sent, as a whole',
  sent: 'a page that a site sent',
  notice: 'a notice that a site sent',
  claim: 'what an agent says of a page',
  shipment: 'what a gateway sent, as a whole',
  shipped: 'a page that a gateway saw pass',
  document: 'a page that was to be indexed',
  record: 'a record of an archive that was imported',
} as const
export type LetterKind = keyof typeof LETTER_KINDS

export interface NewLetter {
  readonly kind: LetterKind
  readonly at: Instant
  /** The error, in its own words. */
  readonly reason: string
  /** Where in our code. */
  readonly trace?: string | undefined
  readonly url?: string | undefined
  /** Its number in the collection. */
  readonly page?: number | undefined
  readonly origin?: string | undefined
  /** Where it came from, in words. */
  readonly from?: string | undefined
  /** What an item of the inbox was besides its body. */
  readonly item?: Pick<InboxItem, 'number' | 'at' | 'door' | 'scheme' | 'proof' | 'type'> | undefined
  readonly body?: Uint8Array | undefined
}

export interface DeadLetter extends Omit<NewLetter, 'body'> {
  /** `crawl-12`: what commands call it. */
  readonly name: string
  readonly writer: LetterWriter
  /** Counts from 1, for each writer. */
  readonly number: number
  /** Of the body as it was; more than is kept when it is cut. */
  readonly bytes: number
  readonly isCut: boolean
  /** It is to be tried again. */
  readonly isRetried: boolean
}

/** One with its bytes, as far as they are kept. */
export interface HeldLetter extends DeadLetter {
  readonly body: Uint8Array
}

export interface LetterLimits {
  readonly maxLetters: number
  readonly maxBytes: number
  /** Of one; what is longer is cut. */
  readonly maxBodyBytes: number
}

const letterLimits: LetterLimits = { maxLetters: 1_000, maxBytes: 64 << 20, maxBodyBytes: 16 << 20 }

const FORMAT = 1
const FOLDER = 'dead-letters'
const NAME = /^(crawl|index|import)-(\d{12})\.(letter|retry)$/
/** Longer than any head we write: five texts, of which JSON may make six times as much. */
const MAX_HEAD_BYTES = 64 << 10
const MAX_TEXT = 1_500

interface Kept {
  readonly file: string
  readonly number: number
  readonly bytes: number
}

/** One writer's. The folder is made for the first letter: most collections never have one. */
export class DeadLetters {
  readonly #folder: string
  readonly #dir: string
  readonly #writer: LetterWriter
  readonly #limits: LetterLimits
  readonly #kept: Kept[]
  #last: number

  constructor(dir: string, writer: LetterWriter, limits: Partial<LetterLimits> = {}) {
    this.#dir = dir
    this.#folder = join(dir, FOLDER)
    this.#writer = writer
    this.#limits = { ...letterLimits, ...limits }
    const own = filesIn(dir).filter((file) => NAME.exec(file)?.[1] === writer)
    this.#kept = own.map((file) => ({ file, number: numberOf(file), bytes: sizeOf(join(this.#folder, file)) }))
    this.#last = this.#kept.at(-1)?.number ?? 0
  }

  /** Durable when it returns. */
  keep({ body = new Uint8Array(0), reason, trace, ...about }: NewLetter): void {
    const number = this.#last + 1
    const kept = body.subarray(0, this.#limits.maxBodyBytes)
    const said = { reason: reason.slice(0, MAX_TEXT), trace: trace?.slice(0, MAX_TEXT) }
    const head = `${JSON.stringify({ format: FORMAT, ...shortened(about), ...said, bytes: body.length })}\n`
    if (this.#last === 0) this.#makeFolder()
    const file = `${this.#writer}-${String(number).padStart(12, '0')}.letter`
    const bytes = Buffer.byteLength(head) + kept.length
    this.#makeRoom(bytes)
    writeDurably(join(this.#folder, file), head, kept)
    this.#kept.push({ file, number, bytes })
    this.#last = number
  }

  /** Those that somebody wants to be tried again; `settled` when what came of it is durable. */
  retries(): readonly HeldLetter[] {
    const names = filesIn(this.#dir).filter((file) => file.startsWith(`${this.#writer}-`) && file.endsWith('.retry'))
    return names.flatMap((file) => readLetter(this.#dir, nameOf(file)) ?? [])
  }

  settled(letter: DeadLetter): void {
    rmSync(join(this.#folder, fileOf(letter, 'retry')), { force: true })
    const place = this.#kept.findIndex(({ number }) => number === letter.number)
    if (place !== -1) this.#kept.splice(place, 1)
  }

  #makeFolder(): void {
    // What strangers sent is for nobody else's eyes.
    makePrivateFolder(this.#folder)
    syncPath(this.#dir)
  }

  #makeRoom(bytes: number): void {
    const { maxLetters, maxBytes } = this.#limits
    let held = this.#kept.reduce((sum, kept) => sum + kept.bytes, bytes)
    while (this.#kept.length > 0 && (this.#kept.length >= maxLetters || held > maxBytes)) {
      const [oldest] = this.#kept.splice(0, 1) as [Kept]
      held -= oldest.bytes
      for (const end of ['letter', 'retry'])
        rmSync(join(this.#folder, oldest.file.replace(/[^.]+$/, end)), { force: true })
    }
  }
}

/** All there are, oldest first for each writer, without their bodies. */
export function deadLetters(dir: string): DeadLetter[] {
  return filesIn(dir).flatMap((file) => headOf(dir, file)?.letter ?? [])
}

/** How many there ever were, as far as those that are left tell. */
export function countLetters(dir: string): number {
  const newest = new Map<string, number>()
  for (const file of filesIn(dir)) newest.set(file.split('-', 1)[0]!, numberOf(file))
  return newest.values().reduce((sum, number) => sum + number, 0)
}

/** Letters of one kind and reason, and the newest of them. */
export interface DeadLetterGroup {
  readonly kind: LetterKind
  readonly reason: string
  readonly count: number
  readonly newest: Pick<DeadLetter, 'name' | 'at' | 'url' | 'origin' | 'from'>
}

export interface LetterSummary {
  /** Ever, as far as the numbers of those that are left tell. */
  readonly total: number
  readonly held: number
  /** Those that are to be tried again. */
  readonly retried: number
  /** Of the newest, those that are most first. */
  readonly groups: readonly DeadLetterGroup[]
}

/** Looked at by `letterSummary`, of each writer. */
const MOST_SUMMED = 100

/** What there is, for whoever looks at a collection. */
export function letterSummary(dir: string): LetterSummary {
  const files = filesIn(dir)
  const groups = new Map<string, DeadLetterGroup>()
  const newest = LETTER_WRITERS.flatMap((writer) => files.filter((file) => file.startsWith(writer)).slice(-MOST_SUMMED))
  for (const file of newest) {
    const letter = headOf(dir, file)?.letter
    if (letter === undefined) continue
    const { kind, reason, name, at, url, origin, from } = letter
    const key = `${kind} ${reason}`
    groups.set(key, { kind, reason, count: (groups.get(key)?.count ?? 0) + 1, newest: { name, at, url, origin, from } })
  }
  const retried = files.filter((file) => file.endsWith('.retry')).length
  return {
    total: countLetters(dir),
    held: files.length,
    retried,
    groups: [...groups.values()].toSorted((a, b) => b.count - a.count),
  }
}

/** One with its body; undefined when there is none of that name. */
export function readLetter(dir: string, name: string): HeldLetter | undefined {
  const file = filesIn(dir).find((one) => nameOf(one) === name)
  const head = file === undefined ? undefined : headOf(dir, file)
  if (file === undefined || head === undefined) return undefined
  return { ...head.letter, body: readFileSync(join(dir, FOLDER, file)).subarray(head.end) }
}

/** Gone for good. Gives how many there were. */
export function dropLetters(dir: string, isDropped: (letter: DeadLetter) => boolean): number {
  const dropped = deadLetters(dir).filter(isDropped)
  for (const letter of dropped) rmSync(pathOf(dir, letter), { force: true })
  if (dropped.length > 0) syncPath(join(dir, FOLDER))
  return dropped.length
}

/**
 * Those that go with something that is forgotten, and with them what cannot be read as a letter: nobody can tell what it holds.
 * Gives how many there were; `isDry`: nothing is deleted.
 */
export async function forgetLetters(
  dir: string,
  isLeaving: (letter: HeldLetter) => Promise<boolean>,
  isDry = false,
): Promise<number> {
  const leaving: string[] = []
  for (const file of filesIn(dir)) {
    const letter = readLetter(dir, nameOf(file))
    if (letter === undefined || (await isLeaving(letter))) leaving.push(file)
  }
  if (isDry || leaving.length === 0) return leaving.length
  for (const file of leaving) rmSync(join(dir, FOLDER, file), { force: true })
  syncPath(join(dir, FOLDER))
  return leaving.length
}

/** They are tried again when their writer starts next. */
export function retryLetters(dir: string, isRetried: (letter: DeadLetter) => boolean): number {
  const retried = deadLetters(dir).filter((letter) => isRetried(letter) && !letter.isRetried)
  for (const letter of retried) renameSync(pathOf(dir, letter), join(dir, FOLDER, fileOf(letter, 'retry')))
  if (retried.length > 0) syncPath(join(dir, FOLDER))
  return retried.length
}

const pathOf = (dir: string, letter: DeadLetter): string =>
  join(dir, FOLDER, fileOf(letter, letter.isRetried ? 'retry' : 'letter'))

const fileOf = ({ writer, number }: DeadLetter, end: 'letter' | 'retry'): string =>
  `${writer}-${String(number).padStart(12, '0')}.${end}`

const numberOf = (file: string): number => Number(NAME.exec(file)?.[2])
const nameOf = (file: string): string => `${NAME.exec(file)?.[1]}-${numberOf(file)}`

function filesIn(dir: string): string[] {
  try {
    return readdirSync(join(dir, FOLDER))
      .filter((file) => NAME.test(file))
      .toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Undefined when it went meanwhile, or is none of ours. */
function headOf(dir: string, file: string): { readonly letter: DeadLetter; readonly end: number } | undefined {
  try {
    const path = join(dir, FOLDER, file)
    const start = firstBytes(path)
    const end = start.indexOf(10)
    const about = aboutIn(JSON.parse(start.toString('utf8', 0, end)))
    if (about === undefined) return undefined
    const [, writer, , ending] = NAME.exec(file) as unknown as [string, LetterWriter, string, string]
    const isCut = sizeOf(path) - end - 1 < about.bytes
    const named = { name: nameOf(file), writer, number: numberOf(file), isCut, isRetried: ending === 'retry' }
    return { letter: { ...about, ...named }, end: end + 1 }
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

type LetterAbout = Omit<NewLetter, 'body'> & { readonly bytes: number }

/** A collection may come from a stranger, its letters too: what is not as `keep` writes it is no letter. */
function aboutIn(head: unknown): LetterAbout | undefined {
  if (typeof head !== 'object' || head === null) return undefined
  const { format, ...about } = head as Partial<LetterAbout> & { readonly format?: unknown }
  const { kind, at, reason, bytes, page, item } = about
  if (format !== FORMAT || typeof kind !== 'string' || !Object.hasOwn(LETTER_KINDS, kind)) return undefined
  if (!isInstant(at) || !isCount(bytes) || typeof reason !== 'string') return undefined
  const texts = [about.trace, about.url, about.origin, about.from]
  if (!texts.every((text) => text === undefined || typeof text === 'string')) return undefined
  if (!(page === undefined || isCount(page)) || !(item === undefined || isItem(item))) return undefined
  return { ...about, kind, at, reason, bytes }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** One that a date can be made of. */
const isInstant = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15

function isItem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { number, at, door, scheme, proof, type }: Partial<Record<keyof InboxItem, unknown>> = value
  const isNamed = [
    [INBOX_DOORS, door],
    [INBOX_SCHEMES, scheme],
    [INBOX_PROOFS, proof],
  ].every(([names, name]) => (names as readonly unknown[]).includes(name))
  return isCount(number) && isInstant(at) && isNamed && typeof type === 'string'
}

function firstBytes(path: string): Buffer {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MAX_HEAD_BYTES)
    return bytes.subarray(0, readSync(fd, bytes))
  } finally {
    closeSync(fd)
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const cut = (text: string | undefined): string | undefined => text?.slice(0, MAX_TEXT)

/** A stranger's address can be long. */
function shortened<T extends Pick<NewLetter, 'url' | 'origin' | 'from'>>(about: T): T {
  const { url, origin, from } = about
  return { ...about, url: cut(url), origin: cut(origin), from: cut(from) }
}
