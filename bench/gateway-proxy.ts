/**
 * What does a reverse proxy of ours cost? The gateway's and the site's beside nginx as a plain proxy, before the same origin,
 * under the same load; and the origin alone, so that what each adds can be said.
 *
 *   node bench/gateway-proxy.ts [--origin http://127.0.0.11:8080] [--pages 40] [--requests 20000] [--connections 32] [--rounds 5]
 *
 * Each proxy is one process that works on one core: nginx with one worker, no log, and connections to the origin that are
 * kept. The gateway's is run twice: passing on only, and with a copy of every page handed on; the site's learns every page and
 * answers it with validators. Rounds are in turns. Equal work: before them the bytes of every page are compared with the
 * origin's, and in them how many answers there were and how long that of each page is; and copies were handed on of every page.
 * The client and the origin share the machine with the proxy, so that processor time per request is printed too: it does not
 * depend on who else runs.
 */
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProxySource } from '@comity/gateway'
import { createSiteProxy, MemoryJournal } from '@comity/site'
import { endWith, readArguments } from './arguments.ts'
import { printRatio, proven, sayMissing } from './equal-work.ts'
import type { Side, Work, Worked } from './equal-work.ts'
import { digests, load } from './gateway-proxy-load.ts'
import { formatCount, median, processSeconds } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { origin: 'http://127.0.0.11:8080', pages: 40, requests: 20_000, connections: 32, rounds: 5 },
  2,
)

interface Contestant extends AsyncDisposable {
  readonly name: string
  readonly host: string
  readonly port: number
  /** Of its process; none for the origin, which all of them use. */
  readonly pid: number | undefined
  /** Pages of which it handed on a copy so far, where it does. */
  readonly copied?: () => Promise<number>
}

/** In the child: our proxy, which tells its port. */
async function serve(copies: boolean): Promise<void> {
  let copied = 0
  const proxy = new ProxySource(
    { origin: flags.origin },
    { sink: { observed: ({ body }) => void (copied += Number(body.length > 0)) }, wants: () => copies },
  )
  const { port } = await proxy.listen()
  process.on('SIGTERM', () => {
    void proxy.stop(0).then(() => process.exit(0))
  })
  process.on('message', () => process.send?.({ copied }))
  process.send?.({ port })
}

/** In the child: the site's proxy. */
async function serveSite(): Promise<void> {
  const site = createSiteProxy({
    origin: flags.origin,
    base: flags.origin,
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
  const child = fork(import.meta.filename, ['serve', kind, '--origin', flags.origin])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    name,
    host: '127.0.0.1',
    port,
    pid: child.pid,
    ...(kind === 'copy' ? { copied } : {}),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }

  async function copied(): Promise<number> {
    child.send('copied')
    const [told] = (await once(child, 'message')) as [{ copied: number }]
    return told.copied
  }
}

/** Undefined where there is none. */
async function nginx(): Promise<Contestant | undefined> {
  const version = nginxVersion()
  if (version === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'gateway-proxy-'))
  const port = await freePort()
  const { host } = new URL(flags.origin)
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
  await listening(port)
  return {
    name: version,
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
function nginxVersion(): string | undefined {
  const { stderr, error } = spawnSync('nginx', ['-v'])
  return error === undefined ? stderr.toString().trim().split(' ').at(-1)!.replace('/', '@') : undefined
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

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly work: Work
}

async function round(
  { host, port, pid, copied }: Contestant,
  paths: readonly string[],
  connections: number,
  requests: number,
): Promise<Round> {
  const before = pid === undefined ? Number.NaN : processSeconds(pid)
  const copiedBefore = (await copied?.()) ?? 0
  const { seconds, ms, lengths } = await load({ host, port, paths, connections, requests })
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))]!
  const cpuSeconds = pid === undefined ? Number.NaN : processSeconds(pid) - before
  const copies = copied === undefined ? ms.length : await copiesOf(copied, copiedBefore, ms.length)
  return {
    perSecond: ms.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuUs: (cpuSeconds * 1e6) / ms.length,
    work: {
      requests: ms.length,
      'copies, where they are made': copies,
      'bytes of each page': Array.from(lengths, ([path, bytes]) => `${path} ${bytes}`),
    },
  }
}

/** A copy of each page that went by: the last may be handed on a moment after its reader has it. */
async function copiesOf(copied: () => Promise<number>, before: number, wanted: number): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await copied()) - before >= wanted) break
    await sleep(50)
  }
  return (await copied()) - before
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
  const { pages, requests, connections, rounds } = flags
  const paths = await pagesOf(flags.origin, pages).catch(() => [])
  if (paths.length === 0)
    endWith(import.meta.filename, `No page with a length is served at ${flags.origin}: bench/README.md tells of a site`)
  const { hostname, port } = new URL(flags.origin)
  await using stack = new AsyncDisposableStack()
  const origin = {
    name: 'the origin alone',
    host: hostname,
    port: Number(port) || 80,
    pid: undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const peer = await nginx()
  if (peer === undefined) sayMissing('nginx', 'apt-get install nginx-light')
  const contestants: Contestant[] = [
    origin,
    ...(peer === undefined ? [] : [stack.use(peer)]),
    stack.use(await comity('ours, passing only', 'pass')),
    stack.use(await comity('ours, with copies', 'copy')),
    stack.use(await comity("ours, the site's", 'site')),
  ]
  const given = []
  for (const one of contestants) {
    const answers = await digests(one.host, one.port, paths)
    given.push({ name: one.name, work: [{ 'status and digest of each page': answers }] })
  }
  if (!proven('the same bytes', given)) return
  console.log(`${paths.length} pages of ${flags.origin}: the same bytes from all of them\n`)
  for (const width of new Set([1, connections])) {
    const results = contestants.map((): Round[] => [])
    for (let turn = 0; turn <= rounds; turn++) {
      for (const [place, contestant] of contestants.entries()) {
        const result = await round(contestant, paths, width, width === 1 ? Math.ceil(requests / 4) : requests)
        // The first round warms up.
        if (turn > 0) results[place]!.push(result)
      }
    }
    print(contestants, results, width, peer?.name)
  }
}

function print(
  contestants: readonly Contestant[],
  results: readonly (readonly Round[])[],
  width: number,
  peer: string | undefined,
): void {
  const of = (place: number, pick: Exclude<keyof Round, 'work'>): number =>
    median(results[place]!.map((result) => result[pick]))
  const workOf = (place: number): Worked => ({
    name: contestants[place]!.name,
    work: results[place]!.map(({ work }) => work),
  })
  console.log(`${width} connection${width === 1 ? '' : 's'}, one request at a time on each`)
  if (!proven('requests', [...contestants.keys()].map(workOf))) return
  for (const [place, { name }] of contestants.entries()) {
    const times = `p50 ${formatCount(of(place, 'p50') * 1_000).padStart(6)} µs  p99 ${formatCount(of(place, 'p99') * 1_000).padStart(6)} µs`
    const cpu = place === 0 ? '' : `  ${formatCount(of(place, 'cpuUs')).padStart(5)} µs of the proxy's processor`
    console.log(`${name.padEnd(22)} ${formatCount(of(place, 'perSecond')).padStart(7)} requests/s  ${times}${cpu}`)
  }
  const nginxPlace = contestants.findIndex(({ name }) => name === peer)
  if (nginxPlace === -1) return
  for (const place of contestants.keys()) {
    if (place <= nginxPlace) continue
    // On a machine that is busy with something else, the origin alone may take longer than with a proxy in front.
    const added = (at: number, pick: 'p50' | 'p99'): number => (of(at, pick) - of(0, pick)) * 1_000
    for (const [label, figure, unit, better] of [
      ['requests/s', (at: number) => of(at, 'perSecond'), 'requests/s', 'more'],
      ['added at p50', (at: number) => added(at, 'p50'), 'µs', 'less'],
      ['added at p99', (at: number) => added(at, 'p99'), 'µs', 'less'],
      ['processor', (at: number) => of(at, 'cpuUs'), 'µs', 'less'],
    ] as const) {
      const side = (at: number, name: string): Side => ({
        ...workOf(at),
        name,
        value: figure(at),
        cpuSeconds: undefined,
      })
      const what = `${contestants[place]!.name}: ${label}`
      printRatio({ what, unit, better, ours: side(place, 'ours'), peer: side(nginxPlace, peer!) })
    }
  }
  console.log()
}

if (positionals[0] === 'serve' && positionals[1] === 'site') await serveSite()
else if (positionals[0] === 'serve') await serve(positionals[1] === 'copy')
else await compare()
