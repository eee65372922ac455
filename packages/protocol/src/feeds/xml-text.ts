/** XML text: what a value must look like to stand in XML 1.0 and be read back as it was. */
import { tableOf } from '../lookup.ts'

/** For text between tags and for attributes in double quotes. What XML cannot hold at all becomes U+FFFD. */
export function xmlText(value: string): string {
  return SPECIAL.test(value) ? value.toWellFormed().replace(SPECIALS, (character) => escapeOf(character)) : value
}

/** ` name="value"` for each value that is there. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  let text = ''
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) text += ` ${name}="${xmlText(String(value))}"`
  }
  return text
}

/** Tab and newlines too: readers make blanks of them in attributes, and one newline of two (XML 1.0 §2.11, §3.3.3). */
function escapeOf(character: string): string {
  return ESCAPES.get(character) ?? (/[\t\n\r]/.test(character) ? `&#${character.charCodeAt(0)};` : '\ufffd')
}

const ESCAPES: ReadonlyMap<string, string> = tableOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
})
/** The five with a meaning, and what XML 1.0 §2.2 does not allow; lone surrogates are made U+FFFD before. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SPECIALS = /[&<>"'\u0000-\u001f\ufffe\uffff]/g
// oxlint-disable-next-line no-control-regex -- as above
const SPECIAL = /[&<>"'\u0000-\u001f\ud800-\udfff\ufffe\uffff]/
