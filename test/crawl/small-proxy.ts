/** A tiny outgoing proxy: plain requests are forwarded, CONNECT opens a tunnel. It remembers what it was asked. */
import { createServer, request as ask } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface SmallProxy extends AsyncDisposable {
  readonly url: string
  readonly asked: string[]
}

/** `auth` is what Proxy-Authorization must say. */
export async function createSmallProxy(auth?: string): Promise<SmallProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (auth !== undefined && request.headers['proxy-authorization'] !== auth) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
      return
    }
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = ask(request.url ?? '', { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end()
  })
  server.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (auth !== undefined && request.headers['proxy-authorization'] !== auth) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const { hostname, port } = new URL(`http://${request.url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    sockets.add(onward)
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.51.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.51.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
