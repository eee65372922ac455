// Runs alone: machines are lost by the clock.
/** A machine that hears of nobody any more, while a site still answers it: what it holds ends by itself, and so does the connection. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { portOf } from '@comity/testbed'
import { joinCluster } from '../../packages/cluster/src/machine/machine.ts'
import { MemoryRoadNet } from '../../packages/cluster/src/road/memory-road.ts'
import { NoAnswer } from '../../packages/cluster/src/road/road.ts'
import type { Road } from '../../packages/cluster/src/road/road.ts'
import { readSettings, writeSettings } from '../../packages/cluster/src/settings.ts'
import { runOnCluster } from '../../packages/cluster/src/whole/crawl-call.ts'
import { comesTrue, quick } from '../crawl/quick-crawl.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-cut-off-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** A road that can be closed: questions are lost, and the register never says anything. */
function closable(road: Road): { readonly road: Road; close(): void; open(): void } {
  let isClosed = false
  const unless = <Value>(act: () => Promise<Value>): Promise<Value> => (isClosed ? new Promise(() => undefined) : act())
  const { register } = road
  return {
    close: () => void (isClosed = true),
    open: () => void (isClosed = false),
    road: {
      ...road,
      ask: (to, message, ms) => (isClosed ? Promise.reject(new NoAnswer(to)) : road.ask(to, message, ms)),
      register: {
        read: (key) => unless(() => register.read(key)),
        create: (key, value) => unless(() => register.create(key, value)),
        replace: (key, value, revision) => unless(() => register.replace(key, value, revision)),
      },
    },
  }
}

test(
  'a machine that is cut off destroys its connections before another may have their addresses',
  { timeout: 120_000 },
  async () => {
    const net = new MemoryRoadNet()
    const here = net.road('here')
    const shared = { name: 'web', shards: 1, vault: join(scratch, 'vault'), leaseMs: 3_000, takeOverAfterMs: 600_000 }
    await writeSettings(here.register, shared)
    const settings = await readSettings(here.register, 'web')
    let [isAsked, isClosed] = [false, false]
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') {
        response.writeHead(404).end()
        return
      }
      isAsked = true
      response.once('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': 'text/html' })
      const drip = setInterval(() => void response.write('<!-- -->'), 100)
      response.once('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const leaving = new AbortController()
    const machine = closable(net.road('m'))
    const joined = joinCluster({
      road: machine.road,
      settings,
      into: join(scratch, 'm'),
      signal: leaving.signal,
      say: () => undefined,
    })
    const options = { ...quick, seeds: [`http://127.0.0.1:${portOf(server)}/`] }
    const waiting = new AbortController()
    const whole = runOnCluster({ road: here, settings, options, signal: waiting.signal })
    try {
      assert.ok(await comesTrue(() => isAsked, 40_000), 'the page is asked for')
      machine.close()
      assert.ok(await comesTrue(() => isClosed, 20_000), 'its connection is destroyed')
    } finally {
      waiting.abort()
      server.closeAllConnections()
      server.close()
      machine.open()
      leaving.abort()
      await whole
      await joined
    }
  },
)
