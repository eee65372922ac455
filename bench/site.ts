/**
 * What does cooperation cost a site, and what does it save? Fastify's hello page with and without our plugin, and a page of
 * 24 KB sent whole, packed, and not at all (304).
 *
 *   node bench/site.ts [--seconds 2] [--rounds 5] [--connections 16]
 *
 * Each server is a process of its own; undici asks over loopback, so many requests at a time as there are connections. Rounds
 * are in turns. Equal work: every answer has the status and the length of the first, and what a client holds in the end, unpacked
 * or kept from before where the answer is 304, is the same page by its digest. The client shares the machine with the server,
 * so servers are also compared by the processor time they took for a request.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { brotliDecompressSync } from 'node:zlib'
import { createSiteFront, fastifyPlugin, MemoryJournal } from '@comity/site'
import fastify from 'fastify'
import { Pool } from 'undici'
import { readArguments } from './arguments.ts'
import { printRatio } from './equal-work.ts'
import type { Side, Work } from './equal-work.ts'
import { formatCount, median } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { seconds: { value: 2, least: 0.1 }, rounds: 5, connections: 16 },
  2,
)

const HOST = '127.0.0.1'
const HELLO = '<!doctype html><title>Hello</title><p>Hello, world!'
const LONG = `<!doctype html><title>Long</title>${Array.from({ length: 880 }, (_, i) => `<p>Line ${(i * 7919) % 1_000} of a page.</p>`).join('\n')}`

/** In the child: a site that tells its port, and how much processor time it has taken when it is asked. */
async function serve(withPlugin: boolean): Promise<void> {
  const app = fastify()
  if (withPlugin) {
    const front = createSiteFront({
      journal: new MemoryJournal(),
      base: `http://${HOST}/`,
      isHostFixed: true,
      now: Date.now,
      robots: '',
    })
    await app.register(fastifyPlugin(front))
  }
  for (const [path, body] of [
    ['/hello', HELLO],
    ['/long', LONG],
  ] as const)
    app.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(body))
  await app.listen({ host: HOST, port: 0 })
  process.on('message', () => process.send?.({ cpuMs: cpuMs() }))
  process.send?.({ port: (app.server.address() as { port: number }).port })
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

interface Contestant {
  readonly name: string
  readonly server: 'plain' | 'ours'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

const bare = {}
const contestants: readonly Contestant[] = [
  { name: 'hello, Fastify alone', server: 'plain', path: '/hello', headers: bare, status: 200 },
  { name: 'hello, with the plugin', server: 'ours', path: '/hello', headers: bare, status: 200 },
  { name: '24 KB, Fastify alone', server: 'plain', path: '/long', headers: bare, status: 200 },
  { name: '24 KB, with the plugin', server: 'ours', path: '/long', headers: bare, status: 200 },
  {
    name: '24 KB, with the plugin, brotli',
    server: 'ours',
    path: '/long',
    headers: { 'accept-encoding': 'br' },
    status: 200,
  },
  { name: '24 KB, with the plugin, 304', server: 'ours', path: '/long', headers: bare, status: 304 },
]

class Server {
  readonly #child: ChildProcess
  readonly pool: Pool

  private constructor(child: ChildProcess, port: number, connections: number) {
    this.#child = child
    this.pool = new Pool(`http://${HOST}:${port}`, { connections, pipelining: 1 })
  }

  static async start(kind: Contestant['server'], connections: number): Promise<Server> {
    const child = fork(import.meta.filename, ['serve', kind])
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new Server(child, port, connections)
  }

  async cpuMs(): Promise<number> {
    this.#child.send('cpu')
    const [{ cpuMs: taken }] = (await once(this.#child, 'message')) as [{ cpuMs: number }]
    return taken
  }

  async stop(): Promise<void> {
    await this.pool.close()
    this.#child.kill()
  }
}

interface Round {
  readonly perSecond: number
  readonly cpuUs: number
  readonly bytes: number
  readonly work: Work
}

/** Of the page that a client has, packed or not. */
function pageDigest(coding: unknown, body: ArrayBuffer): string {
  const bytes = Buffer.from(body)
  return hash('sha256', coding === 'br' ? brotliDecompressSync(bytes) : bytes)
}

async function round(
  server: Server,
  { path, headers, status, name }: Contestant,
  seconds: number,
  connections: number,
): Promise<Round> {
  const first = await server.pool.request({ path, method: 'GET', headers })
  let held = pageDigest(first.headers['content-encoding'], await first.body.arrayBuffer())
  const asked = status === 304 ? { ...headers, 'if-none-match': String(first.headers['etag']) } : headers
  let [requests, bytes] = [0, -1]
  const [began, cpuBegan] = [performance.now(), await server.cpuMs()]
  const worker = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const answer = await server.pool.request({ path, method: 'GET', headers: asked })
      const body = await answer.body.arrayBuffer()
      const { byteLength } = body
      // A client that is told 304 shows what it has.
      if (requests === 0 && status !== 304) held = pageDigest(answer.headers['content-encoding'], body)
      if (answer.statusCode !== status || (bytes >= 0 && byteLength !== bytes))
        throw new Error(
          `${name}: ${answer.statusCode} with ${byteLength} bytes, where ${status} with ${bytes} was before`,
        )
      bytes = byteLength
      requests++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const tookMs = performance.now() - began
  return {
    perSecond: requests / (tookMs / 1_000),
    cpuUs: (((await server.cpuMs()) - cpuBegan) * 1_000) / requests,
    bytes,
    work: { page: held, requests: Number(requests > 0) },
  }
}

async function compare(): Promise<void> {
  const { seconds, rounds, connections } = flags
  const servers = { plain: await Server.start('plain', connections), ours: await Server.start('ours', connections) }
  const results = contestants.map((): Round[] => [])
  for (let turn = 0; turn <= rounds; turn++) {
    for (const [place, contestant] of contestants.entries()) {
      const result = await round(servers[contestant.server], contestant, seconds, connections)
      // The first round warms up.
      if (turn > 0) results[place]!.push(result)
    }
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  const of = (place: number, pick: Exclude<keyof Round, 'work'>): number =>
    median(results[place]!.map((result) => result[pick]))
  for (const [place, { name }] of contestants.entries()) {
    const figures = `${formatCount(of(place, 'perSecond')).padStart(7)} requests/s  ${formatCount(of(place, 'cpuUs')).padStart(6)} µs of the server`
    console.log(`${name.padEnd(34)} ${figures}  ${formatCount(of(place, 'bytes')).padStart(7)} bytes`)
  }
  console.log()
  const side = (name: string, place: number): Side => ({
    name,
    value: of(place, 'perSecond'),
    // For one request.
    cpuSeconds: of(place, 'cpuUs') / 1e6,
    work: results[place]!.map(({ work }) => work),
  })
  const lines: [what: string, ours: number, peer: number][] = [
    ['hello page, with the plugin', 1, 0],
    ['24 KB, with the plugin', 3, 2],
    ['24 KB, 304 instead of 200', 5, 2],
    ['24 KB, brotli instead of identity', 4, 2],
  ]
  const alone = `fastify@${fastifyVersion()} alone`
  for (const [what, ours, peer] of lines)
    printRatio({ what, unit: 'requests/s', better: 'more', ours: side('ours', ours), peer: side(alone, peer) })
}

function fastifyVersion(): string {
  return fastify().version
}

if (positionals[0] === 'serve') await serve(positionals[1] === 'ours')
else await compare()
