/**
 * Main script: which script most of a text is in. What is to be known of a character is asked of Unicode's properties
 * when it is first met, and then stands in a table: a regular expression for each script would read a text twenty times.
 */
export interface Script {
  /** As ISO 15924 has it. */
  readonly code: string
  /** Set when but one widely written language uses it. */
  readonly language?: string
}

// Kana come before Han: Japanese has both, and a little kana is enough to know it. `share`: of all letters.
const SCRIPTS: readonly (Script & { share: number; letters: RegExp })[] = [
  { code: 'Jpan', language: 'ja', share: 0.05, letters: /[\p{sc=Hiragana}\p{sc=Katakana}]/u },
  { code: 'Hani', language: 'zh', share: 0.3, letters: /\p{sc=Han}/u },
  { code: 'Kore', language: 'ko', share: 0.3, letters: /\p{sc=Hangul}/u },
  { code: 'Cyrl', share: 0.6, letters: /\p{sc=Cyrillic}/u },
  { code: 'Grek', language: 'el', share: 0.5, letters: /\p{sc=Greek}/u },
  { code: 'Arab', share: 0.5, letters: /\p{sc=Arabic}/u },
  { code: 'Hebr', language: 'he', share: 0.5, letters: /\p{sc=Hebrew}/u },
  { code: 'Thai', language: 'th', share: 0.3, letters: /\p{sc=Thai}/u },
  { code: 'Laoo', language: 'lo', share: 0.3, letters: /\p{sc=Lao}/u },
  { code: 'Khmr', language: 'km', share: 0.3, letters: /\p{sc=Khmer}/u },
  { code: 'Mymr', language: 'my', share: 0.3, letters: /\p{sc=Myanmar}/u },
  { code: 'Armn', language: 'hy', share: 0.5, letters: /\p{sc=Armenian}/u },
  { code: 'Geor', language: 'ka', share: 0.5, letters: /\p{sc=Georgian}/u },
  { code: 'Deva', share: 0.5, letters: /\p{sc=Devanagari}/u },
  { code: 'Beng', language: 'bn', share: 0.5, letters: /\p{sc=Bengali}/u },
  { code: 'Taml', language: 'ta', share: 0.5, letters: /\p{sc=Tamil}/u },
  { code: 'Telu', language: 'te', share: 0.5, letters: /\p{sc=Telugu}/u },
]

/** Fewer letters than this prove nothing. */
const FEW_LETTERS = 12
// Letters and their like, leaving out the blocks of signs and of further Latin.
const BEYOND_LATIN = /[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff\ufe70-\uffdc]/g

/** By code point: the number of its script, from 1 on, with bits beside; 0 for one not met yet. */
const traits = new Uint8Array(0x11_0000)
const SCRIPT_MASK = 31
const IS_LETTER = 1 << 5
const IS_KNOWN = 1 << 6

/** The script most of a text is in, unless that is Latin or none of the table. */
export function mainScript(samples: readonly string[]): Script | undefined {
  // Most texts end here: V8 keeps Latin text in bytes, and sees at once that nothing in them can match.
  let beyond = 0
  for (const sample of samples) beyond += sample.match(BEYOND_LATIN)?.length ?? 0
  if (beyond < FEW_LETTERS) return undefined
  const counts = new Uint32Array(SCRIPT_MASK + 1)
  let letters = 0
  for (const sample of samples) {
    for (let at = 0; at < sample.length; at++) {
      const code = sample.charCodeAt(at)
      const point = code >= 0xd800 && code <= 0xdbff ? sample.codePointAt(at)! : code
      if (point > 0xffff) at++
      const trait = traits[point]! || learnTraits(point)
      counts[trait & SCRIPT_MASK]!++
      if ((trait & IS_LETTER) !== 0) letters++
    }
  }
  return SCRIPTS.find(({ share }, number) => counts[number + 1]! >= Math.max(FEW_LETTERS, letters * share))
}

function learnTraits(point: number): number {
  const character = String.fromCodePoint(point)
  const isLetter = /^[\p{L}\p{M}]$/u.test(character)
  const number = SCRIPTS.findIndex(({ letters }) => letters.test(character)) + 1
  return (traits[point] = IS_KNOWN | (isLetter ? IS_LETTER : 0) | number)
}
