/**
 * Line map: a source map that says for each line which line it comes from, and no more. That is what a stack trace needs, in a tenth of the
 * bytes, so that it fits at the end of the module itself; a file of its own for each would take a block of the disk each.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The numbers of a segment: base 64, least digit first, the lowest bit is the sign (ECMA-426). */
export function readVlq(segment: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const char of segment) {
    const digit = DIGITS.indexOf(char)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = shift = 0
  }
  return numbers
}

export function writeVlq(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]!
  } while (rest > 0)
  return text
}

/** Of each line the first segment that has a source, put at the line's begin. */
export function lineMappings(mappings: string): string {
  let [line, written] = [0, 0]
  return mappings
    .split(';')
    .map((segments) => {
      let first: number | undefined
      for (const segment of segments.split(',')) {
        const [, , lines] = readVlq(segment)
        if (lines === undefined) continue
        line += lines
        first ??= line
      }
      if (first === undefined) return ''
      const text = `AA${writeVlq(first - written)}A`
      written = first
      return text
    })
    .join(';')
}
