/**
 * ArchivedRevisits: records that repeat another (ISO 28500:2017 §6.7) wait until that is here: it may stand in a later file.
 */
import { entityBody, responseHead } from '@comity/protocol'
import type { Collection, WarcPosition } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { ArchivedAnswer, ArchivedRevisit } from '@comity/ingest'

/** They are looked at together, as each look needs all before it on disk. */
const REVISITS_A_LOOK = 1_000

export class ArchivedRevisits {
  readonly #frontier: Frontier
  readonly #collection: Collection
  readonly #most: number
  #waiting: ArchivedRevisit[] = []
  #unlooked = 0

  constructor(frontier: Frontier, collection: Collection, most: number) {
    this.#frontier = frontier
    this.#collection = collection
    this.#most = most
  }

  /** False when there is no room for one more. */
  add(revisit: ArchivedRevisit): boolean {
    if (this.#waiting.length >= this.#most) return false
    // A view would hold all that the reader had in memory at the time.
    const head = revisit.head && { ...revisit.head, bytes: new Uint8Array(revisit.head.bytes) }
    this.#waiting.push({ ...revisit, head })
    this.#unlooked++
    return true
  }

  get waiting(): number {
    return this.#waiting.length
  }
  get isLookDue(): boolean {
    return this.#unlooked >= REVISITS_A_LOOK
  }
  /** None has come since the last look. */
  get isLookedAt(): boolean {
    return this.#unlooked === 0
  }

  /** Those whose original is here by now, all before the first is taken in: what that stores is not on disk yet. */
  look(): [revisit: ArchivedRevisit, original: WarcPosition][] {
    this.#unlooked = 0
    const found: [ArchivedRevisit, WarcPosition][] = []
    const waiting: ArchivedRevisit[] = []
    for (const revisit of this.#waiting) {
      const original = this.#originalOf(revisit)
      if (original === undefined) waiting.push(revisit)
      else found.push([revisit, original])
    }
    this.#waiting = waiting
    return found
  }

  /** What a revisit repeats; undefined when we do not have it. Sees what is committed. */
  #originalOf({ url, at, digest, refersTo, isNotModified }: ArchivedRevisit): WarcPosition | undefined {
    const page = this.#frontier.findUrl(refersTo?.url ?? url)
    let [exact, latest]: [WarcPosition | undefined, WarcPosition | undefined] = [undefined, undefined]
    for (const { key, value } of page === -1 ? [] : this.#collection.captures(page)) {
      if (value.body === undefined) continue
      if (key[1] === refersTo?.at) exact = value.body
      if (key[1] <= at) latest = value.body
    }
    if (exact !== undefined) return exact
    if (isNotModified) return latest
    const twin = ownDigest(digest)
    return twin === undefined ? undefined : this.#collection.body(twin)
  }
}

/** The answer that a revisit stands for. */
export function answerOf(
  collection: Collection,
  { head, resourceType, url, at, recordId, ip }: ArchivedRevisit,
  original: WarcPosition,
): ArchivedAnswer {
  const message = collection.readMessage(original)
  const body = entityBody(message)
  const common = { kind: 'answer', url, at, recordId, ip, body, truncated: undefined, resourceType } as const
  const status = head?.status ?? message.status ?? 200
  if (resourceType !== undefined)
    return { ...common, status, headers: [['Content-Type', resourceType]], httpHead: new Uint8Array(0) }
  const headers = head?.headers ?? message.headers
  return { ...common, status, headers, httpHead: head?.bytes ?? responseHead({ status, headers }) }
}

/** A digest as we write it: SHA-1 in capitals of base 32. Nothing is stored under any other. */
function ownDigest(claim: string | undefined): string | undefined {
  const value = /^sha-?1:([a-z2-7]{32})$/i.exec(claim ?? '')?.[1]
  return value === undefined ? undefined : `sha1:${value.toUpperCase()}`
}
