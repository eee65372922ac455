/**
 * ReadPages: what pages say, from the threads that have read them to the one that indexes. A page is taken when it is durable, and
 * kept in a file until the run ends (`indexing/kept-pages.ts`): what others call it changes, and then it is indexed again without
 * being read again.
 *
 * Whatever is not here is read from the archive, so nothing has to last: what nobody asks for goes, the oldest first.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import { contentVersion } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { TermDictionary } from '@comity/index'
import { MAX_TYPE, release } from '@comity/ingest'
import type { SentTerms, TermFeed } from '@comity/ingest'
import { KeptPages } from './kept-pages.ts'
import type { TermsRead } from './kept-pages.ts'

/** Pages that are read and not durable yet. */
const MAX_ARRIVED_BYTES = 32 << 20

interface Source extends TermFeed {
  dictionary: TermDictionary
}

interface Arrived extends TermsRead {
  readonly sent: SentTerms
}

export class ReadPages implements Disposable {
  readonly #sources: Source[] = []
  /** By URL, the oldest first. */
  readonly #arrived = new Map<string, Arrived>()
  #bytes = 0
  /** What was given last. */
  #given: TermsRead | undefined
  readonly #kept: KeptPages

  /** `dir`: where the index is. */
  constructor(dir: string) {
    this.#kept = new KeptPages(dir)
  }

  /** One more reader. */
  connect(feed: TermFeed): void {
    this.#sources.push({ ...feed, dictionary: new TermDictionary() })
  }

  /** Undefined when the archive has to be asked. Valid until the next call. */
  termsOf(page: number, url: string, row: PageRow): TermsRead | undefined {
    if (this.#given !== undefined) release(this.#given.terms.line)
    this.#given = undefined
    const version = contentVersion(row)
    if (version === undefined) return undefined
    for (const source of this.#sources) this.#hear(source)
    const arrived = this.#arrived.get(url)
    if (arrived === undefined || !isOf(arrived.sent, row)) return (this.#given = this.#kept.read(page, version))
    this.#forget(url, arrived)
    this.#kept.keep(page, version, arrived)
    return (this.#given = arrived)
  }

  [Symbol.dispose](): void {
    for (const { port } of this.#sources) port.close()
    this.#kept[Symbol.dispose]()
  }

  #hear(source: Source): void {
    for (;;) {
      const next: { message: readonly SentTerms[] } | undefined = receiveMessageOnPort(source.port)
      if (next === undefined) return
      for (const sent of next.message) this.#arrive(source, sent)
    }
  }

  #arrive(source: Source, sent: SentTerms): void {
    Atomics.sub(source.load, 0, sent.bytes)
    if (sent.terms.from === 0) {
      this.#kept.close(source.dictionary)
      source.dictionary = new TermDictionary()
    }
    source.dictionary.add(sent.terms)
    const before = this.#arrived.get(sent.url)
    if (before !== undefined) this.#forget(sent.url, before)
    this.#arrived.set(sent.url, { sent, terms: sent.terms, dictionary: source.dictionary })
    this.#bytes += sent.bytes
    for (const [url, oldest] of this.#arrived) {
      if (this.#bytes <= MAX_ARRIVED_BYTES) return
      this.#forget(url, oldest)
    }
  }

  #forget(url: string, { sent }: Arrived): void {
    this.#arrived.delete(url)
    this.#bytes -= sent.bytes
  }
}

/** The body alone does not say in which characters it is written. */
const isOf = ({ digest, type }: SentTerms, row: PageRow): boolean =>
  digest === row.digest && type === (row.type ?? '').slice(0, MAX_TYPE)
