/**
 * Storm senders: a process that posts notices in the names of many sites, by all three endpoints, at a bounded rate and for a bounded
 * time. Started by `storm.ts`, which tells it by message what to do; it tells what came of each notice.
 *
 * Every notice names one page that no other names, so that each can be found again.
 */
import { appendFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  contentDigest,
  hubLinks,
  hubSignature,
  PUSH_TAG,
  signingKeyOf,
  signMessage,
  writeChangeNotification,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { indexNowKeyOf, originOf, ringOf, topicOf } from './sites.ts'

export interface StormOrder {
  readonly url: string
  readonly sites: number
  readonly perSecond: number
  readonly seconds: number
  /** Of all requests, those of site 0. */
  readonly loudShare: number
  /** Requests under way at most. */
  readonly atOnce: number
  /** By site: token and secret of its subscription. */
  readonly subscriptions: readonly (readonly [token: string, secret: string])[]
  /** Where to write the URLs of what was accepted, one a line. */
  readonly acceptedFile: string
}

export const DOORS = ['push', 'websub', 'indexnow'] as const

export interface StormTally {
  readonly sent: number
  readonly accepted: number
  readonly failed: number
  /** By status and kind of refusal. */
  readonly refused: Readonly<Record<string, number>>
  readonly byDoor: Readonly<Record<string, number>>
  /** Milliseconds until an answer, sorted: of what was accepted, and of what was refused. */
  readonly acceptedMs: readonly number[]
  readonly refusedMs: readonly number[]
  readonly loud: { readonly sent: number; readonly accepted: number }
  readonly others: { readonly sent: number; readonly accepted: number }
  /** Sites besides the loud one that sent something, and those of which nothing was accepted. */
  readonly heardSites: number
  readonly unheardSites: number
}

interface Answer {
  readonly status: number
  readonly kind: string
  readonly ms: number
}

/** What came of the notices so far. */
class StormCount {
  readonly #refused: Record<string, number> = {}
  readonly #byDoor: Record<string, number> = {}
  readonly #acceptedMs: number[] = []
  readonly #refusedMs: number[] = []
  readonly #loud = { sent: 0, accepted: 0 }
  readonly #others = { sent: 0, accepted: 0 }
  readonly #sent = new Set<number>()
  readonly #heard = new Set<number>()
  readonly #file: string
  #lines: string[] = []
  #failed = 0

  constructor(file: string) {
    this.#file = file
  }

  sent(site: number): void {
    this.#of(site).sent++
    this.#sent.add(site)
  }

  answered(site: number, door: string, page: string, { status, kind, ms }: Answer): void {
    if (status >= 300) {
      const name = `${status} ${kind}`
      this.#refused[name] = (this.#refused[name] ?? 0) + 1
      this.#refusedMs.push(ms)
      return
    }
    this.#of(site).accepted++
    this.#heard.add(site)
    this.#byDoor[door] = (this.#byDoor[door] ?? 0) + 1
    this.#acceptedMs.push(ms)
    this.#lines.push(page)
    if (this.#lines.length >= 1_000) this.#write()
  }

  failed(): void {
    this.#failed++
  }

  end(): StormTally {
    this.#write()
    const [loud, others] = [this.#loud, this.#others]
    this.#sent.delete(LOUD)
    this.#heard.delete(LOUD)
    return {
      sent: loud.sent + others.sent,
      accepted: loud.accepted + others.accepted,
      failed: this.#failed,
      refused: this.#refused,
      byDoor: this.#byDoor,
      acceptedMs: this.#acceptedMs.toSorted((a, b) => a - b),
      refusedMs: this.#refusedMs.toSorted((a, b) => a - b),
      loud,
      others,
      heardSites: this.#heard.size,
      unheardSites: this.#sent.size - this.#heard.size,
    }
  }

  #of(site: number): { sent: number; accepted: number } {
    return site === LOUD ? this.#loud : this.#others
  }

  #write(): void {
    appendFileSync(this.#file, this.#lines.map((line) => `${line}\n`).join(''))
    this.#lines = []
  }
}

const LOUD = 0

async function storm(order: StormOrder): Promise<StormTally> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4, maxTotalSockets: order.atOnce })
  const tally = new StormCount(order.acceptedFile)
  let [count, quiet, underWay] = [0, 0, 0]
  const one = async (n: number): Promise<void> => {
    const isLoud = n % 1_000 < order.loudShare * 1_000
    const site = isLoud ? LOUD : 1 + (quiet % (order.sites - 1))
    const door = DOORS[(isLoud ? n : quiet++) % DOORS.length]!
    const page = `${originOf(site)}/n/${n}`
    tally.sent(site)
    try {
      tally.answered(site, door, page, await send(order, agent, door, site, page, n))
    } catch {
      // No answer: counted, and nobody knows whether it was taken.
      tally.failed()
    }
    underWay--
  }
  const begunAt = performance.now()
  const running = new Set<Promise<void>>()
  while (performance.now() - begunAt < order.seconds * 1_000) {
    const due = ((performance.now() - begunAt) / 1_000) * order.perSecond
    while (count < due && underWay < order.atOnce) {
      underWay++
      const sending = one(count++)
      running.add(sending)
      void sending.then(() => running.delete(sending))
    }
    await sleep(1)
  }
  await Promise.all(running)
  agent.destroy()
  return tally.end()
}

function send(
  order: StormOrder,
  agent: Agent,
  door: (typeof DOORS)[number],
  site: number,
  page: string,
  n: number,
): Promise<Answer> {
  if (door === 'indexnow') {
    const body = JSON.stringify({ host: new URL(page).host, key: indexNowKeyOf(site), urlList: [page] })
    return post(agent, site, `${order.url}/indexnow`, [['Content-Type', 'application/json; charset=utf-8']], body)
  }
  const body = writeChangeNotification({ changes: [{ url: page, change: 'updated', changedAt: Date.now() }] })
  if (door === 'websub') {
    const [token, secret] = order.subscriptions[site]!
    const fields: HeaderList = [
      ['Content-Type', 'application/xml'],
      ['Link', hubLinks([`${originOf(site)}/hub`], topicOf(site))],
      ['X-Hub-Signature', hubSignature(secret, Buffer.from(body))],
    ]
    return post(agent, site, `${order.url}/websub/${token}`, fields, body)
  }
  const url = `${order.url}/push`
  const headers: HeaderList = [
    ['Content-Type', 'application/xml'],
    ['Content-Digest', contentDigest(Buffer.from(body))],
    ['Signature-Agent', `sig1="${originOf(site)}"`],
  ]
  const now = Date.now()
  const covered = ['@method', '@target-uri', 'content-digest', 'content-type', 'signature-agent']
  const options = {
    key: signingKeyOf(keysOf(site), now),
    at: now,
    lifeMs: 300_000,
    covered,
    tag: PUSH_TAG,
    nonce: String(n),
  }
  return post(agent, site, url, [...headers, ...signMessage({ method: 'POST', url, headers }, options)], body)
}

/** Several sites share an address, as they do on the Web. */
const addressOf = (site: number): string => `127.0.1.${1 + (site % 100)}`

const rings = new Map<number, ReturnType<typeof ringOf>>()

function keysOf(site: number): ReturnType<typeof ringOf> {
  const known = rings.get(site) ?? ringOf(site, Date.now())
  rings.set(site, known)
  return known
}

function post(agent: Agent, site: number, url: string, headers: HeaderList, body: string): Promise<Answer> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, host } = new URL(url)
    const fields = ['Host', host, ...headers.flat(), 'Content-Length', String(Buffer.byteLength(body))]
    const localAddress = addressOf(site)
    const call = request(
      { hostname, port, path: pathname, method: 'POST', headers: fields, agent, localAddress },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          const kind = /"urn:comity:problem:([a-z-]+)"/.exec(text)?.[1] ?? ''
          resolve({ status: response.statusCode ?? 0, kind, ms: performance.now() - startedAt })
        })
        response.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

if (import.meta.main) {
  process.once('message', (order: StormOrder) => {
    void storm(order).then((tally) => process.send!(tally, () => process.disconnect()))
  })
}
