/**
 * A capture for `bench/gateway.ts`: pages of a folder, served by nginx to sixteen clients that ask one after the other, over a
 * line with ordinary packet sizes between two network namespaces, listened to by tcpdump.
 *
 *   node bench/gateway-capture.ts FOLDER OUT.pcap [--pages 10000]
 *
 * Needs root, and: apt-get install nginx-light tcpdump iproute2 ethtool. What it makes (namespaces, nginx) it takes away again.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWith, readArguments } from './arguments.ts'

const SERVER = '10.99.7.2'
const CLIENT = '10.99.7.3'
const [SERVERS, CLIENTS] = ['comity-bench-s', 'comity-bench-c']
const { flags, positionals } = readArguments(import.meta.filename, { pages: 10_000, client: false }, 2)
const [folder = '', out = ''] = positionals
if (!existsSync(folder) || out === '') endWith(import.meta.filename, 'Name a folder of pages, and a file to write')
const NEEDED = ['nginx', 'tcpdump', 'ip', 'ethtool']

const run = (command: string, ...given: string[]): void => void execFileSync(command, given, { stdio: 'ignore' })
const inside = (space: string, ...given: string[]): void => run('ip', 'netns', 'exec', space, ...given)

/** Packets are cut and summed before they are captured, as on a line between two machines. */
function makeLine(): void {
  for (const space of [SERVERS, CLIENTS]) run('ip', 'netns', 'add', space)
  run('ip', 'link', 'add', 'cb-s', 'netns', SERVERS, 'type', 'veth', 'peer', 'name', 'cb-c', 'netns', CLIENTS)
  const ends = [
    [SERVERS, 'cb-s', SERVER],
    [CLIENTS, 'cb-c', CLIENT],
  ] as const
  for (const [space, device, address] of ends) {
    inside(space, 'ip', 'addr', 'add', `${address}/24`, 'dev', device)
    inside(space, 'ip', 'link', 'set', device, 'up')
    inside(space, 'ethtool', '-K', device, 'tso', 'off', 'gso', 'off', 'gro', 'off', 'tx', 'off', 'rx', 'off')
  }
}

function nginxSettings(work: string): string {
  const server = `server { listen ${SERVER}:80; root ${resolve(folder)}; }`
  const types = 'types { text/html html htm; text/css css; } default_type application/octet-stream;'
  return [
    `user root; worker_processes 1; pid ${work}/pid; error_log ${work}/log;`,
    `events { worker_connections 512; }`,
    `http { access_log off; keepalive_requests 1000000; ${types} ${server} }`,
  ].join('\n')
}

async function capture(): Promise<void> {
  const missing = NEEDED.filter((program) => spawnSync(program, ['--version']).error !== undefined)
  if (missing.length > 0)
    endWith(
      import.meta.filename,
      `${missing.join(' and ')} missing: apt-get install nginx-light tcpdump iproute2 ethtool`,
    )
  const work = mkdtempSync(join(tmpdir(), 'comity-capture-'))
  try {
    makeLine()
    writeFileSync(join(work, 'nginx.conf'), nginxSettings(work))
    inside(SERVERS, 'nginx', '-c', join(work, 'nginx.conf'))
    const listener = spawn(
      'ip',
      ['netns', 'exec', CLIENTS, 'tcpdump', '-i', 'cb-c', '-s', '0', '-B', '200000', '-w', out, 'tcp'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const ended = new Promise((done) => listener.on('close', done))
    await sleep(1_000)
    const asker = [import.meta.filename, folder, out, '--client', '--pages', String(flags.pages)]
    execFileSync('ip', ['netns', 'exec', CLIENTS, process.execPath, ...asker], { stdio: 'inherit' })
    await sleep(1_000)
    listener.kill('SIGINT')
    await ended
    process.kill(Number(readFileSync(join(work, 'pid'), 'utf8')))
  } finally {
    for (const space of [SERVERS, CLIENTS]) run('ip', 'netns', 'del', space)
    rmSync(work, { recursive: true })
  }
}

async function ask(): Promise<void> {
  const paths = globSync('**/*.html', { cwd: folder }).toSorted().slice(0, flags.pages)
  let [next, bytes] = [0, 0]
  const one = (agent: Agent, path: string): Promise<void> =>
    new Promise((done, fail) => {
      const headers = { host: 'docs.example' }
      get({ host: SERVER, port: 80, path: encodeURI(`/${path}`), agent, headers }, (answer) => {
        // What is no page must not be counted as one.
        if (answer.statusCode !== 200) fail(new Error(`${path} was answered with ${answer.statusCode}`))
        answer.on('data', (chunk: Buffer) => void (bytes += chunk.length))
        answer.on('end', done)
      }).on('error', fail)
    })
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (next < paths.length) await one(agent, paths[next++]!)
    agent.destroy()
  }
  await Promise.all(Array.from({ length: 16 }, client))
  if (paths.length === 0) throw new Error(`${folder} holds no .html file`)
  console.log(`${paths.length} pages, ${bytes} bytes`)
}

await (flags.client ? ask() : capture())
