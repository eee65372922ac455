/**
 * Document store: documents as they were last made, up to so many bytes, and their tags for as long as they are current.
 * Two who want one document at a time share the making of it. What was dropped is made again when it is wanted: equal
 * input gives equal bytes, so its tag stays.
 */
import { hash } from 'node:crypto'
import { ownBytes } from '../own-bytes.ts'
import { encodeHard } from './document-coding.ts'
import type { Coding } from './document-coding.ts'
import type { Content, SiteDocument } from './site-document.ts'

/** What has to be known of a document before it is sent. */
export interface DocumentFacts {
  /** Hexadecimal digits; other bytes have others. */
  readonly name: string
  readonly bytes: number
}

export interface Made extends DocumentFacts {
  readonly content: Content
}

export class DocumentStore {
  readonly #maxBytes: number
  /** In the order of use, the least recent first. */
  readonly #held = new Map<string, Uint8Array>()
  readonly #making = new Map<string, Promise<Uint8Array>>()
  readonly #facts = new Map<string, DocumentFacts & { readonly version: string }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get heldBytes(): number {
    return this.#bytes
  }

  /** Without making it again if it was made before. */
  async facts(document: SiteDocument): Promise<DocumentFacts> {
    const known = this.#facts.get(document.path)
    return known?.version === document.version ? known : await this.made(document)
  }

  /** The document itself. What is told of it is told of these very bytes. */
  async made(document: SiteDocument): Promise<Made> {
    let fresh: Content | undefined
    const bytes = await this.bytes(keyOf(document), async () => {
      fresh = await document.make()
      return fresh instanceof Uint8Array ? fresh : NOTHING
    })
    // Large content is only a list of pieces; making that list is cheap once the pieces were made.
    if (bytes === NOTHING) fresh ??= await document.make()
    const content = fresh ?? bytes
    const known = this.#facts.get(document.path)
    if (fresh === undefined && known?.version === document.version) return { ...known, content }
    const facts = { ...factsOf(content), version: document.version }
    this.#facts.set(document.path, facts)
    if (this.#facts.size > MAX_FACTS) this.#facts.delete(this.#facts.keys().next().value!)
    return { ...facts, content }
  }

  async coded(document: SiteDocument, coding: Coding): Promise<Uint8Array> {
    return await this.bytes(`${keyOf(document)} ${coding}`, async () => {
      const { content } = await this.made(document)
      if (!(content instanceof Uint8Array)) throw new Error(`${document.path} has no content coding`)
      return await encodeHard(content, coding)
    })
  }

  /** Bytes by a key that names them; made at most once at a time. */
  async bytes(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const held = this.#held.get(key)
    if (held !== undefined) {
      this.#held.delete(key)
      this.#held.set(key, held)
      return held
    }
    const making = this.#making.get(key) ?? this.#make(key, make)
    return await making
  }

  #make(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const making = make()
      .then((bytes) => {
        this.#hold(key, bytes)
        return bytes
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  #hold(key: string, bytes: Uint8Array): void {
    if (bytes.length > this.#maxBytes || bytes === NOTHING) return
    this.#held.set(key, ownBytes(bytes))
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#held) {
      if (this.#bytes <= this.#maxBytes) return
      this.#held.delete(oldest)
      this.#bytes -= length
    }
  }
}

function factsOf(content: Content): DocumentFacts {
  if (!(content instanceof Uint8Array)) return { name: content.name, bytes: content.bytes }
  return { name: hash('sha256', content).slice(0, 32), bytes: content.length }
}

/** More documents than any site has at one time; parts of the change list come and go. */
const MAX_FACTS = 20_000

const keyOf = ({ path, version }: SiteDocument): string => `${path} ${version}`

/** Stands for large content, which is not held. */
const NOTHING = new Uint8Array(0)
