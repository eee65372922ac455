/**
 * Signature memory: which signatures were seen before, so that one that was overheard is of no use (RFC 9421 §7.2.2).
 *
 * It is kept until the signature expires, and no longer. Only signatures that are valid come in, so whoever fills it has
 * proven who they are: when it is full, the one who holds the most of it loses the oldest, and nobody else loses anything.
 */
import type { ValidSignature } from './http-signature.ts'
import type { Instant } from '../instant.ts'

const MAX_SIGNATURES = 200_000

export class SignatureMemory {
  readonly #max: number
  /** By signer; in each the oldest first. */
  readonly #seen = new Map<string, Map<string, Instant>>()
  #size = 0

  constructor(max: number = MAX_SIGNATURES) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /**
   * Whether it comes for the first time; from then on it does not. `signer`: whose it is, as the reader knows them.
   * A nonce stands for its signature: whoever sends one says that it is used once. `skewMs`: it is taken as long after it
   * has expired, so it is remembered as long.
   */
  isNew(signer: string, { nonce, keyId, signature, expires }: ValidSignature, at: Instant, skewMs: number): boolean {
    const mark = nonce === undefined ? Buffer.from(signature).toString('base64') : `${keyId} ${nonce.slice(0, 512)}`
    const own = this.#seen.get(signer) ?? new Map<string, Instant>()
    this.#dropExpired(own, at)
    const known = own.get(mark)
    if (known !== undefined && known >= at) return false
    if (known !== undefined) this.#drop(own, mark)
    if (this.#size >= this.#max) this.#makeRoom(at)
    own.set(mark, expires + skewMs)
    this.#size++
    this.#seen.set(signer, own)
    return true
  }

  /** Those at the front; one that lasts long holds up those behind it until it has expired too. */
  #dropExpired(own: Map<string, Instant>, at: Instant): void {
    for (const [mark, until] of own) {
      if (until >= at) return
      this.#drop(own, mark)
    }
  }

  #drop(own: Map<string, Instant>, mark: string): void {
    own.delete(mark)
    this.#size--
  }

  #makeRoom(at: Instant): void {
    let largest: Map<string, Instant> | undefined
    for (const [signer, own] of this.#seen) {
      this.#dropExpired(own, at)
      if (own.size === 0) this.#seen.delete(signer)
      else if (own.size > (largest?.size ?? 0)) largest = own
    }
    if (this.#size < this.#max || largest === undefined) return
    this.#drop(largest, largest.keys().next().value!)
  }
}
