/**
 * Source interfaces: how many functions each interface asks for, by its source: methods, properties of a function type, also
 * one of several or one that may be absent, and of types that are another name of one. What it extends is counted where it stands.
 *
 * Who needs more than five functions from outside wants an event to follow or a smaller job, not a larger bag of callbacks.
 */
import { codeOf } from './source-marks.ts'

export interface AskedFunctions {
  readonly name: string
  readonly functions: readonly string[]
}

/** Names of types that are functions, of all sources together. */
export function functionTypes(sources: readonly string[]): ReadonlySet<string> {
  const aliases = sources.flatMap((source) =>
    [...codeOf(source).matchAll(/^(?:export )?type (?<name>\w+)[^=\n]*= *(?<type>[^\n]*(?:\n {2,}[^\n]*)*)/gm)].map(
      ({ groups }) => [groups!['name']!, groups!['type']!] as const,
    ),
  )
  const known = new Set<string>()
  // An alias of an alias is one, too.
  for (let before = -1; before < known.size;) {
    before = known.size
    for (const [name, type] of aliases) if (isFunction(type, known)) known.add(name)
  }
  return known
}

export function interfacesIn(source: string, known: ReadonlySet<string>): AskedFunctions[] {
  const code = codeOf(source)
  return [...code.matchAll(/\binterface (?<name>\w+)(?=[\s<{])/g)].flatMap((found) => {
    const start = code.indexOf('{', found.index)
    if (start === -1) return []
    const members = membersOf(code.slice(start + 1, endOf(code, start)))
    return [{ name: found.groups!['name']!, functions: members.flatMap((member) => functionIn(member, known)) }]
  })
}

const OPENING = '([{<'
const CLOSING = ')]}>'

/** Calls `visit` with each character and how deep in brackets it stands. The arrow of a function closes nothing. */
function walk(code: string, visit: (at: number, char: string, depth: number) => boolean | void): void {
  let depth = 0
  for (let at = 0; at < code.length; at++) {
    const char = code[at]!
    const isArrow = char === '>' && code[at - 1] === '='
    if (!isArrow && CLOSING.includes(char)) depth--
    if (visit(at, char, depth) === false) return
    if (OPENING.includes(char)) depth++
  }
}

/** Where the bracket at `start` is closed. */
function endOf(code: string, start: number): number {
  let end = code.length
  walk(code.slice(start), (at, char, depth) => {
    if (at === 0 || depth > 0 || !CLOSING.includes(char)) return true
    end = start + at
    return false
  })
  return end
}

/** Parts between separators outside of all brackets. */
function partsOf(code: string, isSeparator: (at: number, char: string) => boolean): string[] {
  const parts: string[] = []
  let from = 0
  walk(code, (at, char, depth) => {
    if (depth > 0 || !isSeparator(at, char)) return
    parts.push(code.slice(from, at))
    from = at + 1
  })
  return [...parts, code.slice(from)].map((part) => part.trim()).filter((part) => part !== '')
}

/** A line that goes on, with a union or a type below its name, is no member of its own. */
function membersOf(body: string): string[] {
  const lines = partsOf(body, (at, char) => char === ';' || (char === '\n' && !/^\s*(?:[|&]|=>)/.test(body.slice(at))))
  const members: string[] = []
  for (const line of lines) {
    if (/(?:[:=|&]|=>)$/.test(members.at(-1) ?? '')) members.push(`${members.pop()!} ${line}`)
    else members.push(line)
  }
  return members
}

function functionIn(member: string, known: ReadonlySet<string>): string[] {
  const { name, rest } = /^(?:readonly )?(?<name>[\w$]+|\[[^\]]*\])\??(?<rest>[\s\S]*)$/.exec(member)?.groups ?? {}
  if (name === undefined || rest === undefined) return []
  if (/^[(<]/.test(rest)) return [name]
  return rest.startsWith(':') && isFunction(rest.slice(1), known) ? [name] : []
}

/** One of the types it may be is a function. */
function isFunction(type: string, known: ReadonlySet<string>): boolean {
  return partsOf(type, (_, char) => char === '|' || char === '&').some((part) => {
    if (hasArrow(part)) return true
    const inner = /^\((?<inner>[\s\S]*)\)$/.exec(part)?.groups?.['inner']
    return inner === undefined
      ? known.has(/^\w+/.exec(part)?.[0] ?? '') && /^\w+(?:<[\s\S]*>)?$/.test(part)
      : isFunction(inner, known)
  })
}

function hasArrow(code: string): boolean {
  let found = false
  walk(code, (at, char, depth) => {
    if (depth === 0 && char === '=' && code[at + 1] === '>') found = true
  })
  return found
}
