/**
 * What does a reverse proxy of ours cost? The gateway's and the site's beside nginx as a plain proxy, before the same origin,
 * under the same load; and the origin alone, so that what each adds can be said.
 *
 *   node bench/gateway-proxy.ts [--origin http://127.0.0.11:8080] [--pages 40] [--requests 20000] [--connections 32] [--rounds 5]
 *
 * Each proxy is one process that works on one core: nginx with one worker, no log, and connections to the origin that are
 * kept. The gateway's is run twice: passing only, and with a copy of every page handed on; the site's learns every page and
 * answers it with validators. Rounds are in turns; before them the bytes
 * of every page are compared, and in them the length of every answer. The client and the origin share the machine with the
 * proxy, so that processor time per request is printed too: it does not depend on who else runs.
 */
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ProxySource } from '@comity/gateway'
import { createSiteProxy, MemoryJournal } from '@comity/site'
import { digests, load } from './gateway-proxy-load.ts'
import { formatCount, formatRatio, median } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    origin: { type: 'string', default: 'http://127.0.0.11:8080' },
    pages: { type: 'string', default: '40' },
    requests: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '5' },
  },
})

interface Contestant extends AsyncDisposable {
  readonly name: string
  readonly host: string
  readonly port: number
  /** Of its process; none for the origin, which all of them use. */
  readonly pid: number | undefined
}

/** In the child: our proxy, which tells its port. */
async function serve(copies: boolean): Promise<void> {
  let bytes = 0
  const proxy = new ProxySource(
    { origin: values.origin },
    { sink: { passing: ({ body }) => void (bytes += body.length) }, wants: () => copies },
  )
  const { port } = await proxy.listen()
  process.on('SIGTERM', () => {
    void proxy.stop(0).then(() => process.exit(bytes > 0 === copies ? 0 : 1))
  })
  process.send?.({ port })
}

/** In the child: the site's proxy. */
async function serveSite(): Promise<void> {
  const site = createSiteProxy({
    origin: values.origin,
    base: values.origin,
    journal: new MemoryJournal({ id: 'bench' }),
    now: Date.now,
  })
  await site.ready()
  const { port } = await site.listen()
  process.on('SIGTERM', () => {
    void site.stop(0).then(() => process.exit(0))
  })
  process.send?.({ port })
}

async function comity(name: string, kind: 'copy' | 'pass' | 'site'): Promise<Contestant> {
  const child = fork(import.meta.filename, ['serve', kind, '--origin', values.origin])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    name,
    host: '127.0.0.1',
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill()
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`${name}: it did not hand on what it should`)
    },
  }
}

async function nginx(): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-proxy-'))
  const port = await freePort()
  const { host } = new URL(values.origin)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream origin { server ${host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header Via "1.1 nginx";
    }
  }
}
`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')])
  const failed = once(child, 'error').then(([error]) =>
    Promise.reject(new Error('nginx is needed: apt-get install nginx-light', { cause: error })),
  )
  await Promise.race([listening(port), failed])
  return {
    name: nginxVersion(),
    host: '127.0.0.1',
    port,
    pid: workerOf(child.pid!),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

/** It says it on stderr: `nginx version: nginx/1.22.1`. */
function nginxVersion(): string {
  return spawnSync('nginx', ['-v']).stderr.toString().trim().split(' ').at(-1)!.replace('/', '@')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`nothing listens at ${port}`)
}

/** The process below it that does the work. */
function workerOf(pid: number): number {
  const worker = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1]) === pid
    } catch {
      // It ended meanwhile.
      return false
    }
  })
  return worker === undefined ? pid : Number(worker)
}

/** Processor time of a process, in ticks of 10 ms. */
function cpuMs(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
}

async function round(
  { host, port, pid }: Contestant,
  paths: readonly string[],
  connections: number,
  requests: number,
): Promise<Round> {
  const before = cpuMs(pid)
  const { seconds, ms } = await load({ host, port, paths, connections, requests })
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))]!
  return {
    perSecond: ms.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuUs: ((cpuMs(pid) - before) * 1_000) / ms.length,
  }
}

/** Pages of the site that its first page leads to. */
async function pagesOf(origin: string, most: number): Promise<string[]> {
  const html = await (await fetch(origin)).text()
  const links = [...html.matchAll(/href="([^"#?]+)/g)].map(([, href]) => new URL(href!, `${origin}/`))
  const paths = new Set([
    '/',
    ...links.filter((url) => url.origin === new URL(origin).origin).map((url) => url.pathname),
  ])
  const good: string[] = []
  for (const path of paths) {
    const answer = await fetch(origin + path)
    const body = await answer.arrayBuffer()
    if (answer.status === 200 && Number(answer.headers.get('content-length')) === body.byteLength) good.push(path)
    if (good.length >= most) break
  }
  return good
}

async function compare(): Promise<void> {
  const [pages, requests, connections, rounds] = [values.pages, values.requests, values.connections, values.rounds].map(
    Number,
  ) as [number, number, number, number]
  const paths = await pagesOf(values.origin, pages)
  const { hostname, port } = new URL(values.origin)
  await using stack = new AsyncDisposableStack()
  const origin = {
    name: 'the origin alone',
    host: hostname,
    port: Number(port) || 80,
    pid: undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const contestants: Contestant[] = [
    origin,
    stack.use(await nginx()),
    stack.use(await comity('ours, passing only', 'pass')),
    stack.use(await comity('ours, with copies', 'copy')),
    stack.use(await comity("ours, the site's", 'site')),
  ]
  const wanted = await digests(origin.host, origin.port, paths)
  for (const one of contestants)
    if ((await digests(one.host, one.port, paths)) !== wanted)
      throw new Error(`${one.name} gives other bytes than the origin`)
  console.log(`${paths.length} pages of ${values.origin}: the same bytes from all of them\n`)
  for (const width of new Set([1, connections])) {
    const results = contestants.map((): Round[] => [])
    for (let turn = 0; turn <= rounds; turn++) {
      for (const [place, contestant] of contestants.entries()) {
        const result = await round(contestant, paths, width, width === 1 ? Math.ceil(requests / 4) : requests)
        // The first round warms up.
        if (turn > 0) results[place]!.push(result)
      }
    }
    print(contestants, results, width)
  }
}

function print(contestants: readonly Contestant[], results: readonly (readonly Round[])[], width: number): void {
  const of = (place: number, pick: keyof Round): number => median(results[place]!.map((result) => result[pick]))
  console.log(`${width} connection${width === 1 ? '' : 's'}, one request at a time on each`)
  for (const [place, { name }] of contestants.entries()) {
    const times = `p50 ${formatCount(of(place, 'p50') * 1_000).padStart(6)} µs  p99 ${formatCount(of(place, 'p99') * 1_000).padStart(6)} µs`
    const cpu = place === 0 ? '' : `  ${formatCount(of(place, 'cpuUs')).padStart(5)} µs of the proxy's processor`
    console.log(`${name.padEnd(22)} ${formatCount(of(place, 'perSecond')).padStart(7)} requests/s  ${times}${cpu}`)
  }
  const peer = contestants[1]!.name
  for (const place of [2, 3, 4]) {
    const what = contestants[place]!.name
    const added = (at: number, pick: 'p50' | 'p99'): number => (of(at, pick) - of(0, pick)) * 1_000
    for (const [label, ours, theirs, unit, better] of [
      ['requests/s', of(place, 'perSecond'), of(1, 'perSecond'), 'requests/s', 'more'],
      ['added at p50', added(place, 'p50'), added(1, 'p50'), 'µs', 'less'],
      ['added at p99', added(place, 'p99'), added(1, 'p99'), 'µs', 'less'],
      ['processor', of(place, 'cpuUs'), of(1, 'cpuUs'), 'µs', 'less'],
    ] as const)
      console.log(compared(`${what}: ${label}`, ours, { name: peer, value: theirs }, unit, better))
  }
  console.log()
}

/** On a machine that is busy with something else, the origin alone may take longer than with a proxy in front. */
function compared(
  what: string,
  ours: number,
  peer: { name: string; value: number },
  unit: string,
  better: 'more' | 'less',
): string {
  if (ours > 0 && peer.value > 0) return formatRatio({ what, ours, unit, peer, better })
  return `${formatRatio({ what, ours, unit, better })}   ${peer.name} ${formatCount(peer.value)} ${unit}   within the noise`
}

if (positionals[0] === 'serve' && positionals[1] === 'site') await serveSite()
else if (positionals[0] === 'serve') await serve(positionals[1] === 'copy')
else await compare()
