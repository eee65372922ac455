/**
 * Held response: a response of node:http or node:http2 whose answer is held back until it is whole, and then sent as it is or
 * in another form. Everything that writes to it goes on as if it were sent: Express, `compression` and the like need know
 * nothing of it.
 *
 *   open ──head──▶ held ──end──▶ let go, whole
 *     │             │ flushed, too long, or it takes too long: a stream
 *     │ not wanted  ▼
 *     └────────▶ let go, as it comes
 */
import { textOf } from '@comity/protocol'
import type { ServerResponse } from 'node:http'
import type { HeaderList } from '@comity/protocol'
import type { MadeBody } from '../sources/page-watch.ts'
import type { FrontPage } from '../site-front.ts'
import type { SiteAnswer } from '../site-request.ts'

export interface Holding {
  readonly maxBytes: number
  readonly patienceMs: number
  /** By status and fields, once they are known. */
  holds(status: number, headers: HeaderList): boolean
  /** The whole answer; undefined: send it as it is. */
  whole(status: number, headers: HeaderList, body: MadeBody): FrontPage | undefined
}

type State = 'open' | 'held' | 'gone'
type Callback = (error?: Error | null) => void

export function holdResponse(response: ServerResponse, holding: Holding): void {
  const held = new HeldResponse(response, holding)
  const sent = inherited(response)
  // Whoever asks must not begin a second answer over one that is held.
  Object.defineProperty(response, 'headersSent', {
    configurable: true,
    get: () => held.isHeld || Boolean(sent?.get?.call(response)),
  })
}

/** The property as node, or whoever was here before, has defined it. */
function inherited(response: ServerResponse): PropertyDescriptor | undefined {
  let place: unknown = response
  while (place !== null) {
    const found = Object.getOwnPropertyDescriptor(place, 'headersSent')
    if (found !== undefined) return found
    place = Object.getPrototypeOf(place)
  }
  return undefined
}

class HeldResponse {
  readonly #response: ServerResponse
  readonly #holding: Holding
  readonly #write: ServerResponse['write']
  readonly #end: ServerResponse['end']
  readonly #writeHead: ServerResponse['writeHead']
  readonly #chunks: Buffer[] = []
  #state: State = 'open'
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, holding: Holding) {
    this.#response = response
    this.#holding = holding
    this.#write = response.write.bind(response)
    this.#end = response.end.bind(response)
    this.#writeHead = response.writeHead.bind(response)
    const flushHeaders = response.flushHeaders?.bind(response)
    response.writeHead = (...args: unknown[]) => this.#onHead(args)
    response.write = ((...args: unknown[]) => this.#onWrite(args)) as ServerResponse['write']
    response.end = ((...args: unknown[]) => this.#onEnd(args)) as ServerResponse['end']
    response.flushHeaders = () => {
      // Whoever wants the head to leave has a body that takes its time.
      this.#letGo()
      flushHeaders?.()
    }
    response.once('close', () => clearTimeout(this.#timer))
  }

  get isHeld(): boolean {
    return this.#state === 'held'
  }

  #onHead(args: readonly unknown[]): ServerResponse {
    if (this.#state === 'gone') return apply(this.#writeHead, args)
    const [status, ...rest] = args
    const fields = rest.findLast((arg) => typeof arg === 'object' && arg !== null)
    if (typeof status === 'number') this.#response.statusCode = status
    if (typeof rest[0] === 'string') this.#response.statusMessage = rest[0]
    for (const [name, values] of grouped(fields)) this.#response.setHeader(name, values)
    if (this.#decide() === 'gone') apply(this.#writeHead, [this.#response.statusCode])
    return this.#response
  }

  #onWrite(args: readonly unknown[]): boolean {
    if (this.#decide() === 'gone') return apply(this.#write, args)
    const [chunk, callback] = chunkOf(args)
    this.#keep(chunk)
    if (callback !== undefined) process.nextTick(callback)
    if (this.#bytes > this.#holding.maxBytes) return this.#letGo()
    this.#timer ??= setTimeout(() => this.#letGo(), this.#holding.patienceMs).unref()
    return true
  }

  #onEnd(args: readonly unknown[]): ServerResponse {
    if (this.#decide() === 'gone') return apply(this.#end, args)
    const isAlone = this.#chunks.length === 0
    const [body, callback] = isAlone && isUtf8(args) ? [args[0], callbackOf(args)] : this.#wholeOf(args)
    clearTimeout(this.#timer)
    this.#state = 'gone'
    const { statusCode } = this.#response
    const fits = Buffer.byteLength(body) <= this.#holding.maxBytes
    const instead = fits ? this.#holding.whole(statusCode, fieldsOf(this.#response), body) : undefined
    if (instead === undefined) return apply(this.#end, isAlone ? args : [body, callback])
    replaceHead(this.#response, instead)
    // A text goes out together with its head, bytes after it.
    if (isAlone && instead.isAsMade) return apply(this.#end, args)
    return apply(this.#end, instead.body.length === 0 ? [callback] : [instead.body, callback])
  }

  #wholeOf(args: readonly unknown[]): [Buffer, Callback | undefined] {
    const [chunk, callback] = chunkOf(args)
    this.#keep(chunk)
    return [this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks), callback]
  }

  #decide(): State {
    if (this.#state !== 'open') return this.#state
    const isWanted = this.#holding.holds(this.#response.statusCode, fieldsOf(this.#response))
    return (this.#state = isWanted ? 'held' : 'gone')
  }

  #keep(chunk: Buffer | undefined): void {
    if (chunk === undefined || chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** What was held goes out as it is, and all that follows with it. */
  #letGo(): boolean {
    clearTimeout(this.#timer)
    if (this.#state === 'gone') return true
    this.#state = 'gone'
    const chunks = this.#chunks.splice(0)
    return chunks.map((chunk) => apply(this.#write, [chunk])).at(-1) ?? true
  }
}

/** Node's own functions take their arguments in several orders; they are handed on as they came. */
function apply<T>(method: (...args: never[]) => T, args: readonly unknown[]): T {
  return (method as unknown as (...args: readonly unknown[]) => T)(...args.filter((arg) => arg !== undefined))
}

const callbackOf = (args: readonly unknown[]): Callback | undefined =>
  args.findLast((arg) => typeof arg === 'function') as Callback | undefined

function chunkOf(args: readonly unknown[]): [Buffer | undefined, Callback | undefined] {
  const callback = callbackOf(args)
  const [chunk, encoding] = args
  if (typeof chunk === 'string')
    return [Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'), callback]
  // A copy: whoever wrote it may use its memory again.
  return [chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined, callback]
}

function isUtf8(args: readonly unknown[]): args is readonly [string, ...unknown[]] {
  const [chunk, encoding] = args
  return typeof chunk === 'string' && (typeof encoding !== 'string' || /^utf-?8$/i.test(encoding))
}

function fieldsOf(response: ServerResponse): HeaderList {
  const fields: [string, string][] = []
  for (const name of response.getHeaderNames()) {
    const value = response.getHeader(name)
    if (Array.isArray(value)) for (const one of value) fields.push([name, one])
    else if (value !== undefined) fields.push([name, String(value)])
  }
  return fields
}

/** An object, pairs, or names and values in turn: as `writeHead` takes them. */
function grouped(fields: unknown): Map<string, string | string[]> {
  const pairs: (readonly [string, unknown])[] = []
  if (Array.isArray(fields) && Array.isArray(fields[0])) pairs.push(...(fields as [string, unknown][]))
  else if (Array.isArray(fields))
    for (let i = 0; i + 1 < fields.length; i += 2) pairs.push([String(fields[i]), fields[i + 1]])
  else if (typeof fields === 'object' && fields !== null) pairs.push(...Object.entries(fields))
  return groupedFields(pairs.flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)] as const)))
}

/** Fields by name; of several lines with one name a list. */
export function groupedFields(fields: HeaderList): Map<string, string | string[]> {
  const byName = new Map<string, [name: string, values: string[]]>()
  for (const [name, value] of fields) {
    const known = byName.get(name.toLowerCase())
    if (known === undefined) byName.set(name.toLowerCase(), [name, [value]])
    else known[1].push(value)
  }
  return new Map([...byName.values()].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}

export function replaceHead(
  response: ServerResponse,
  { status, headers }: Pick<SiteAnswer, 'status' | 'headers'>,
): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  response.statusCode = status
  // Empty: node has the right words for each status.
  response.statusMessage = ''
  for (const [name, values] of groupedFields(headers)) response.setHeader(name, values)
}
