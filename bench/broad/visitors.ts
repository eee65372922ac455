/**
 * Visitors that read nothing: so many connections at once, each for one page of the next site, until all that was asked for
 * has come. How quick the sites are by themselves. In a process of its own; ends by itself.
 */
import { connect } from 'node:net'
import type { BroadWeb } from './sites.ts'
import { addressOf } from './sites.ts'

export interface VisitOrder {
  readonly web: BroadWeb
  readonly requests: number
  readonly atOnce: number
}

export interface VisitReply {
  readonly answered: number
  readonly failed: number
  readonly seconds: number
}

async function visitAll({ web, requests, atOnce }: VisitOrder): Promise<VisitReply> {
  let [next, answered, failed] = [0, 0, 0]
  const began = performance.now()
  const visitor = async (): Promise<void> => {
    while (next < requests) {
      const turn = next++
      if (await isAnswered(web, turn % web.sites, turn % web.pages)) answered++
      else failed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, visitor))
  return { answered, failed, seconds: (performance.now() - began) / 1e3 }
}

function isAnswered({ port }: BroadWeb, site: number, page: number): Promise<boolean> {
  return new Promise((resolve) => {
    let received = 0
    const host = addressOf(site)
    const socket = connect({ port, host })
    socket.write(
      `GET ${page === 0 ? '/' : `/page-${page}.html`} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    socket.on('data', (bytes) => (received += bytes.length))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received > 1_000))
  })
}

if (import.meta.main) {
  process.once('message', (order: VisitOrder) => {
    void visitAll(order).then((reply) => process.send?.(reply, () => process.disconnect()))
  })
}
