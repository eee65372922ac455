/**
 * Letter map: a change of texts that most letters undergo each for itself, such as folding, asked once of each letter and
 * then done letter by letter: in a tenth of the time of normal forms and regular expressions.
 *
 * A letter is simple when it and what it becomes are letters and digits alone, without marks, which belong to the letter
 * before them. Hangul in parts (U+1100 to U+11FF) is not: its letters combine with each other. No other letters of the
 * basic plane do (Unicode's NFC_Quick_Check is `Maybe` for marks and these alone).
 */
const SIMPLE = /^(?![\u1100-\u11ff])[\p{L}\p{N}]$/u
const SIMPLE_TEXT = /^(?:(?![\u1100-\u11ff])[\p{L}\p{N}])*$/u

const BLOCK_BITS = 8
const BLOCK_MASK = (1 << BLOCK_BITS) - 1

export class LetterMap {
  readonly #change: (text: string) => string
  /** By UTF-16 unit, in blocks: what becomes of it, null for one that is not simple. */
  readonly #blocks: (string | null | undefined)[][] = Array.from({ length: 1 << (16 - BLOCK_BITS) }, () => [])

  /** `change` must change a simple letter in the same way whatever simple letters stand beside it. */
  constructor(change: (text: string) => string) {
    this.#change = change
  }

  /** The text changed; undefined when it has characters that are not simple. */
  apply(text: string): string | undefined {
    let changed = ''
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      let letter = this.#blocks[code >>> BLOCK_BITS]![code & BLOCK_MASK]
      if (letter === undefined) letter = this.#learn(code)
      if (letter === null) return undefined
      changed += letter
    }
    return changed
  }

  #learn(code: number): string | null {
    const letter = String.fromCharCode(code)
    const changed = SIMPLE.test(letter) ? this.#change(letter) : ''
    const learnt = SIMPLE.test(letter) && SIMPLE_TEXT.test(changed) ? changed : null
    this.#blocks[code >>> BLOCK_BITS]![code & BLOCK_MASK] = learnt
    return learnt
  }
}
