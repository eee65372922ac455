/**
 * The sites in a process of their own, and what they saw. One timer for each answer under way, a page made of pieces that
 * are there already, and no HTTP library: whoever measures crawlers must not measure this. Told what to do by messages; ends with its parent.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createLogRecorder } from '@comity/testbed'
import type { LogRecorder } from '@comity/testbed'
import { addressOf, answersAfterMs, pageAt, pageOf } from './sites.ts'
import type { BroadWeb } from './sites.ts'
import { seenIn } from './impolite.ts'
import type { Seen } from './impolite.ts'

export type ServerOrder =
  | { readonly kind: 'serve'; readonly sites: number; readonly pages: number }
  /** Answer at once, to see how quick this process itself is. */
  | { readonly kind: 'hurry'; readonly isHurried: boolean }
  /** What was seen since the last time. */
  | { readonly kind: 'tell'; readonly delayMs: number }

export type ServerReply =
  | { readonly kind: 'serving'; readonly port: number }
  | { readonly kind: 'hurried' }
  | { readonly kind: 'seen'; readonly seen: Seen }

const ROBOTS = 'User-agent: *\nDisallow: /private/\n'
const MAX_REQUEST_BYTES = 16_384

let isHurried = false
let log: LogRecorder = createLogRecorder()
let web: BroadWeb = { sites: 0, pages: 0, port: 0 }

async function serve(sites: number, pages: number): Promise<number> {
  web = { sites, pages, port: 0 }
  for (let site = 0; site < sites; site++) {
    const server = createServer((socket) => attend(socket, site))
    await listen(server, addressOf(site), web.port)
    if (site === 0) web = { ...web, port: (server.address() as AddressInfo).port }
  }
  newLog()
  return web.port
}

async function listen(server: Server, address: string, port: number): Promise<void> {
  server.listen(port, address)
  await once(server, 'listening')
}

function newLog(): void {
  // Three events for a request on a connection of its own; robots.txt and refusals are requests, too.
  log = createLogRecorder({ maxEvents: 200_000 + 8 * web.sites * (web.pages + 2) })
}

interface Opened {
  readonly connectionId: number
  readonly address: string
  readonly port: number
  readonly site: number
  readonly openedAt: number
}

function attend(socket: Socket, site: number): void {
  const opened = {
    connectionId: log.nextConnectionId(),
    address: addressOf(site),
    port: web.port,
    site,
    openedAt: Date.now(),
  }
  const { connectionId, address, port, openedAt } = opened
  log.record({ event: 'opened', connectionId, address, port, at: openedAt })
  let text = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    text += piece
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      answer(socket, text.slice(0, end), opened)
      text = text.slice(end + 4)
    }
    if (text.length > MAX_REQUEST_BYTES) socket.destroy()
  })
  socket.on('error', () => undefined)
  socket.on('end', () => socket.end())
  socket.on('close', () => log.record({ event: 'closed', connectionId, at: Date.now() }))
}

function answer(socket: Socket, head: string, { site, openedAt, ...connection }: Opened): void {
  const startedAt = Date.now()
  const [method = '', path = ''] = head.slice(0, head.indexOf('\r\n')).split(' ')
  const isClosing = /\r\nconnection: *close/i.test(head)
  const page = pageAt(path, web.pages)
  const send = (): void => {
    if (socket.destroyed) return
    const { status, bytes } = answerTo(site, page, path, isClosing)
    socket.write(bytes, 'latin1')
    if (isClosing) socket.end()
    const at = { startedAt, endedAt: Date.now(), connectionOpenedAt: openedAt }
    log.record({
      event: 'request',
      ...connection,
      ...at,
      site: connection.address,
      method,
      path,
      userAgent: '',
      status,
    })
  }
  if (isHurried) send()
  else setTimeout(send, answersAfterMs(site, Math.max(page, 0)))
}

function answerTo(site: number, page: number, path: string, isClosing: boolean): { status: number; bytes: string } {
  const isRobots = path === '/robots.txt'
  const status = isRobots || page !== -1 ? 200 : 404
  const body = isRobots ? ROBOTS : page === -1 ? 'no such page' : pageOf(web, site, page)
  const type = isRobots ? 'text/plain' : 'text/html; charset=utf-8'
  const head =
    `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Not Found'}\r\nServer: broad\r\nDate: ${new Date().toUTCString()}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: ${isClosing ? 'close' : 'keep-alive'}\r\n\r\n`
  return { status, bytes: head + body }
}

if (import.meta.main) {
  const reply = (message: ServerReply): void => void process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (order: ServerOrder) => {
    if (order.kind === 'serve') void serve(order.sites, order.pages).then((port) => reply({ kind: 'serving', port }))
    else if (order.kind === 'hurry') {
      isHurried = order.isHurried
      reply({ kind: 'hurried' })
    } else {
      reply({ kind: 'seen', seen: seenIn(log.read(), order.delayMs) })
      newLog()
    }
  })
}
