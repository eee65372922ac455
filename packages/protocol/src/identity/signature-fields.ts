/**
 * Signature fields: the signatures that a message says it has (RFC 9421 §4), read and not yet believed.
 *
 *   Signature-Input: sig1=("@method" "@authority");created=1618884473;keyid="…"     Signature: sig1=:…:
 */
import { isInnerList, parseDictionary } from 'structured-headers'
import type { InnerList, Item, Parameters } from 'structured-headers'
import type { HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import { componentOf, MAX_SIGNATURE_FIELD_CHARS } from './signature-component.ts'
import type { Component } from './signature-component.ts'

export interface ReadSignature {
  /** By which the two fields belong together; signed by nobody, so it means nothing else. */
  readonly label: string
  readonly components: readonly Component[]
  readonly parameters: Parameters
  readonly signature: Uint8Array
}

type ReadSignatures =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'read'; readonly signatures: readonly ReadSignature[] }

const MAX_SIGNATURES = 8
const MAX_COMPONENTS = 32

/** Never throws. One that cannot be read makes the others void too: nobody can tell what was meant. */
export function readSignatures(headers: HeaderList): ReadSignatures {
  const input = combinedField(headers, 'signature-input')
  const values = combinedField(headers, 'signature')
  if (input === undefined && values === undefined) return { kind: 'absent' }
  if (input === undefined || values === undefined)
    return malformed('a signature takes two fields, Signature-Input and Signature, and one of them is not there')
  if (Math.max(input.length, values.length) > MAX_SIGNATURE_FIELD_CHARS)
    return malformed(`Signature-Input and Signature may have ${MAX_SIGNATURE_FIELD_CHARS} characters each`)
  try {
    return readMembers(parseDictionary(input), parseDictionary(values))
  } catch {
    // The parser's own words name offsets, which help nobody who did not write the field by hand.
    return malformed('Signature-Input and Signature must be dictionaries as RFC 9651 has them')
  }
}

type Member = Item | InnerList

function readMembers(inputs: ReadonlyMap<string, Member>, values: ReadonlyMap<string, Member>): ReadSignatures {
  if (inputs.size > MAX_SIGNATURES) return malformed(`a message may have ${MAX_SIGNATURES} signatures`)
  const signatures: ReadSignature[] = []
  for (const [label, input] of inputs) {
    const signature = bytesOf(values.get(label))
    if (!isInnerList(input)) return malformed(`Signature-Input does not list what ${label} covers`)
    if (signature === undefined) return malformed(`Signature has no bytes for ${label}`)
    const [items, parameters] = input
    const components = items.flatMap((item) => componentOf(item) ?? [])
    const names = new Set(components.map(({ text }) => text))
    // A part may be covered once (§2.5), or somebody could put another value in the second place.
    if (names.size < items.length || items.length > MAX_COMPONENTS || names.has('@signature-params'))
      return malformed(`Signature-Input of ${label} names what cannot be covered, one part twice, or too many`)
    signatures.push({ label, components, parameters, signature })
  }
  return { kind: 'read', signatures }
}

function bytesOf(member: Member | undefined): Uint8Array | undefined {
  return member?.[0] instanceof ArrayBuffer ? new Uint8Array(member[0]) : undefined
}

const malformed = (message: string): ReadSignatures => ({ kind: 'malformed', message })
