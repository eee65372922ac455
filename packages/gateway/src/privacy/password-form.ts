/**
 * Password form: whether a page asks for a password, by its text alone: also where a script would write the form, or a template has it.
 * One pass over marks, so that no text takes longer than its length; what a browser makes of references and quotes is the HTML
 * reader's part.
 */
const MARKS = /<input\b|\btype\s*=\s*\\?["']?password\b|>/gi

/** Most pages do not have the word, and of those that do, few as a type: to look for that alone is ten times as fast. */
const WORD = /password/i
const TYPE = /\btype\s*=\s*\\?["']?password\b/i

export function asksForPassword(text: string): boolean {
  if (!WORD.test(text) || !TYPE.test(text)) return false
  let isInInput = false
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '>') isInInput = false
    else if (mark.startsWith('<')) isInInput = true
    else if (isInInput) return true
  }
  return false
}
