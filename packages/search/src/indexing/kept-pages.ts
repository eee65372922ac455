/**
 * KeptPages: the terms of pages that a run has read, in a file, until the run ends.
 *
 *   page         "version language title text cut", a line end, and the line of `write/page-terms.ts` of index
 *   dictionary   its terms, one a line; written when its reader begins another
 *
 * The file is of this run alone: not synced, without a name where the system allows that, and no larger than its limit. What was not
 * kept, or cannot be read, is read from the archive.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { TermDictionary } from '@comity/index'
import type { PageTerms } from '@comity/index'

/** The terms of a page, and what their numbers mean. */
export interface TermsRead {
  readonly terms: PageTerms
  readonly dictionary: TermDictionary
}

interface Stretch {
  readonly at: number
  readonly bytes: number
}

/** A dictionary that was used: in memory until it is closed. */
interface Dictionary {
  open: TermDictionary | undefined
  stretch: Stretch
}

/** Some eight hundred thousand pages of a manual. */
const MAX_FILE_BYTES = 2 ** 31
/** Written at once. */
const BLOCK_BYTES = 256 << 10
const NAME = 'read-pages'
const NOWHERE: Stretch = { at: 0, bytes: 0 }

export class KeptPages implements Disposable {
  readonly #path: string
  readonly #maxBytes: number
  #fd: number | undefined
  /** What is not in the file yet, and where it will stand. */
  #block: Buffer = Buffer.alloc(BLOCK_BYTES)
  #used = 0
  #written = 0
  #isFull = false
  /** Per page: where it stands, how long it is, one more than the number of its dictionary; 0 for a page that is not kept. */
  #places = new Float64Array(1_024)
  #lengths = new Uint32Array(1_024)
  #dictionaryOf = new Uint32Array(1_024)
  readonly #dictionaries: Dictionary[] = []
  readonly #numbers = new WeakMap<TermDictionary, number>()
  /** The closed one that was read last. */
  #read: { readonly number: number; readonly dictionary: TermDictionary } | undefined

  constructor(dir: string, maxBytes: number = MAX_FILE_BYTES) {
    makePrivateFolder(dir)
    this.#path = join(dir, NAME)
    this.#maxBytes = maxBytes
  }

  keep(page: number, version: string, { terms, dictionary }: TermsRead): void {
    this.#reach(page)
    const { language, title, text, cut, line } = terms
    const head = Buffer.from(`${version} ${language} ${title} ${text} ${cut}\n`, 'utf8')
    const at = this.#append(head, line)
    this.#dictionaryOf[page] = at === undefined ? 0 : this.#numberOf(dictionary) + 1
    if (at === undefined) return
    this.#places[page] = at
    this.#lengths[page] = head.length + line.length
  }

  /** Nothing more comes in these terms. */
  close(dictionary: TermDictionary): void {
    const number = this.#numbers.get(dictionary)
    if (number === undefined) return
    const bytes = Buffer.from(dictionary.texts.join('\n'), 'utf8')
    const at = this.#append(bytes)
    this.#dictionaries[number] = { open: undefined, stretch: at === undefined ? NOWHERE : { at, bytes: bytes.length } }
  }

  read(page: number, version: string): TermsRead | undefined {
    const number = (this.#dictionaryOf[page] ?? 0) - 1
    if (number < 0) return undefined
    const bytes = this.#bytesOf({ at: this.#places[page]!, bytes: this.#lengths[page]! })
    const terms = bytes === undefined ? undefined : decoded(bytes, version)
    const dictionary = terms === undefined ? undefined : this.#dictionaryAt(number)
    return terms === undefined || dictionary === undefined ? undefined : { terms, dictionary }
  }

  [Symbol.dispose](): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    rmSync(this.#path, { force: true })
  }

  /** Where it stands now; undefined when there is no room, or the disk does not take it. */
  #append(...parts: readonly Uint8Array[]): number | undefined {
    const at = this.#written + this.#used
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#isFull || at + bytes > this.#maxBytes) return undefined
    if (this.#used + bytes > BLOCK_BYTES && !this.#flush()) return undefined
    if (bytes > BLOCK_BYTES) return parts.every((part) => this.#write(part)) ? at : undefined
    for (const part of parts) {
      this.#block.set(part, this.#used)
      this.#used += part.length
    }
    return at
  }

  #flush(): boolean {
    const used = this.#used
    this.#used = 0
    return this.#write(this.#block.subarray(0, used))
  }

  /** A disk that is full ends the keeping, and nothing else. */
  #write(bytes: Uint8Array): boolean {
    try {
      this.#fd ??= openUnnamed(this.#path)
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#written + done)
    } catch {
      this.#isFull = true
      this.#dictionaryOf.fill(0)
      return false
    }
    this.#written += bytes.length
    return true
  }

  #bytesOf({ at, bytes }: Stretch): Buffer | undefined {
    if (at >= this.#written) return this.#block.subarray(at - this.#written, at - this.#written + bytes)
    const into = Buffer.allocUnsafe(bytes)
    try {
      for (let done = 0; done < bytes;) {
        const count = readSync(this.#fd!, into, done, bytes - done, at + done)
        if (count === 0) return undefined
        done += count
      }
    } catch {
      return undefined
    }
    return into
  }

  #numberOf(dictionary: TermDictionary): number {
    const known = this.#numbers.get(dictionary)
    if (known !== undefined) return known
    const number = this.#dictionaries.push({ open: dictionary, stretch: NOWHERE }) - 1
    this.#numbers.set(dictionary, number)
    return number
  }

  #dictionaryAt(number: number): TermDictionary | undefined {
    const { open, stretch } = this.#dictionaries[number]!
    if (open !== undefined) return open
    if (this.#read?.number === number) return this.#read.dictionary
    const bytes = stretch.bytes === 0 ? undefined : this.#bytesOf(stretch)
    if (bytes === undefined) return undefined
    const dictionary = new TermDictionary(bytes.toString('utf8').split('\n'))
    this.#read = { number, dictionary }
    return dictionary
  }

  #reach(page: number): void {
    if (page < this.#places.length) return
    const room = Math.ceil((page + 1) * 1.5)
    const [places, lengths, numbers] = [this.#places, this.#lengths, this.#dictionaryOf]
    this.#places = new Float64Array(room)
    this.#places.set(places)
    this.#lengths = new Uint32Array(room)
    this.#lengths.set(lengths)
    this.#dictionaryOf = new Uint32Array(room)
    this.#dictionaryOf.set(numbers)
  }
}

/** Another process finds it only where an open file keeps its name. */
function openUnnamed(path: string): number {
  rmSync(path, { force: true })
  const fd = openSync(path, 'wx+', 0o600)
  if (process.platform !== 'win32') rmSync(path)
  return fd
}

/** Undefined for another version. */
function decoded(bytes: Buffer, version: string): PageTerms | undefined {
  const end = bytes.indexOf(0x0a)
  const [kept, language = '', ...counts] = bytes.toString('utf8', 0, end).split(' ')
  if (kept !== version) return undefined
  const [title = 0, text = 0, cut = 0] = counts.map(Number)
  return { language, title, text, cut, line: new Uint8Array(bytes.subarray(end + 1)), from: 0, terms: '' }
}
