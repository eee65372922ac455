/**
 * Control server: lets other processes of the same user look at a running crawl and steer it, over a socket in its
 * collection. What is spoken is in `control/wire.ts`, where the socket stands in `control/socket.ts`.
 *
 * A crawl never fails because of it: where no socket can be had there is a warning and no control; whatever a client
 * sends is answered, or the connection is closed; a client that does not read is not waited for.
 */
import { textOf } from '@comity/protocol'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { ControlError, controlBusy, crawlEnding } from './control-error.ts'
import { listenFor, removeSocket } from './socket.ts'
import { idOf, lineOf, linesOf, parseLine, readRequest } from './wire.ts'
import type { ControlRequest, RequestId } from './wire.ts'
import type { CrawlControl } from './crawl-control.ts'

const MAX_CONNECTIONS = 16
/** Requests of one connection that may wait for their commit; more are read when one of them is answered. */
const MAX_OPEN = 256
/** Answers that a client has not read. A watcher misses samples from here on, anybody else is cut off. */
const MAX_UNREAD_BYTES = 1 << 20
/** Time for the last answers when the crawl ends. */
const LAST_WORDS_MS = 500

/** Undefined when there can be no socket; a warning says why. */
export async function serveControl(
  dir: string,
  control: CrawlControl,
  watchEveryMs: number,
): Promise<AsyncDisposable | undefined> {
  const line = new ControlServer(control)
  try {
    await listenFor(dir, line.server)
  } catch (error) {
    process.emitWarning(`The crawl into ${dir} cannot be steered from outside: ${textOf(error)}`, {
      code: 'COMITY_NO_CONTROL',
    })
    return undefined
  }
  const ticker = setInterval(() => line.tellWatchers(), watchEveryMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(ticker)
      await line.close()
      removeSocket(dir)
    },
  }
}

class ControlServer {
  readonly #control: CrawlControl
  readonly #connections = new Set<Socket>()
  readonly #watchers = new Map<Socket, RequestId>()
  /** Half open: whoever has said all he wants may still hear the answers. */
  readonly server: Server = createServer({ allowHalfOpen: true }, (socket) => void this.#welcome(socket))

  constructor(control: CrawlControl) {
    this.#control = control
    // A connection that could not be accepted concerns nobody else.
    this.server.on('error', () => undefined)
  }

  tellWatchers(): void {
    if (this.#watchers.size === 0) return
    const { sample } = this.#control.status()
    for (const [socket, id] of this.#watchers) {
      if (socket.writableLength < MAX_UNREAD_BYTES) socket.write(lineOf({ id, ok: true, sample }))
    }
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()))
    for (const socket of this.#connections) socket.destroySoon()
    const impatient = setTimeout(() => this.#connections.forEach((socket) => socket.destroy()), LAST_WORDS_MS)
    await closed
    clearTimeout(impatient)
  }

  async #welcome(socket: Socket): Promise<void> {
    // A connection that breaks is over, and 'close' says so.
    socket.on('error', () => undefined)
    if (this.#connections.size >= MAX_CONNECTIONS) {
      socket.end(lineOf({ id: null, error: inWords(controlBusy(MAX_CONNECTIONS)) }))
      socket.destroySoon()
      return
    }
    this.#connections.add(socket)
    socket.on('close', () => {
      this.#connections.delete(socket)
      this.#watchers.delete(socket)
    })
    try {
      await this.#converse(socket)
      socket.end()
    } catch (error) {
      // A line too long: where the next one begins nobody knows.
      if (error instanceof ControlError) send(socket, { id: null, error: inWords(error) })
      socket.destroySoon()
    }
  }

  async #converse(socket: Socket): Promise<void> {
    const open = new Set<Promise<void>>()
    for await (const line of linesOf(socket.iterator({ destroyOnReturn: false }))) {
      if (line.trim() === '') continue
      const answering = this.#answer(line, socket).finally(() => open.delete(answering))
      open.add(answering)
      if (open.size >= MAX_OPEN) await Promise.race(open)
    }
    await Promise.all(open)
  }

  async #answer(line: string, socket: Socket): Promise<void> {
    const message = parseLine(line)
    const id = idOf(message)
    try {
      const request = readRequest(message)
      if (request.do === 'watch') this.#watchers.set(socket, id)
      send(socket, { id, ok: true, ...(await this.#perform(request)) })
    } catch (error) {
      send(socket, { id, error: inWords(error) })
    }
  }

  async #perform(request: ControlRequest): Promise<object> {
    const control = this.#control
    if (request.do === 'seed') return { seed: await control.addSeed(request.url) }
    if (request.do === 'budget') return { budget: control.setBudget(request.budget) }
    if (request.do === 'watch') return { sample: control.status().sample }
    // A visit may take minutes to finish: the state says when it is a pause.
    if (request.do === 'pause') void control.pause()
    else if (request.do === 'resume') control.resume()
    else if (request.do === 'stop') control.stop()
    return { status: control.status() }
  }
}

function send(socket: Socket, message: object): void {
  if (!socket.writable) return
  if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy()
  else socket.write(lineOf(message))
}

/** Ours have codes. Any other error is one that ends the crawl. */
function inWords(error: unknown): { code: string; message: string } {
  const { code } = error as { code?: unknown }
  const { message } = error instanceof Error ? error : crawlEnding()
  return { code: typeof code === 'string' ? code : crawlEnding().code, message: message.slice(0, 2_000) }
}
