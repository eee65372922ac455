/**
 * Password form: whether a page asks for a password, by its text alone: also where a script would write the form, or a template has it.
 * One pass over marks, so that no text takes longer than its length; what a browser makes of references and quotes is the HTML
 * reader's part.
 */
const MARKS = /<input\b|\btype\s*=\s*\\?["']?password\b|>/gi

export function asksForPassword(text: string): boolean {
  let isInInput = false
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === '>') isInInput = false
    else if (mark.startsWith('<')) isInInput = true
    else if (isInInput) return true
  }
  return false
}
