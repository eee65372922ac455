/**
 * Soak roles: five real commands on loopback that live together.
 *
 *   files that change ──▶ publish ◀── watch ──▶ collection ──▶ serve ◀── people who search
 *                            ▲
 *                         gateway ◀── people who read
 *                            └──▶ receiver
 *
 * What each says goes into a file of its own: nobody here has to remember hours of it.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, closeSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const COMITY = fileURLToPath(new URL('../../packages/cli/bin/comity.js', import.meta.url))
/** The command as users start it, on the Node that runs us: an older one would hand over to a process that we do not see. */
const ENV = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` }
const PAGES = 60
const CHANGE_EVERY_MS = 500
const ASK_EVERY_MS = 200
const START_MS = 60_000

export interface Role {
  readonly name: string
  readonly pid: number
  /** How it ended, once it has. */
  readonly ended: () => string | undefined
}

export interface Soak extends AsyncDisposable {
  readonly roles: readonly Role[]
  /** How often the site changed, pages were read and questions asked; and what failed of these. */
  readonly done: { changes: number; reads: number; questions: number; failed: number }
}

/** All five, at work. `dir` is empty, and full of what they said when they are gone. */
export async function openSoak(dir: string): Promise<Soak> {
  await using stack = new AsyncDisposableStack()
  const stop = new AbortController()
  const done = { changes: 0, reads: 0, questions: 0, failed: 0 }
  const [root, web, campus] = [join(dir, 'html'), join(dir, 'web'), join(dir, 'campus')]
  const write = writerOf(root)
  for (let page = 0; page < PAGES; page++) write(page, 0)
  const [site, gate, receiver] = [await freePort(), await freePort(), await freePort()]
  const start = (name: string, words: readonly string[], isReady: RegExp): Promise<Role> =>
    started(dir, name, words, isReady, stack)

  const published = `http://127.0.0.1:${site}/`
  const publish = await start(
    'publish',
    ['publish', root, '--base', published, '--serve', `${site}`, '--ledger', '0', '--journal', join(dir, 'journal')],
    /Ctrl-C stops/,
  )
  await commandDone(dir, 'crawl', ['crawl', published, '--into', web, '--allow-private', '--delay', '50ms'])
  const settings = ['--allow-private', '--budget', '10/s', '--day', '30s', '--poll', '2s']
  const watch = await start('watch', ['watch', web, ...settings], /fresh/)
  const serve = await start('serve', ['serve', web, '--port', '0'], /Ctrl-C stops/)
  const key = await commandDone(
    dir,
    'key',
    ['gateway', 'key'].concat('--state', join(dir, 'gate'), '--name', 'north', '--hosts', `127.0.0.1:${gate}`),
  )
  writeFileSync(join(dir, 'gateways.json'), key)
  const receive = await start(
    'receiver',
    ['receive', campus, '--listen', `${receiver}`, '--gateways', join(dir, 'gateways.json'), '--allow-private'],
    /are heard at/,
  )
  const gateway = await start(
    'gateway',
    ['gateway', '--proxy', `http://127.0.0.1:${site}`, '--listen', `${gate}`].concat(
      ['--to', `http://127.0.0.1:${receiver}`, '--state', join(dir, 'gate')],
      ['--hosts', `127.0.0.1:${gate}`, '--every', '5s'],
    ),
    /127\.0\.0\.1:\d+/,
  )

  const pages = /http:\/\/127\.0\.0\.1:\d+\//.exec(readFileSync(join(dir, 'serve.log'), 'utf8'))![0]
  const paths = [
    'search?q=word7',
    'search?q=version',
    'live',
    'freshness',
    'sites',
    'graph',
    'api/v1/search?q=page&limit=5',
  ]
  const living = [
    every(CHANGE_EVERY_MS, stop.signal, async (turn) => (write(turn % PAGES, turn), done.changes++)),
    every(
      ASK_EVERY_MS,
      stop.signal,
      async (turn) => (await get(`http://127.0.0.1:${gate}/p${turn % PAGES}.html`), done.reads++),
    ),
    every(
      ASK_EVERY_MS,
      stop.signal,
      async (turn) => (await get(`${pages}${paths[turn % paths.length]}`), done.questions++),
    ),
  ].map((running) => running.catch(() => undefined))

  /** One that fails is counted: others tell whose fault it was. */
  async function get(url: string): Promise<void> {
    const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok !== true) done.failed++
  }

  const owned = stack.move()
  return {
    roles: [watch, publish, serve, receive, gateway],
    done,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all(living)
      await owned[Symbol.asyncDispose]()
    },
  }
}

/** A page that is there as it was or as it is, never half. */
function writerOf(root: string): (page: number, version: number) => void {
  mkdirSync(root, { recursive: true })
  return (page, version) => {
    const links = Array.from({ length: 5 }, (_, i) => `<a href="/p${(page * 3 + i + 1) % PAGES}.html">page</a>`).join(
      ' ',
    )
    const words = Array.from({ length: 300 }, (_, i) => `word${(i * 7 + page + version) % 997}`).join(' ')
    const html = `<!doctype html><html lang="en"><title>Page ${page}</title><h1>Page ${page}, version ${version}</h1>${links}<p>${words}</p></html>`
    const path = join(root, page === 0 ? 'index.html' : `p${page}.html`)
    writeFileSync(`${root}.new`, html)
    renameSync(`${root}.new`, path)
    if (page === 0) writeFileSync(join(root, 'p0.html'), html)
  }
}

async function started(
  dir: string,
  name: string,
  words: readonly string[],
  isReady: RegExp,
  stack: AsyncDisposableStack,
): Promise<Role> {
  const log = join(dir, `${name}.log`)
  const file = openSync(log, 'a')
  const child = spawn(COMITY, words, { stdio: ['ignore', file, file], env: ENV })
  closeSync(file)
  let how: string | undefined
  child.on('exit', (code, signal) => (how = signal ?? `code ${code}`))
  stack.defer(() => ended(child))
  const until = performance.now() + START_MS
  while (!isReady.test(readFileSync(log, 'utf8'))) {
    if (how !== undefined || performance.now() > until)
      throw new Error(`${name} did not begin (${how ?? 'it is silent'}): ${readFileSync(log, 'utf8').slice(-500)}`)
    await sleep(100)
  }
  return { name, pid: child.pid!, ended: () => how }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  const hard = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await gone
  clearTimeout(hard)
}

/** What it printed. */
async function commandDone(dir: string, name: string, words: readonly string[]): Promise<string> {
  const log = openSync(join(dir, `${name}.log`), 'a')
  const child = spawn(COMITY, words, { stdio: ['ignore', 'pipe', log], env: ENV })
  closeSync(log)
  const said: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(`${name} ended with ${code}: ${readFileSync(join(dir, `${name}.log`), 'utf8').slice(-500)}`)
  return said.join('')
}

async function every(ms: number, signal: AbortSignal, act: (turn: number) => Promise<unknown>): Promise<void> {
  for (let turn = 1; !signal.aborted; turn++) {
    await sleep(ms, undefined, { signal })
    await act(turn)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
