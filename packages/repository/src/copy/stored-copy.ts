/**
 * Stored copy: a stored page with the pictures and styles that are held beside it, in one piece that asks for nothing.
 *
 * Whatever belongs to it is written into it (`data:`), so nothing has to be let through the policy. What that may cost is
 * one budget a copy: how many are looked for, how large each is and all of them are.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { decodeText } from '@comity/protocol'
import { copiedHtml } from './copied-html.ts'
import type { CopyPlace } from './copied-html.ts'
import { copiedStyle } from './copied-style.ts'
import type { CopyPiece, Wanted } from './copy-piece.ts'
import { wholeAddress } from './whole-address.ts'

export interface HeldPart {
  /** Where its addresses start from. */
  readonly url: string
  readonly bytes: Uint8Array
  readonly type: string | undefined
}

/** What is held of an address; undefined for nothing, or nothing that may be shown. */
type FindPart = (url: string) => Promise<HeldPart | undefined>

export const copyLimits = {
  maxPageChars: 8_000_000,
  maxLookups: 400,
  /** Of one; larger ones are not read. */
  mostPartBytes: 3_000_000,
  /** Of all that is written into the copy, before it is coded. */
  maxPartBytes: 6_000_000,
  /** Of all that was unpacked for it, whether it could be used or not. */
  maxReadBytes: 40_000_000,
  maxImportDepth: 4,
}

export async function storedCopy(page: string, place: CopyPlace, find: FindPart): Promise<string> {
  const { maxPageChars } = copyLimits
  const pieces = copiedHtml(page.slice(0, maxPageChars), place)
  const copy = await new CopyMaker(find).joined(pieces, 0)
  return page.length > maxPageChars ? `${copy}<p>(The rest of this page is too long to be shown.)</p>` : copy
}

class CopyMaker {
  readonly #find: FindPart
  readonly #found = new Map<string, HeldPart | undefined>()
  #lookups = copyLimits.maxLookups
  #bytes = copyLimits.maxPartBytes
  #readable = copyLimits.maxReadBytes

  constructor(find: FindPart) {
    this.#find = find
  }

  async joined(pieces: readonly CopyPiece[], depth: number): Promise<string> {
    const texts: string[] = []
    for (const piece of pieces) texts.push(typeof piece === 'string' ? piece : await this.#filled(piece, depth))
    return texts.join('')
  }

  async #filled(wanted: Wanted, depth: number): Promise<string> {
    for (const url of wanted.urls) {
      const part = await this.#part(url)
      if (part === undefined) continue
      const text = wanted.kind === 'picture' ? this.#picture(part) : await this.#sheet(part, depth)
      if (text !== undefined) return wanted.before + text + wanted.after
      // Kept are only those that were paid for.
      this.#found.set(url, undefined)
    }
    return wanted.otherwise
  }

  async #part(url: string): Promise<HeldPart | undefined> {
    if (this.#found.has(url)) return this.#found.get(url)
    if (this.#lookups-- <= 0 || this.#bytes <= 0 || this.#readable <= 0) return undefined
    // Others are answered in between.
    await turn()
    const part = await this.#find(url)
    this.#readable -= part?.bytes.length ?? 0
    const kept = part !== undefined && part.bytes.length <= this.#bytes ? part : undefined
    this.#found.set(url, kept)
    return kept
  }

  #picture({ bytes }: HeldPart): string | undefined {
    const type = pictureType(bytes)
    return type === undefined || !this.#spend(bytes.length)
      ? undefined
      : `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
  }

  async #sheet({ url, bytes, type }: HeldPart, depth: number): Promise<string | undefined> {
    // As browsers do for pages of another origin: what is called something else is no style.
    if (depth >= copyLimits.maxImportDepth || !/^\s*text\/css\b/i.test(type ?? '') || !this.#spend(bytes.length))
      return undefined
    const { text } = decodeText(bytes, type)
    return await this.joined(
      copiedStyle(text, (address) => wholeAddress(address, url)),
      depth + 1,
    )
  }

  #spend(bytes: number): boolean {
    if (bytes > this.#bytes) return false
    this.#bytes -= bytes
    return true
  }
}

/** By its first bytes, whatever it was called: what is handed on is one of these. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return PICTURES.find(([pattern]) => pattern.test(head))?.[1]
}

const PICTURES: readonly (readonly [head: RegExp, type: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavi[fs]/, 'image/avif'],
  // oxlint-disable-next-line no-control-regex
  [/^\0\0\x01\0/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
]
