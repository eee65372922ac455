import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { addressAfter, createLivingWeb } from './web.ts'
import type { LivingWeb } from './web.ts'
import { overlaps } from '../politeness-audit.ts'
import type { RequestLog } from '../request-log.ts'

interface Fetched {
  readonly status: number
  readonly body: string
  readonly address: string
}

/** A plain client. The name is turned into an address by the web itself, so shared servers work without any DNS. */
function fetchFrom(web: LivingWeb, url: string, agent = new Agent()): Promise<Fetched> {
  const { hostname, port, pathname, host } = new URL(url)
  const address = web.addressOf(hostname) ?? hostname
  return new Promise((resolve, reject) => {
    const request = get({ host: address, port, path: pathname, headers: { Host: host }, agent }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (body += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, address }))
    })
    request.on('error', reject)
  })
}

/** The server hears of a closed connection a moment after we do. */
async function settled(web: LivingWeb): Promise<RequestLog> {
  await untilSo(() => web.log.read().connections.every(({ closedAt }) => closedAt < Infinity))
  return web.log.read()
}

test('sites have addresses of their own and one port, and serve their home pages', async () => {
  await using web = await createLivingWeb({ seed: 1, sites: 3, largestSite: 10 })
  const hosts = web.sites.map(({ origin }) => new URL(origin))
  assert.equal(new Set(hosts.map(({ port }) => port)).size, 1)
  assert.deepEqual(
    hosts.map(({ hostname }) => hostname),
    ['127.0.1.1', '127.0.1.2', '127.0.1.3'],
  )
  for (const { origin, spec } of web.sites) {
    const { status, body } = await fetchFrom(web, `${origin}/`)
    assert.equal(status, 200)
    assert.match(body, new RegExp(`<title>${spec.title}</title>`))
  }
  const { requests, connections } = await settled(web)
  assert.deepEqual(
    requests.map(({ site }) => site),
    web.sites.map(({ spec }) => spec.name),
  )
  assert.equal(connections.length, 3)
})

test('sites may share one address under different ports', async () => {
  await using web = await createLivingWeb({ seed: 1, sites: 3, largestSite: 6, addressing: 'shared-address' })
  const hosts = web.sites.map(({ origin }) => new URL(origin))
  assert.equal(new Set(hosts.map(({ port }) => port)).size, 3)
  assert.equal(new Set(hosts.map(({ hostname }) => hostname)).size, 1)
  for (const { origin } of web.sites) assert.equal((await fetchFrom(web, `${origin}/`)).status, 200)
})

test('sites may share one address and port under different names, and one connection may serve two of them', async () => {
  await using web = await createLivingWeb({ seed: 1, sites: 2, largestSite: 6, addressing: 'shared-server' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const { origin, spec } of web.sites) {
    const { body } = await fetchFrom(web, `${origin}/`, agent)
    assert.match(body, new RegExp(`<title>${spec.title}`))
  }
  const stranger = `http://stranger.test:${new URL(web.home).port}/`
  assert.equal((await fetchFrom({ ...web, addressOf: () => '127.0.1.1' }, stranger, agent)).status, 421)
  agent.destroy()
  const { connections } = await settled(web)
  assert.equal(connections.length, 1)
  assert.deepEqual(
    connections[0]?.sites.slice(0, 2),
    web.sites.map(({ spec }) => spec.name),
  )
})

test('the log knows connections that never ask and connections open at once', async () => {
  await using web = await createLivingWeb({ seed: 1, sites: 1, largestSite: 6 })
  const { hostname, port } = new URL(web.home)
  const silent = connect(Number(port), hostname)
  await new Promise((resolve) => silent.once('connect', resolve))
  await fetchFrom(web, web.home)
  silent.destroy()
  const log = await settled(web)
  assert.equal(log.connections.length, 2)
  assert.equal(overlaps(log, 'address').length, 1)
})

test('a Retry-After that was sent is in the log as an instant', async () => {
  const now = Date.UTC(2026, 0, 1)
  await using web = await createLivingWeb({ seed: 1, sites: 1, clock: () => now, troubleMs: 5_000 })
  assert.equal((await fetchFrom(web, `${web.home}shaky/repairs`)).status, 503)
  const [request] = (await settled(web)).requests
  assert.equal(request?.retryAt, now + 5_000)
})

test('time is the given clock: the version moves with it and with nothing else', async () => {
  let now = 0
  await using web = await createLivingWeb({ seed: 1, sites: [{ changeEveryMs: 1_000 }], clock: () => now })
  const first = await fetchFrom(web, web.home)
  assert.deepEqual(await fetchFrom(web, web.home), first)
  now = 10_000
  assert.ok((web.version(web.home, now) ?? 0) >= 9)
  assert.notEqual((await fetchFrom(web, web.home)).body, first.body)
})

test('a slow site takes its latency and its bandwidth', async () => {
  await using web = await createLivingWeb({
    seed: 1,
    sites: [{ latencyMs: 60, bytesPerSecond: 50_000, odd: false, gzip: false }],
  })
  const before = performance.now()
  const { body } = await fetchFrom(web, web.home)
  assert.ok(performance.now() - before >= 55 + (body.length / 50_000) * 900)
})

test('two sites of one name are refused', async () => {
  await assert.rejects(createLivingWeb({ seed: 1, sites: [{ name: 'a' }, { name: 'a' }] }), /names must differ/)
})

test('disposing ends open connections and frees the port', async () => {
  const web = await createLivingWeb({ seed: 1, sites: 1, largestSite: 6 })
  const { hostname, port } = new URL(web.home)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await web[Symbol.asyncDispose]()
  await closed
  await assert.rejects(fetchFrom(web, web.home), /ECONNREFUSED/)
})

const addresses: [first: string, steps: number, expected: string][] = [
  ['127.0.1.1', 0, '127.0.1.1'],
  ['127.0.1.1', 253, '127.0.1.254'],
  ['127.0.1.1', 254, '127.0.2.1'],
  ['127.0.1.250', 10, '127.0.2.6'],
]
for (const [first, steps, expected] of addresses) {
  test(`${steps} after ${first} is ${expected}`, () => assert.equal(addressAfter(first, steps), expected))
}
