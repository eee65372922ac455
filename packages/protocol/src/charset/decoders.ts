/** Decoders: text of bytes by the names of the Encoding standard, as browsers read them. */
import { TextDecoder } from 'node:util'
import { hasAdded } from './added-characters.ts'
import { decodePairs, pairTable } from './pair-table.ts'

const decoders = new Map<string, TextDecoder>()

/** A decoder by a label; made once, and only for labels that exist, so the map stays small. */
function decoderOf(label: string): TextDecoder | undefined {
  const known = decoders.get(label)
  if (known !== undefined) return known
  try {
    const decoder = new TextDecoder(label)
    decoders.set(decoder.encoding, decoder)
    return decoder
  } catch {
    // Not a label of the Encoding standard, or one this runtime cannot decode: the next source decides.
    return undefined
  }
}

/** The standard name for a label a page or server gives (Encoding standard §4.2). */
export function encodingOf(label: string): string | undefined {
  const trimmed = label.trim().toLowerCase()
  return trimmed.length > 40 ? undefined : decoderOf(trimmed)?.encoding
}

/** By a standard name. Never throws: what is not in the charset becomes U+FFFD. */
export function decodeAs(charset: string, bytes: Uint8Array): string {
  return hasAdded(charset) ? decodePairs(pairTable(charset), bytes) : decoderOf(charset)!.decode(bytes)
}
