/**
 * Demo gateway: a site that nobody crawls, people who read it through a gateway, and the gateway, which tells the demo's collection
 * what they read. It is the real command in a process of its own, as it would stand at the edge of a network.
 *
 *   readers ──▶ comity gateway --proxy ──▶ the site
 *                      └──▶ where the demo's watch hears
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LivingWeb } from '@comity/testbed'

/** Far from the addresses of the demo's other sites. */
const [SITE_ADDRESS, GATEWAY_ADDRESS] = ['127.0.1.100', '127.0.1.101']
const READ_EVERY_MS = 400
/** What was read waits no longer for its batch. */
const BATCH_EVERY = '3s'
const PAGES = 30

export interface DemoGateway extends AsyncDisposable {
  /** The file that says whom the receiver is to hear. */
  readonly gateways: string
  /** Where people read, and the site's name. */
  readonly url: string
  /** What is behind it. */
  readonly behind: string
  readonly title: string
  /** Pages that were read through it so far. */
  readonly reads: number
  /** Begins once it is known where it is heard. */
  begin(receiver: string): void
}

export async function openDemoGateway(seed: number): Promise<DemoGateway> {
  // Here and not above: only a demo that stays open needs it.
  const { createLivingWeb } = await import('@comity/testbed')
  await using stack = new AsyncDisposableStack()
  const spec = { pages: PAGES, odd: false, changeEveryMs: 60_000, title: 'The Reading Room', name: 'reading-room' }
  const sites = [{ ...spec, robots: 'allow' as const }]
  const web = stack.use(await createLivingWeb({ seed, sites, firstAddress: SITE_ADDRESS, logEvents: 1_000 }))
  const dir = mkdtempSync(join(tmpdir(), 'comity-demo-gateway-'))
  stack.defer(() => rmSync(dir, { recursive: true, force: true }))
  const state = join(dir, 'state')
  const port = await freePort()
  const host = `${GATEWAY_ADDRESS}:${port}`
  const gateways = join(dir, 'gateways.json')
  writeFileSync(gateways, await printed(['gateway', 'key', '--state', state, '--name', 'demo', '--hosts', host]))
  const [site] = web.sites
  let reads = 0
  const own = stack.move()
  return {
    gateways,
    url: `http://${host}/`,
    behind: site!.origin,
    title: site!.spec.title,
    get reads() {
      return reads
    },
    begin: (receiver) => {
      const child = started(
        ['gateway', '--proxy', site!.origin, '--listen', host, '--to', receiver].concat([
          '--state',
          state,
          '--hosts',
          host,
          '--every',
          BATCH_EVERY,
          '--quiet',
        ]),
      )
      own.defer(() => ended(child))
      own.use(readersOf(web, `http://${host}`, () => reads++))
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

/** The same program as this one. */
function started(words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // Without it the demo has a role less, and goes on.
  child.on('error', () => undefined)
  child.stdout?.resume()
  return child
}

async function printed(words: readonly string[]): Promise<string> {
  const child = started(words)
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await once(child, 'close')
  return text
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  await gone
}

/** Each page in its turn, by one reader or another. */
function readersOf(web: LivingWeb, base: string, onRead: () => void): Disposable {
  const paths = [...web.sites[0]!.resources.values()].filter(({ kind }) => kind === 'page').map(({ path }) => path)
  let turn = 0
  const timer = setInterval(() => void read(`${base}${paths[turn++ % paths.length]}`), READ_EVERY_MS)
  async function read(url: string): Promise<void> {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok === true) onRead()
  }
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, GATEWAY_ADDRESS)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
