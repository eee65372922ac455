/** A small site made of routes, with real sockets, that remembers what it was asked. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly at: number
}

export interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Uint8Array
}

/** A string is a page; anything else is the answer. */
export type Route = string | Answer | ((asked: Asked) => string | Answer)

export interface SmallSite extends AsyncDisposable {
  readonly origin: string
  readonly asked: Asked[]
  /** How many connections were made. */
  readonly connections: number
  /** Paths asked for, without robots.txt. */
  readonly paths: string[]
}

export const page = (title: string, ...hrefs: string[]): string =>
  `<!doctype html><title>${title}</title>${hrefs.map((href) => `<a href="${href}">${href}</a>`).join('\n')}`

/** Routes that are not there answer 404, robots.txt among them. */
export function createSmallSite(
  routes: Readonly<Record<string, Route>>,
  address = '127.0.50.1',
  port = 0,
): Promise<SmallSite> {
  return serveSite(routes, (listener) => createServer(listener), `http://${address}`, port)
}

/** `base` is scheme and address, `at` the port; `make` gives the server that calls the listener. */
export async function serveSite(
  routes: Readonly<Record<string, Route>>,
  make: (listener: RequestListener) => Server,
  base: string,
  at = 0,
): Promise<SmallSite> {
  const asked: Asked[] = []
  let connections = 0
  const server = make((request: IncomingMessage, response: ServerResponse) => {
    const one = { path: request.url ?? '/', headers: request.headers, at: Date.now() }
    asked.push(one)
    const route = routes[one.path] ?? { status: 404, body: 'nothing here' }
    const given = typeof route === 'function' ? route(one) : route
    const { status = 200, headers = {}, body = '' } = typeof given === 'string' ? { body: given } : given
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(body)
  })
  const sockets = new Set<{ destroy(): void }>()
  server.on(base.startsWith('https') ? 'secureConnection' : 'connection', (socket: { destroy(): void }) => {
    connections++
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => void server.listen(at, new URL(base).hostname, resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `${base}:${port}`,
    asked,
    get connections() {
      return connections
    },
    get paths() {
      return asked.map(({ path }) => path).filter((path) => path !== '/robots.txt')
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
