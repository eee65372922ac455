/**
 * Clean text: a part of a page's text as it may be shown in one line, with the way back to where it stood.
 *
 * Strangers write it, so what is invisible or turns the direction of writing is left out (Unicode TR 36 §2.5, TR 9):
 * a title could otherwise make the rest of the line say something else. White space and control characters become one
 * blank, or a newline where a line ended, which still tells sentences apart.
 */
export interface CleanText {
  readonly text: string
  /** Where a position of the original now stands; those outside of the part are at its ends. */
  position(original: number): number
}

// The controls of direction, the soft hyphen, the blank and joiner of no width, and the byte order mark. The joiners
// U+200C and U+200D stay: Persian, Hindi and emoji are spelt with them.
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const BLANK = /[\s\p{Cc}]/u
const LINE_END = /[\n\r\u2028\u2029]/

/** The part from `start` to `end`; a pair of surrogates at its ends is not cut. */
export function cleanText(original: string, start: number, end: number): CleanText {
  const from = isInsidePair(original, start) ? start - 1 : start
  const to = isInsidePair(original, end) ? end + 1 : end
  const part = original.slice(from, to).toWellFormed()
  const positions = new Uint32Array(part.length + 1)
  let text = ''
  for (let at = 0; at < part.length; at++) {
    positions[at] = text.length
    const code = part.charCodeAt(at)
    const char = part[at]!
    // Nearly all there is; three patterns a character would take as long as finding the page.
    if (code > 0x20 && code < 0x7f) {
      text += char
      continue
    }
    if (INVISIBLE.test(char)) continue
    if (!BLANK.test(char)) text += char
    else if (LINE_END.test(char)) text = `${/\s$/.test(text) ? text.slice(0, -1) : text}\n`
    else if (!/\s$/.test(text)) text += ' '
  }
  positions[part.length] = text.length
  return {
    text,
    position: (at) => {
      const mapped = positions[Math.min(Math.max(at - from, 0), part.length)]!
      return isInsidePair(text, mapped) ? mapped - 1 : mapped
    },
  }
}

/** Whether a position is between the two halves of a character. */
function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff
}
