/**
 * The judge of the smuggling suite: an origin on a raw socket that writes down every byte and takes what reaches it for
 * requests in the plainest way there is, and visitors who say what they like. What was smuggled shows as a request that
 * nobody but the attacker can have written, or as a visitor with another's answer.
 */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

interface HeardRequest {
  readonly method: string
  readonly target: string
  /** With the first line and the empty one. */
  readonly head: string
  /** Without its framing; trailers stand behind it. */
  readonly body: string
}

export interface JudgeOrigin extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Without what the proxy asks for itself. */
  readonly heard: HeardRequest[]
  /** Answers for a path, byte by byte; `end` after them where it says so. */
  readonly said: Map<string, { readonly bytes: string; readonly ends?: boolean }>
  /** Paths that are answered by their head alone; it forgets that a body was to come. */
  readonly answersEarly: Set<string>
}

export async function judgeOrigin(): Promise<JudgeOrigin> {
  const heard: HeardRequest[] = []
  const said: JudgeOrigin['said'] = new Map()
  const answersEarly = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let next = nextRequest(text, answersEarly); next !== undefined; next = nextRequest(text, answersEarly)) {
        text = next.rest
        const { request } = next
        if (request.target !== '/robots.txt') heard.push(request)
        const own = said.get(request.target)
        socket.write(own?.bytes ?? answerFor(request), 'latin1')
        if (own?.ends === true) socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    heard,
    said,
    answersEarly,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => void server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The visitor sees in it which request was answered. */
function answerFor({ method, target }: HeardRequest): string {
  const body = `<${method} ${target}>`
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\nContent-Length: ${body.length}\r\n\r\n`
  return method === 'HEAD' ? head : head + body
}

/** Without framing there is no body: what follows is the next request, as every server has it. */
function nextRequest(
  text: string,
  early: ReadonlySet<string>,
): { readonly request: HeardRequest; readonly rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = text.slice(0, end + 4)
  const [method = '', target = ''] = head.split(' ', 2)
  const bytes = early.has(target) ? 0 : bodyBytes(head, text, end + 4)
  if (bytes === undefined) return undefined
  const wire = text.slice(end + 4, end + 4 + bytes)
  const body = isChunked(head) ? dataOf(wire) : wire
  return { request: { method, target, head, body }, rest: text.slice(end + 4 + bytes) }
}

function bodyBytes(head: string, text: string, from: number): number | undefined {
  if (isChunked(head)) return chunkedBytes(text, from)
  const length = Number(/\r\ncontent-length:\s*(\d+)\r\n/i.exec(head)?.[1] ?? 0)
  return text.length < from + length ? undefined : length
}

const isChunked = (head: string): boolean => /\r\ntransfer-encoding:\s*chunked\r\n/i.test(head)

/** What is in chunks that are whole. */
function dataOf(wire: string): string {
  let data = ''
  for (let at = 0; ;) {
    const line = wire.indexOf('\r\n', at)
    const size = Number.parseInt(wire.slice(at, line), 16)
    if (!(size > 0)) return data + wire.slice(line + 2, -2)
    data += wire.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}

function chunkedBytes(text: string, from: number): number | undefined {
  for (let at = from; ;) {
    const line = text.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(text.slice(at, line), 16)
    if (size > 0) at = line + 2 + size + 2
    else {
      const end = text.indexOf('\r\n\r\n', line)
      return end === -1 ? undefined : end + 4 - from
    }
  }
}

interface Visitor extends Disposable {
  /** All that it has heard so far. */
  readonly heard: string
  readonly isClosed: boolean
  say(text: string): void
  /** It will say no more. */
  end(): void
  /** Until it is so, or the connection has ended. Throws when neither comes. */
  until(isSo: (heard: string) => boolean): Promise<string>
}

const PATIENCE_MS = 45_000

/** `isDeaf`: it takes nothing of what it is told. */
/** `from`: the address it comes from. */
export function visitor(port: number, isDeaf = false, from = '127.0.0.1'): Visitor {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  let [heard, isClosed] = ['', false]
  const waiting = new Set<() => void>()
  const tell = (): void => {
    for (const look of waiting) look()
  }
  if (!isDeaf)
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      tell()
    })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    isClosed = true
    tell()
  })
  return {
    get heard() {
      return heard
    },
    get isClosed() {
      return isClosed
    },
    end: () => void socket.end(),
    say: (text) => void socket.write(text, 'latin1'),
    until: async (isSo) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const timer = setTimeout(() => reject(new Error(`nothing came of it: ${JSON.stringify(heard)}`)), PATIENCE_MS)
      const look = (): void => {
        if (isClosed || isSo(heard)) resolve(heard)
      }
      waiting.add(look)
      look()
      return await promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(look)
      })
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

interface HeardAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The answers in what a visitor heard, cut by their framing; interim ones are left out. `isWhole`: nothing is left over. */
export function answersIn(heard: string, methods: readonly string[]): { answers: HeardAnswer[]; isWhole: boolean } {
  const answers: HeardAnswer[] = []
  let rest = heard
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1 || !rest.startsWith('HTTP/1.1 ')) return { answers, isWhole: false }
    const head = rest.slice(0, end + 4)
    const status = Number(head.slice(9, 12))
    const hasNone = status < 200 || status === 204 || status === 304 || methods[answers.length] === 'HEAD'
    const bytes = hasNone ? 0 : bodyBytes(head, rest, end + 4)
    if (bytes === undefined) return { answers, isWhole: false }
    if (status >= 200) answers.push({ status, head, body: rest.slice(end + 4, end + 4 + bytes) })
    rest = rest.slice(end + 4 + bytes)
  }
  return { answers, isWhole: true }
}

export const isAnswered =
  (count: number, methods: readonly string[] = []) =>
  (heard: string): boolean =>
    answersIn(heard, methods).answers.length >= count
