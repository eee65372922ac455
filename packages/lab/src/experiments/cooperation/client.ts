/**
 * A crawler's side of one connection, with every byte of it counted: heads and bodies, as they go over the socket. What
 * TCP and IP add below that is not seen from here.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { decodeBody, parseHttpBlock, requestHead } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export interface Asked {
  readonly method?: 'GET' | 'HEAD'
  readonly path: string
  readonly headers?: HeaderList
}

export interface Answered {
  readonly status: number
  readonly headers: HeaderList
  /** Content coding off; taken off when it is asked for. */
  readonly body: () => Buffer
  /** Bytes of the request, of the answer's head, and of its body as sent. */
  readonly sent: number
  readonly head: number
  readonly bodyBytes: number
}

export interface Traffic {
  readonly requests: number
  readonly sent: number
  readonly received: number
}

/** Requests that are on their way at one time: enough that neither side waits for the other. */
const PIPELINED = 64
const HEAD_END = Buffer.from('\r\n\r\n')
const MAX_BODY_BYTES = 2 ** 29

export class MeteredClient implements AsyncDisposable {
  readonly #socket: Socket
  readonly #host: string
  readonly #agent: string
  #buffered: Buffer = Buffer.alloc(0)
  #chunks: Buffer[] = []
  #wake: (() => void) | undefined
  #failure: Error | undefined
  #requests = 0
  #sent = 0
  #received = 0

  private constructor(socket: Socket, host: string, agent: string) {
    this.#socket = socket
    this.#host = host
    this.#agent = agent
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#wake?.()
    })
    const fail = (error: Error): void => {
      this.#failure ??= error
      this.#wake?.()
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the site closed the connection')))
  }

  static async open(port: number, host: string, agent: string): Promise<MeteredClient> {
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new MeteredClient(socket, host, agent)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
  }

  /** All so far. */
  get traffic(): Traffic {
    return { requests: this.#requests, sent: this.#sent, received: this.#received }
  }

  async ask(asked: Asked): Promise<Answered> {
    const sent = this.#send([asked])
    const answer = await this.#answer(asked)
    return { ...answer, sent: sent[0]! }
  }

  /** The answers in order, a window of requests under way: what pipelining costs is the same as one by one. */
  async askEach(asked: readonly Asked[], onAnswer: (answer: Answered, index: number) => void): Promise<void> {
    const sizes: number[] = []
    for (let index = 0; index < asked.length; index++) {
      if (index === sizes.length) sizes.push(...this.#send(asked.slice(index, index + PIPELINED)))
      onAnswer({ ...(await this.#answer(asked[index]!)), sent: sizes[index]! }, index)
    }
  }

  #send(asked: readonly Asked[]): number[] {
    const heads = asked.map(({ method = 'GET', path, headers = [] }) =>
      requestHead({
        method,
        target: path,
        headers: [['Host', this.#host], ['Connection', 'keep-alive'], ['User-Agent', this.#agent], ...headers],
      }),
    )
    this.#socket.write(Buffer.concat(heads))
    this.#requests += heads.length
    const sizes = heads.map(({ length }) => length)
    this.#sent += sizes.reduce((sum, size) => sum + size, 0)
    return sizes
  }

  async #answer({ method = 'GET' }: Asked): Promise<Omit<Answered, 'sent'>> {
    let end: number
    while ((end = this.#buffered.indexOf(HEAD_END)) < 0) await this.#more()
    const block = parseHttpBlock(this.#take(end + HEAD_END.length))
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(block.startLine)?.[1])
    const header = (name: string): string | undefined =>
      block.headers.find(([field]) => field.toLowerCase() === name)?.[1]
    const length = method === 'HEAD' || status === 304 ? 0 : Number(header('content-length'))
    if (!(length <= MAX_BODY_BYTES)) throw new Error(`an answer of ${header('content-length') ?? 'unknown'} bytes`)
    if (this.#buffered.length < length) await this.#more(length)
    const coded = this.#take(length)
    const head = end + HEAD_END.length
    this.#received += head + length
    return {
      status,
      headers: block.headers,
      body: () => plainBody(coded, header('content-encoding')),
      head,
      bodyBytes: length,
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#buffered.subarray(0, bytes)
    this.#buffered = this.#buffered.subarray(bytes)
    return taken
  }

  /** Until there is anything new, or so many bytes altogether. */
  async #more(bytes = this.#buffered.length + 1): Promise<void> {
    const size = (): number => this.#chunks.reduce((sum, { length }) => sum + length, this.#buffered.length)
    while (size() < bytes) {
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    this.#buffered = Buffer.concat([this.#buffered, ...this.#chunks])
    this.#chunks = []
  }
}

function plainBody(body: Buffer, coding: string | undefined): Buffer {
  const decoded = decodeBody(body, coding, { maxBytes: MAX_BODY_BYTES, maxRatio: Infinity })
  if (decoded.kind !== 'ok') throw new Error(`the coding of an answer is ${decoded.kind}`)
  return Buffer.from(decoded.body)
}
