/**
 * WireHead: the head of an HTTP/1 message on a connection of our own, a proxy's or a crawler's, read as strictly as a proxy
 * must. What two readers could take for two things is where requests are smuggled through (RFC 9112 §11.2), so it is not
 * passed on but refused: line ends other than CRLF, folded lines, blanks before a colon, control characters. Who only
 * looks on reads forgivingly (`gateway`), since there others decide what is served; here we do.
 *
 * Fields that pass through keep their line as it came; values are cut out only when somebody asks for them.
 */
import type { HeaderList } from '../capture.ts'

type HeadRead = WireHead | string

const TOKEN = table("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
/** What a value may have in it (RFC 9110 §5.5): a tab, what can be seen, blanks, and bytes that only the sender understands. */
const VALUE = new Uint8Array(256).map((_, code) => (code === 9 || (code >= 32 && code !== 127) ? 1 : 0))
const END = Buffer.from('\r\n\r\n')
const BARE_END = Buffer.from('\n\n')
const [COLON, CR, LF, BLANK, TAB] = [58, 13, 10, 32, 9]

export class WireHead {
  /** The first line, without its end. */
  readonly line: string
  /** Names of the fields in lower case, and their lines with CRLF. */
  readonly names: string[] = []
  readonly lines: string[] = []
  #headers: HeaderList | undefined

  constructor(line: string) {
    this.line = line
  }

  value(at: number): string {
    return this.lines[at]!.slice(this.names[at]!.length + 1).trim()
  }

  /** All values of a field. */
  valuesOf(name: string): string[] {
    return this.names.flatMap((one, at) => (one === name ? [this.value(at)] : []))
  }

  get headers(): HeaderList {
    return (this.#headers ??= this.lines.map((line, at) => [line.slice(0, this.names[at]!.length), this.value(at)]))
  }
}

/** Where the head ends that begins at `from`: after its empty line; -1 while there is none. */
export function wireHeadEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(END, from)
  return at === -1 ? -1 : at + 4
}

/** A head that will never end as it should: its sender ends lines with a line feed alone. */
export const endsBare = (bytes: Buffer): boolean => bytes.includes(BARE_END)

/**
 * The head that stands in `bytes` from `from` until `end`, or what is wrong with it. Who passes nothing on may let the first line hold any
 * bytes (`isEndOfWay`): a reason phrase has no meaning (RFC 9112 §4), and servers write what they like in it.
 */
export function readWireHead(
  bytes: Buffer,
  from: number,
  end: number,
  maxFields: number,
  isEndOfWay = false,
): HeadRead {
  const text = bytes.toString('latin1', from, end)
  const first = text.indexOf('\r\n')
  const head = new WireHead(text.slice(0, first))
  if (!isEndOfWay && !isClean(text, 0, first)) return 'a control character in the first line'
  const last = text.length - 2
  for (let at = first + 2; at < last;) {
    let colon = at
    while (TOKEN[text.charCodeAt(colon)] === 1) colon++
    if (text.charCodeAt(colon) !== COLON || colon === at) return fieldProblem(text.charCodeAt(at))
    let stop = colon + 1
    while (VALUE[text.charCodeAt(stop)] === 1) stop++
    if (text.charCodeAt(stop) !== CR || text.charCodeAt(stop + 1) !== LF) return 'a control character in a field'
    if (head.names.length >= maxFields) return `more than ${maxFields} fields`
    head.names.push(text.slice(at, colon).toLowerCase())
    head.lines.push(text.slice(at, stop + 2))
    at = stop + 2
  }
  return head
}

const fieldProblem = (first: number): string =>
  first === BLANK || first === TAB ? 'a line that goes on with the field before it' : 'a field without a proper name'

function isClean(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (VALUE[text.charCodeAt(at)] !== 1) return false
  return true
}

function table(characters: string): Uint8Array {
  const allowed = new Uint8Array(256)
  for (const character of characters) allowed[character.charCodeAt(0)] = 1
  return allowed
}
