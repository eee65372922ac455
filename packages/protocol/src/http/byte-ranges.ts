/**
 * Byte ranges (RFC 9110 §14): which parts of so many bytes does a Range field ask for?
 *
 * A field that is malformed, in another unit or asks for too many parts is ignored, which the RFC allows everywhere;
 * one that asks only for what is not there is unsatisfiable. Parts that overlap are joined, so no answer is ever longer
 * than the whole.
 */
export interface ByteRange {
  readonly start: number
  /** One past the last byte. */
  readonly end: number
}

export type RangeVerdict =
  /** Send everything, as if there were no Range. */
  | { readonly kind: 'whole' }
  /** 206; several parts as multipart/byteranges. In the order asked for, unless some had to be joined. */
  | { readonly kind: 'parts'; readonly ranges: readonly [ByteRange, ...ByteRange[]] }
  /** 416, with `contentRange(undefined, size)`. */
  | { readonly kind: 'unsatisfiable' }

/** Asking for hundreds of parts is an attack on servers (CVE-2011-3192), never a need. */
const MAX_RANGES = 16
const MAX_FIELD_CHARS = 1_024

export function parseRange(field: string | undefined, size: number): RangeVerdict {
  const whole: RangeVerdict = { kind: 'whole' }
  if (field === undefined || field.length > MAX_FIELD_CHARS) return whole
  const set = /^bytes=(.*)$/i.exec(field.trim())?.[1]
  if (set === undefined) return whole
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  if (specs.length === 0 || specs.length > MAX_RANGES) return whole
  const ranges = specs.map((spec) => rangeOf(spec, size))
  if (ranges.includes('malformed')) return whole
  const [first, ...others] = joined(ranges.filter((range) => typeof range === 'object'))
  return first === undefined ? { kind: 'unsatisfiable' } : { kind: 'parts', ranges: [first, ...others] }
}

function rangeOf(spec: string, size: number): ByteRange | 'outside' | 'malformed' {
  const [, from = '', to = ''] = /^(\d{0,15})-(\d{0,15})$/.exec(spec) ?? []
  if (from === '' && to === '') return 'malformed'
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'outside' : { start: Math.max(0, size - Number(to)), end: size }
  const start = Number(from)
  const last = to === '' ? Infinity : Number(to)
  if (last < start) return 'malformed'
  return start >= size ? 'outside' : { start, end: Math.min(size, last + 1) }
}

function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  const apart: ByteRange[] = []
  for (const range of sorted) {
    const before = apart.at(-1)
    if (before === undefined || range.start > before.end) apart.push(range)
    else apart[apart.length - 1] = { start: before.start, end: Math.max(before.end, range.end) }
  }
  return apart.length === ranges.length ? ranges : apart
}

/** The Content-Range of a part, or without one that of a 416 (§14.4). */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return range === undefined ? `bytes */${size}` : `bytes ${range.start}-${range.end - 1}/${size}`
}

/** Which part a 206 holds; the size is undefined when the server does not know it. */
export function parseContentRange(field: string): (ByteRange & { readonly size: number | undefined }) | undefined {
  const [, first, last, all] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(field.trim()) ?? []
  const start = Number(first)
  const end = Number(last) + 1
  const size = all === '*' ? undefined : Number(all)
  return start < end && end <= (size ?? Infinity) ? { start, end, size } : undefined
}
