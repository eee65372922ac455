/**
 * The fields of a head. What is written as it should be is read at once; of everything else the doubt is told, and what it
 * most likely means, for whoever wants to see what was sent.
 */
import { trimBlanks } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export type FieldDoubt =
  | 'odd-field'
  | 'folded-field'
  | 'lone-line-feed'
  | 'lone-return'
  | 'odd-character'
  | 'too-many-fields'

const MAX_FIELDS = 500
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What no value should have in it. */
// oxlint-disable-next-line no-control-regex
const ODD_CHARACTERS = /[\0\v\f\x7f]/
const FRAMING = /content-length|transfer-encoding|chunked/gi

interface Fields {
  readonly headers: HeaderList
  readonly isFramingOdd: boolean
}

export function readFields(text: string, doubts: Set<string>): Fields {
  const fields: [name: string, value: string][] = []
  /** Of the fields that are as they should be: what they say of framing. */
  let framing = 0
  const before = doubts.size
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    const isPair = text.startsWith('\r\n', end)
    // Whether a lone return ends a line differs between readers, so what it says of framing on either side does too.
    const isByReturn = text[at - 1] === '\r' || (!isPair && text[end] === '\r')
    at = end + (isPair ? 2 : 1)
    if (!isPair && end < text.length) doubts.add(text[end] === '\n' ? 'lone-line-feed' : 'lone-return')
    if (line === '') continue
    if (fields.length >= MAX_FIELDS) {
      doubts.add('too-many-fields')
      break
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    const value = trimBlanks(line.slice(colon + 1))
    if (!NAME.test(name) || ODD_CHARACTERS.test(value)) {
      // What follows on a field of framing changes what it says.
      if (/^[ \t]/.test(line) && isFraming(fields.at(-1)?.[0] ?? '')) framing = NaN
      readOdd(line, name, value, fields, doubts)
    } else {
      fields.push([name, value])
      if (isFraming(name)) framing += isByReturn ? NaN : (line.match(FRAMING) ?? []).length
    }
  }
  const isFramingOdd = doubts.size > before && (text.match(FRAMING) ?? []).length !== framing
  return { headers: fields, isFramingOdd }
}

/** The nearer of both marks: looking for one of them alone would go through the rest of the text for every line. */
function lineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from
  return LINE_END.exec(text)?.index ?? text.length
}

const LINE_END = /[\r\n]/g

const isFraming = (name: string): boolean => name.length >= 14 && /^(?:content-length|transfer-encoding)$/i.test(name)

function readOdd(
  line: string,
  name: string,
  value: string,
  fields: [name: string, value: string][],
  doubts: Set<string>,
): void {
  const last = fields.at(-1)
  // A line that goes on (RFC 9112 §5.2): what it means differs between readers.
  if (/^[ \t]/.test(line) && last !== undefined) {
    doubts.add('folded-field')
    last[1] = plain(`${last[1]} ${line}`)
    return
  }
  doubts.add(ODD_CHARACTERS.test(line) ? 'odd-character' : 'odd-field')
  const simple = name.replaceAll(/[^\x21-\x7e]/g, '')
  if (simple !== '') fields.push([simple, plain(value)])
}

// oxlint-disable-next-line no-control-regex
const plain = (value: string): string => value.replaceAll(/[\0\v\f\x7f]/g, '').trim()
