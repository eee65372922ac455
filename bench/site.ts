/**
 * What does cooperation cost a site, and what does it save? Fastify's hello page with and without our plugin, and a page of
 * 24 KB sent whole, packed, and not at all (304).
 *
 *   node bench/site.ts [--seconds 2] [--rounds 5] [--connections 16]
 *
 * Each server is a process of its own; undici asks over loopback, so many requests at a time as there are connections. Rounds
 * are in turns, and every answer's status and length is checked: equal work. The client shares the machine with the server,
 * so servers are also compared by the processor time they took for a request.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { createSiteFront, fastifyPlugin, MemoryJournal } from '@comity/site'
import fastify from 'fastify'
import { Pool } from 'undici'
import { formatCount, formatRatio, median } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
  },
})

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
}

async function round(
  server: Server,
  { path, headers, status, name }: Contestant,
  seconds: number,
  connections: number,
): Promise<Round> {
  const first = await server.pool.request({ path, method: 'GET', headers })
  await first.body.dump()
  const asked = status === 304 ? { ...headers, 'if-none-match': String(first.headers['etag']) } : headers
  let [requests, bytes] = [0, -1]
  const [began, cpuBegan] = [performance.now(), await server.cpuMs()]
  const worker = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const answer = await server.pool.request({ path, method: 'GET', headers: asked })
      const { byteLength } = await answer.body.arrayBuffer()
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
  }
}

async function compare(): Promise<void> {
  const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number) as [
    number,
    number,
    number,
  ]
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
  const of = (place: number, pick: keyof Round): number => median(results[place]!.map((result) => result[pick]))
  for (const [place, { name }] of contestants.entries()) {
    const figures = `${formatCount(of(place, 'perSecond')).padStart(7)} requests/s  ${formatCount(of(place, 'cpuUs')).padStart(6)} µs of the server`
    console.log(`${name.padEnd(34)} ${figures}  ${formatCount(of(place, 'bytes')).padStart(7)} bytes`)
  }
  console.log()
  const lines: [what: string, ours: number, peer: number, name: string][] = [
    ['hello page, with the plugin', 1, 0, 'fastify alone'],
    ['24 KB, with the plugin', 3, 2, 'fastify alone'],
    ['24 KB, 304 instead of 200', 5, 2, 'fastify alone'],
    ['24 KB, brotli instead of identity', 4, 2, 'fastify alone'],
  ]
  for (const [what, ours, peer, name] of lines) {
    for (const [pick, unit, better] of [
      ['perSecond', 'requests/s', 'more'],
      ['cpuUs', 'µs', 'less'],
    ] as const)
      console.log(formatRatio({ what, ours: of(ours, pick), unit, peer: { name, value: of(peer, pick) }, better }))
  }
}

if (positionals[0] === 'serve') await serve(positionals[1] === 'ours')
else await compare()
