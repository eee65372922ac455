/**
 * Bundle: an agent in one file that can be read with the eyes: manifest, program, and the signatures over both.
 *
 *   comity-agent 1\n
 *   manifest 512\n    { … 512 bytes of JSON … }\n
 *   source 4312\n     … 4,312 bytes of JavaScript …\n
 *   signature KEYID BASE64URL\n      for each key that signed; may be none
 *
 * Its digest is SHA-256 over everything before the first signature, so that signing changes nothing of what is signed, and
 * a second key (an engine that changes keys, a reviewer) may be added later.
 */
import { hash } from 'node:crypto'
import { readAgentManifest, writeManifest } from './manifest.ts'
import type { AgentManifest } from './manifest.ts'

export interface BundleSignature {
  /** JWK thumbprint of the key, base64url. */
  readonly keyId: string
  /** Ed25519, 64 bytes, base64url. */
  readonly signature: string
}

export interface AgentBundle {
  readonly manifest: AgentManifest
  readonly source: string
  /** `sha-256:` and 64 hexadecimal digits. */
  readonly digest: string
  readonly signatures: readonly BundleSignature[]
}

export type ReadBundle =
  | { readonly kind: 'bundle'; readonly bundle: AgentBundle }
  | { readonly kind: 'refused'; readonly problem: string }

export const BUNDLE_TYPE = 'application/vnd.comity.agent'
export const MAX_BUNDLE_BYTES: number = 1 << 20
const MAX_MANIFEST_BYTES = 16 << 10
const MAX_SIGNATURES = 8

const FIRST_LINE = 'comity-agent 1\n'
const SIGNATURE = /^signature ([\w-]{43}) ([\w-]{86})$/

/** A bundle that nobody has signed yet. */
export function makeBundle(manifest: AgentManifest, source: string): AgentBundle {
  return { manifest, source, digest: digestOf(headOf(writeManifest(manifest), source)), signatures: [] }
}

export function writeBundle({ manifest, source, signatures }: AgentBundle): Uint8Array {
  const lines = signatures.map(({ keyId, signature }) => `signature ${keyId} ${signature}\n`)
  return Buffer.from(headOf(writeManifest(manifest), source) + lines.join(''), 'utf8')
}

/** Never throws; a problem is a sentence without its full stop. */
export function readBundle(bytes: Uint8Array): ReadBundle {
  if (bytes.length > MAX_BUNDLE_BYTES) return refused(`it has more than ${MAX_BUNDLE_BYTES} bytes`)
  const reader = new PartReader(bytes)
  if (!reader.skip(FIRST_LINE)) return refused('it does not begin with "comity-agent 1"')
  const manifestText = reader.part('manifest', MAX_MANIFEST_BYTES)
  const source = reader.part('source', MAX_BUNDLE_BYTES)
  if (manifestText === undefined) return refused('its manifest is not there, too long, or no UTF-8')
  if (source === undefined) return refused('its source is not there, or no UTF-8')
  const head = bytes.subarray(0, reader.at)
  const signatures = reader.signatures()
  if (signatures === undefined) return refused('it ends in something that is no signature')
  const read = readAgentManifest(parsedJson(manifestText))
  if (read.kind === 'refused') return read
  // One manifest has one spelling; another would be a second digest for the same program.
  if (writeManifest(read.manifest) !== manifestText) return refused('its manifest is not written as bundles write it')
  return { kind: 'bundle', bundle: { manifest: read.manifest, source, digest: digestOf(head), signatures } }
}

const refused = (problem: string): ReadBundle => ({ kind: 'refused', problem })

const part = (name: string, text: string): string => `${name} ${Buffer.byteLength(text)}\n${text}\n`

function headOf(manifest: string, source: string): string {
  return `${FIRST_LINE}${part('manifest', manifest)}${part('source', source)}`
}

const digestOf = (head: string | Uint8Array): string => `sha-256:${hash('sha256', head)}`

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: no manifest.
    return undefined
  }
}

/** Walks over the parts, never beyond the end. */
class PartReader {
  at = 0
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  skip(text: string): boolean {
    if (this.#bytes.toString('latin1', this.at, this.at + text.length) !== text) return false
    this.at += text.length
    return true
  }

  /** The text of a part; undefined when it is not there as it should be. */
  part(name: string, maxBytes: number): string | undefined {
    const [, digits] = new RegExp(`^${name} (0|[1-9]\\d{0,7})$`).exec(this.#line() ?? '') ?? []
    const length = Number(digits ?? Number.NaN)
    if (!(length <= maxBytes) || this.at + length >= this.#bytes.length) return undefined
    const bytes = this.#bytes.subarray(this.at, this.at + length)
    this.at += length
    const text = bytes.toString('utf8')
    return this.skip('\n') && Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
  }

  signatures(): BundleSignature[] | undefined {
    const found: BundleSignature[] = []
    while (this.at < this.#bytes.length) {
      const [, keyId, signature] = SIGNATURE.exec(this.#line() ?? '') ?? []
      if (keyId === undefined || signature === undefined || found.length === MAX_SIGNATURES) return undefined
      if (found.some((one) => one.keyId === keyId)) return undefined
      found.push({ keyId, signature })
    }
    return found
  }

  /** Up to the next line end, which is stepped over; no line of ours is longer than this. */
  #line(): string | undefined {
    const end = this.#bytes.indexOf(0x0a, this.at)
    if (end === -1 || end - this.at > 200) return undefined
    const line = this.#bytes.toString('latin1', this.at, end)
    this.at = end + 1
    return line
  }
}
