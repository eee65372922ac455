/**
 * Source marks: TypeScript with comments, texts and patterns blanked out, so that a look for `[` or ` in ` finds code alone.
 *
 * No parser: TypeScript 7 has no interface for one yet, and what is asked here is only where code begins and ends. What is
 * blanked becomes spaces, one for each character, and lines stay lines: a place in the marks is the place in the source.
 */

/** A regular expression may stand behind these, a division may not. */
const BEFORE_PATTERN = /(?:^|[=(,:[!&|?{};<>+*%~^-]|\b(?:return|typeof|case|in|of|yield|await|default|else))\s*$/u

export function codeOf(source: string): string {
  let code = ''
  /** For each template we are inside of: how many braces are open in its `${`. */
  const templates: number[] = []
  let at = 0
  const blankTo = (end: number): void => {
    code += source.slice(at, end).replaceAll(/[^\n]/gu, ' ')
    at = end
  }
  /** The quotes stay, so that a literal is seen to be one. */
  const quotedTo = (end: number): void => {
    code += source[at]
    at++
    blankTo(end - 1)
    code += source[at] ?? ''
    at = end
  }
  const template = (): void => {
    const end = endOf(source, at, /`|\$\{/gu)
    if (source[end - 1] === '{') templates.push(0)
    blankTo(end - 1)
    code += source[at] ?? ''
    at = end
  }
  while (at < source.length) {
    const char = source[at]!
    const two = source.slice(at, at + 2)
    if (two === '//' || (at === 0 && two === '#!')) blankTo(endOf(source, at, /(?=\n)/gu))
    else if (two === '/*') blankTo(source.indexOf('*/', at + 2) + 2)
    else if (char === '"' || char === "'") quotedTo(endOf(source, at + 1, new RegExp(char, 'gu')))
    else if (char === '/' && BEFORE_PATTERN.test(code.slice(-200))) blankTo(endOfPattern(source, at))
    else if (char === '`') {
      code += char
      at++
      template()
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop()
      code += char
      at++
      template()
    } else {
      if (templates.length > 0 && char === '{') templates[templates.length - 1]!++
      if (templates.length > 0 && char === '}') templates[templates.length - 1]!--
      code += char
      at++
    }
  }
  return code
}

/** Behind the first match from here on that no backslash stands before. */
function endOf(source: string, from: number, what: RegExp): number {
  for (let at = from; at < source.length;) {
    if (source[at] === '\\') {
      at += 2
      continue
    }
    const found = new RegExp(what.source, 'yu')
    found.lastIndex = at
    const match = found.exec(source)
    if (match !== null) return at + match[0].length
    at++
  }
  return source.length
}

/** Behind a regular expression and its flags; a slash between brackets is not its end. */
function endOfPattern(source: string, from: number): number {
  let inClass = false
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1 + (/^[a-z]*/u.exec(source.slice(at + 1))?.[0].length ?? 0)
    else if (char === '\n') return at
  }
  return source.length
}

export interface Place {
  readonly from: number
  readonly to: number
}

/** The insides of `value[key]`, outermost first: not of lists, patterns of names, or types that are seen to be types. */
export function keysIn(code: string): Place[] {
  return [...code.matchAll(/(?<=[\w$)\]]!?|\?\.)\[/gu)].flatMap(({ index }) => {
    if (/\b(?:return|of|in|case|await|yield|default|else|extends|readonly|const|let)$/u.test(code.slice(0, index)))
      return []
    const to = closing(code, index)
    // What a text is taken for is no proof that it is that.
    const key = code.slice(index + 1, to).replace(/ as (?!number\b)[\w$ .]+$/u, '')
    return key.trim() === '' || isLiteral(key.trim()) || isType(key.trim())
      ? []
      : [{ from: index + 1, to: index + 1 + key.length }]
  })
}

/** The names of `name in object`; a text that is written out is no question, and `for (… in …)` asks the parents, too. */
export function membersIn(code: string): Place[] {
  return [...code.matchAll(/(?<![\w$.[]|\breadonly \[)(?<name>[\w$]+(?:\.[\w$]+)*)(?= in [\w$(])/gu)].flatMap(
    ({ index, groups }) => {
      const before = code.slice(Math.max(0, index - 40), index)
      return /\b(?:const|let|var)\s+$/u.test(before) ? [] : [{ from: index, to: index + groups!['name']!.length }]
    },
  )
}

/** Where the bracket that opens here is closed. */
export function closing(code: string, open: number): number {
  for (let at = open, depth = 0; at < code.length; at++) {
    if ('[({'.includes(code[at]!)) depth++
    if ('])}'.includes(code[at]!) && --depth === 0) return at
  }
  return code.length
}

const isLiteral = (key: string): boolean => /^(?:'[^']*'|"[^"]*"|[\d_]+)$/u.test(key)

/** `T[K]`, `Row['field']`, `(typeof LIST)[number]`; constants are written in capitals and are no types. */
const isType = (key: string): boolean =>
  /^(?:number|string|keyof .*|typeof .*|[A-Z]|[A-Z][a-zA-Z]*[a-z][a-zA-Z]*)$/u.test(key)
