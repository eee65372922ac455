/**
 * Difference check: does a 226 (RFC 3229) lead to the page, seen by somebody who holds the page and not the version before?
 *
 * Its head must say what it is, and its digest must be that of the page. The difference itself is applied to stand-ins for the
 * version before, in which every byte says where it stands. So it shows which bytes of the page are sent, and those must be
 * the page's; and which are taken from where, and one place cannot have held two different bytes.
 */
import { checkUnencoded, decodeBody, decodeVcdiff, headerOf } from '@comity/protocol'
import type { AnsweredExchange } from '@comity/ingest'

/** Longer versions before are not stood in for. */
const STAND_IN_BYTES = 1 << 20

const MAX_DELTA_BYTES = 10 << 20

/** What is wrong with it; undefined when nothing is, as far as can be seen. `page` is the page without content coding. */
export function differenceProblem(
  { head, body }: AnsweredExchange,
  base: string,
  page: { readonly etag: string | undefined; readonly body: Uint8Array },
): string | undefined {
  const { headers } = head
  const manipulations = (headerOf(headers, 'im') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const isSaid = headerOf(headers, 'etag') !== undefined && headerOf(headers, 'delta-base') === base
  if (manipulations[0] !== 'vcdiff' || !isSaid) return 'IM, ETag or Delta-Base is not as RFC 3229 has it'
  // It changed while we looked: what it is now we do not hold.
  if (page.etag !== undefined && headerOf(headers, 'etag') !== page.etag) return undefined
  const verdict = checkUnencoded(headers, page.body)
  if (verdict === 'unknown') return 'it carries no Repr-Digest, so nobody can tell whether the right page came out'
  if (verdict === 'differs') return 'its Repr-Digest is not that of the page'
  const unzipped = decodeBody(body, manipulations[1], { maxBytes: MAX_DELTA_BYTES })
  if (unzipped.kind !== 'ok') return `it cannot be unpacked: ${unzipped.kind}`
  return deltaProblem(unzipped.body, page.body)
}

/** The same of the difference alone. */
export function deltaProblem(delta: Uint8Array, page: Uint8Array): string | undefined {
  const made = STAND_INS.map((byteAt) => decodeVcdiff(standIn(byteAt), delta, { maxBytes: page.length + 1 }))
  const failed = made.find(({ kind }) => kind !== 'ok')
  // A sum over what comes out, or a version before that is too long to stand in for: the digest has to do.
  if (failed?.kind === 'checksum' || failed?.kind === 'bad-source-segment') return undefined
  if (failed !== undefined && failed.kind !== 'too-large') return `it cannot be decoded: ${failed.kind}`
  const bodies = made.flatMap((one) => (one.kind === 'ok' ? [one.body] : []))
  const [low, middle, high, mirrored] = bodies
  if (low?.length !== page.length || middle === undefined || high === undefined || mirrored === undefined)
    return 'it makes a page of another length'
  const before = new Map<number, number>()
  for (let at = 0; at < page.length; at++) {
    const byte = page[at]!
    // What was sent is the same whatever it is applied to; what was taken is not.
    const place = low[at] === mirrored[at] ? -1 : low[at]! + middle[at]! * 256 + high[at]! * 65_536
    const expected = place === -1 ? low[at] : (before.get(place) ?? byte)
    if (expected !== byte) return 'it makes another page'
    if (place !== -1) before.set(place, byte)
  }
  return undefined
}

/** The three bytes of a place, and the first of them turned round. */
const STAND_INS: readonly ((place: number) => number)[] = [
  (place) => place & 255,
  (place) => (place >> 8) & 255,
  (place) => (place >> 16) & 255,
  (place) => 255 - (place & 255),
]

function standIn(byteAt: (place: number) => number): Uint8Array {
  const bytes = new Uint8Array(STAND_IN_BYTES)
  for (let place = 0; place < bytes.length; place++) bytes[place] = byteAt(place)
  return bytes
}
