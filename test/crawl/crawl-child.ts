/**
 * One crawl in a process of its own, so that a test can kill it at any moment and weigh its memory alone.
 *
 *   node test/crawl/crawl-child.ts '{"into":["DIR"],"options":{…},"asksForNames":true}'
 *
 * It crawls into each directory in turn and tells its parent over IPC: {kind:'ready'}, then {kind:'done', …}. Names are
 * looked up by the parent when it says so: {kind:'lookup', id, host} is answered by {id, addresses} or {id, error}.
 */
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { crawl, realWorld } from '@comity/crawler'
import type { CrawlOptions, CrawlSummary, Lookup } from '@comity/crawler'
import type { ChildMessage, LookupAnswer } from './child-crawl.ts'

interface Call {
  readonly into: readonly string[]
  readonly options: Partial<CrawlOptions>
  readonly asksForNames: boolean
}

const call: Call = JSON.parse(process.argv[2] ?? '{}')
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => void process.send?.(message, undefined, undefined, () => resolve()))

const waiting = new Map<number, (answer: LookupAnswer) => void>()
let asked = 0
const settle = (answer: LookupAnswer): void => {
  waiting.get(answer.id)?.(answer)
  waiting.delete(answer.id)
}
process.on('message', settle)
const askParent: Lookup = async (host) => {
  const answer = await new Promise<LookupAnswer>((resolve) => {
    const id = ++asked
    waiting.set(id, resolve)
    void tell({ kind: 'lookup', id, host })
    // As a resolver of the system does, long after the crawl has lost its patience.
    setTimeout(() => settle({ id, error: 'no answer' }), 3_000).unref()
  })
  if (answer.addresses === undefined) throw new Error(answer.error)
  return { addresses: answer.addresses, ttlMs: 0 }
}

/** Every address that this process as much as tries to connect to, whoever in it does. */
const attempts = new Set<string>()
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket }
  socket.on('connectionAttempt', (ip: string) => attempts.add(ip))
})

/** Memory of our own; the pages of a mapped file are the kernel's to take back. */
function anonymousBytes(): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? []
    return Number(kilobytes) * 1_024
  } catch {
    return process.memoryUsage.rss()
  }
}
/** What is still referred to when nothing runs. The flag is set late: compiled code is cached apart for other flags. */
async function heldBytes(): Promise<number> {
  await sleep(50)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
let most = 0
const scale = setInterval(() => (most = Math.max(most, anonymousBytes())), 10)
const memory: number[] = []
const kept: number[] = []
const summaries: CrawlSummary[] = []
const world = call.asksForNames ? { ...realWorld, lookup: askParent } : realWorld
await tell({ kind: 'ready' })
for (const into of call.into) {
  most = 0
  summaries.push(await crawl({ into, options: call.options, world }))
  memory.push(most)
  kept.push(await heldBytes())
}
clearInterval(scale)
await tell({ kind: 'done', summaries, memory, kept, attempts: [...attempts] })
process.disconnect?.()
