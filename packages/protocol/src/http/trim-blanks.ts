/**
 * Blanks around the value of a field: spaces and tabs, and nothing else (RFC 9110 §5.6.3). `trim` takes off a no-break space, too:
 * then a length is a number, and a coding has a name, that other readers do not see.
 */
export function trimBlanks(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text, from)) from++
  while (to > from && isBlank(text, to - 1)) to--
  return from === 0 && to === text.length ? text : text.slice(from, to)
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9
}
