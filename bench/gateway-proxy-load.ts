/**
 * A client that asks as fast as it is answered: so many connections that are kept, one request at a time on each. It reads no
 * more of an answer than where it ends, so that its own work weighs little beside the server's.
 */
import { hash } from 'node:crypto'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Load {
  readonly host: string
  readonly port: number
  readonly paths: readonly string[]
  readonly connections: number
  readonly requests: number
}

export interface LoadResult {
  readonly seconds: number
  /** Of each request, sorted. */
  readonly ms: Float64Array
  /** Of each path: bytes of the body. */
  readonly lengths: ReadonlyMap<string, number>
}

export async function load({ host, port, paths, connections, requests }: Load): Promise<LoadResult> {
  const ms = new Float64Array(requests)
  const lengths = new Map<string, number>()
  let [next, done] = [0, 0]
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const line = new Line(await connected(host, port), host, port)
      while (next < requests) {
        const path = paths[next++ % paths.length]!
        const from = performance.now()
        const length = await line.ask(path)
        ms[done++] = performance.now() - from
        const before = lengths.get(path)
        if (before !== undefined && before !== length) throw new Error(`${path} had ${before} bytes and now ${length}`)
        lengths.set(path, length)
      }
      line.end()
    }),
  )
  return { seconds: (performance.now() - began) / 1_000, ms: ms.subarray(0, done).toSorted(), lengths }
}

async function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject))
  return socket
}

/** One connection; answers must have a length. */
class Line {
  readonly #socket: Socket
  readonly #tail: string
  #left = 0
  #length = 0
  #head = ''
  #resolve: ((length: number) => void) | undefined
  #reject: ((error: Error) => void) | undefined

  constructor(socket: Socket, host: string, port: number) {
    this.#socket = socket
    this.#tail = ` HTTP/1.1\r\nHost: ${host}:${port}\r\nAccept: text/html\r\nUser-Agent: bench\r\n\r\n`
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('close', () => this.#reject?.(new Error('the connection was closed')))
    socket.on('error', (error) => this.#reject?.(error))
  }

  async ask(path: string): Promise<number> {
    return await new Promise<number>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.write(`GET ${path}${this.#tail}`)
    })
  }

  end(): void {
    this.#reject = undefined
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    let body = bytes.length
    if (this.#left === 0) {
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1]
      if (!this.#head.startsWith('HTTP/1.1 200') || length === undefined)
        return this.#reject?.(new Error(`not 200 with a length: ${this.#head.slice(0, end)}`))
      body = this.#head.length - end - 4
      this.#length = Number(length)
      this.#left = this.#length
      this.#head = ''
    }
    this.#left -= body
    if (this.#left === 0) this.#resolve?.(this.#length)
  }
}

/** What this server gives for each path: equal work is equal bytes. */
export async function digests(host: string, port: number, paths: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const path of paths) {
    const answer = await fetch(`http://${host}:${port}${path}`)
    all.push(`${path} ${answer.status} ${hash('sha256', Buffer.from(await answer.arrayBuffer()))}`)
  }
  return all
}
