/**
 * Storm web: a process that serves endless small sites on loopback for a crawl to go through, and asks a search server the
 * same few questions, a fixed number a second, whoever else is busy. Started by `storm/beside.ts`, which asks for what it took.
 */
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setInterval as every } from 'node:timers/promises'

/** Sites by number, each on an address of its own. */
export const addressOf = (site: number): string => `127.0.62.${site + 1}`

export type WebOrder =
  | { readonly kind: 'serve'; readonly sites: number }
  | { readonly kind: 'ask'; readonly url: string; readonly perSecond: number }
  | { readonly kind: 'waits' }

export type WebReply =
  | { readonly kind: 'serving'; readonly ports: readonly number[] }
  | { readonly kind: 'waits'; readonly ms: readonly number[]; readonly failed: number; readonly found: number }

const WORDS = 2_000
const QUESTIONS = ['word7', 'word12 word900', 'word3 -word4', '"word1 word8"', 'word1500', 'word40 word41 word42']

/** Words from its number alone; the lower the number the more frequent a word. */
function pageOf(number: number): string {
  let state = (number * 2_654_435_761) >>> 0
  const words = Array.from({ length: 250 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `word${Math.floor(WORDS * (state / 2 ** 32) ** 3)}`
  })
  const links = [1, 2, 3].map((n) => `<a href="/${3 * number + n}">page ${3 * number + n}</a>`)
  return `<title>Page ${number}</title><p>${words.join(' ')}</p>${links.join(' ')}`
}

async function serve(sites: number): Promise<number[]> {
  const ports: number[] = []
  for (let site = 0; site < sites; site++) {
    const server = createServer(({ url = '/' }, response) => {
      const number = url === '/' ? 0 : Number(url.slice(1))
      const isPage = Number.isInteger(number)
      response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      response.end(isPage ? pageOf(number) : '')
    })
    await new Promise<void>((resolve) => server.listen(0, addressOf(site), resolve))
    ports.push((server.address() as AddressInfo).port)
  }
  return ports
}

let ms: number[] = []
let failed = 0
/** Pages that searches found, all together. */
let found = 0

async function ask(url: string, perSecond: number): Promise<void> {
  let asked = 0
  for await (const _ of every(1_000 / perSecond)) {
    const began = performance.now()
    const question = encodeURIComponent(QUESTIONS[asked++ % QUESTIONS.length]!)
    get(`${url}api/v1/search?q=${question}`, (answer) => {
      if (answer.statusCode !== 200) failed++
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => {
        ms.push(performance.now() - began)
        found += Number(/"matches":\s*(\d+)/.exec(text)?.[1] ?? 0)
      })
    }).on('error', () => failed++)
  }
}

if (import.meta.main) {
  process.on('message', (order: WebOrder) => {
    if (order.kind === 'serve')
      void serve(order.sites).then((ports) => process.send?.({ kind: 'serving', ports } satisfies WebReply))
    else if (order.kind === 'ask') void ask(order.url, order.perSecond)
    else {
      process.send?.({ kind: 'waits', ms, failed, found } satisfies WebReply)
      ms = []
      failed = 0
      found = 0
    }
  })
}
