/** A proxy between real sockets, for tests: an origin that answers in every way there is, and a client that says what it likes. */
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { connect, createServer as createRawServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { ProxySource } from '../proxy/source.ts'
import type { ProxyWishes } from '@comity/site/internal'

interface Opened extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

export async function opened(server: Server): Promise<Opened> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => void server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

export const httpOrigin = (answer: RequestListener): Promise<Opened> => opened(createServer(answer))

/** An origin that says these very bytes for each head that comes to it; `end` after the last. */
export async function rawOrigin(said: string | Buffer, ends = false): Promise<Opened & { readonly heard: string[] }> {
  const heard: string[] = []
  const server = createRawServer((socket) => {
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        heard.push(text.slice(0, end + 4))
        text = text.slice(end + 4)
        socket.write(said)
        if (ends) socket.end()
      }
    })
  })
  return Object.assign(await opened(server), { heard })
}

interface OpenProxy extends AsyncDisposable {
  readonly proxy: ProxySource
  readonly url: string
  readonly port: number
  readonly passed: ObservedExchange[]
  /** Resolves when so many have passed. */
  whenPassed(count: number): Promise<void>
}

export async function openProxy(
  wishes: ProxyWishes,
  parts: { readonly now?: () => number; readonly wants?: () => boolean } = {},
): Promise<OpenProxy> {
  const passed: ObservedExchange[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const observed = (one: ObservedExchange): void => {
    passed.push(one)
    for (const { count, resolve } of waiting) if (passed.length >= count) resolve()
  }
  const proxy = new ProxySource(wishes, { sink: { observed }, ...parts })
  const { url, port } = await proxy.listen()
  return {
    proxy,
    url,
    port,
    passed,
    whenPassed: async (count) => {
      if (passed.length < count) await new Promise<void>((resolve) => void waiting.push({ count, resolve }))
    },
    [Symbol.asyncDispose]: () => proxy.stop(0),
  }
}

/** Says this and gives all that is heard until the connection ends. */
export async function say(port: number, text: string | Buffer | readonly string[], ends = false): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const heard: Buffer[] = []
  socket.on('data', (bytes: Buffer) => void heard.push(bytes))
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => socket.destroy())
  })
  for (const piece of typeof text === 'string' || Buffer.isBuffer(text) ? [text] : text) {
    await new Promise<void>((resolve) => void socket.write(piece, 'latin1', () => resolve()))
  }
  if (ends) socket.end()
  await closed
  return Buffer.concat(heard).toString('latin1')
}
