/** Trials: what a stranger does first with the command, each with what must come out, on a Web site on loopback. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import { run, tried, whileRunning } from './processes.ts'
import type { Said } from './processes.ts'

export interface Command {
  readonly node: string
  /** Where the packages are installed. */
  readonly folder: string
  /** For what the trials write. */
  readonly scratch: string
}

const PAGES: ReadonlyMap<string, string> = new Map([
  ['/', '<title>Harbour</title><p>Ships come in. <a href="/tides">Tides</a>'],
  ['/tides', '<title>Tides</title><p>High water at nine. <a href="/">Harbour</a>'],
])

/** No page leads there. */
const PDF = '/hours.pdf'

/** Two pages on loopback. */
export async function withSite(work: (home: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === PDF) {
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n')
      return
    }
    const page = PAGES.get(request.url ?? '')
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** From a folder where nothing is installed. */
const HOOK = `export function onCapture({ page, text }) {
  if (text().includes('<p>')) console.error('title', page().title, page().links.length, 'link')
}`

const lastLine = ({ stdout }: Said): unknown => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')

/** Every way into every package can be taken. */
export async function importAll({ node, folder }: Command, ways: readonly string[]): Promise<void> {
  const script = `for (const way of ${JSON.stringify(ways)}) if (Object.keys(await import(way)).length === 0) throw new Error(way)`
  await run(node, ['--input-type=module', '--eval', script], folder)
}

export async function tryCommand({ node, folder, scratch }: Command): Promise<void> {
  const program = join(folder, 'node_modules/comity/bin/comity.js')
  const comity = (...args: string[]): Promise<Said> => run(node, [program, ...args], folder)
  const into = join(scratch, 'collection')
  assert.match((await comity('--help')).stdout, /^ +crawl /m)
  await withSite(async (home) => {
    const hook = join(scratch, 'hook/titles.js')
    mkdirSync(join(hook, '..'))
    writeFileSync(hook, HOOK)
    const words = ['--allow-private', '--delay', '0', '--json', '--hook', hook]
    const said = await comity('crawl', home, '--into', into, ...words)
    assert.equal((lastLine(said) as { pages: number }).pages, PAGES.size)
    assert.deepEqual(said.stderr.match(/^title .+$/gm)?.toSorted(), ['title Harbour 1 link', 'title Tides 1 link'])
  })
  const found = lastLine(await comity('search', into, 'high', 'water', '--json')) as { results: { url: string }[] }
  assert.deepEqual(
    found.results.map(({ url }) => new URL(url).pathname),
    ['/tides'],
  )
  const code = await whileRunning(node, [program, 'serve', into, '--port', '0', '--json'], folder, async (line) => {
    const { url } = JSON.parse(line) as { readonly url: string }
    for (const [path, word] of WEB_PAGES) {
      const answer = await fetch(new URL(path, url))
      assert.equal(answer.status, 200, path)
      assert.match(await answer.text(), word, path)
    }
  })
  assert.equal(code, 0)
  await tryPublishing(comity, scratch)
  await tryGateway(comity, scratch)
}

/** Among them what is read from files beside the code. */
const WEB_PAGES: readonly (readonly [path: string, word: RegExp])[] = [
  ['/?q=high+water', /Tides/],
  ['/openapi.json', /"openapi"/],
  ['/live', /<script/],
]

async function tryPublishing(comity: (...args: string[]) => Promise<Said>, scratch: string): Promise<void> {
  const root = join(scratch, 'docroot')
  mkdirSync(root)
  for (const [path, text] of PAGES) writeFileSync(join(root, path === '/' ? 'index.html' : `${path}.html`), text)
  const said = await comity('publish', root, '--base', 'https://harbour.example/', '--dry-run')
  assert.match(said.stdout, /tides/)
}

async function tryGateway(comity: (...args: string[]) => Promise<Said>, scratch: string): Promise<void> {
  const capture = join(scratch, 'hours.pcap')
  writeFileSync(capture, hoursCapture())
  const seen = await comity('gateway', '--pcap', capture, '--json')
  assert.match(seen.stdout, /"pages":1\b/, seen.stdout)
}

/** One page of a server, as packets. */
export function hoursCapture(): Buffer {
  const said = new Dialogue({
    client: { address: [192, 0, 2, 1], port: 40_000 },
    server: { address: [192, 0, 2, 7], port: 80 },
  })
  const body = '<title>Opening hours</title><p>Nine to five.'
  said.open()
  said.say(0, 'GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n')
  said.say(1, `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  said.close()
  return pcapFile(said.packets)
}

/** What is optional and not installed is asked for by a line that can be typed. */
export async function tryWithout({ node, folder, scratch }: Command): Promise<void> {
  const program = join(folder, 'node_modules/comity/bin/comity.js')
  const said = await tried(node, [program, 'lab'], folder)
  assert.equal(said.code, 2, said.stderr)
  assert.match(said.stderr, /npm install @comity\/lab@/)
  await withSite(async (home) => {
    const flags = ['--into', join(scratch, 'documents'), '--types', 'document', '--allow-private', '--delay', '0']
    const { stdout, stderr } = await run(node, [program, 'crawl', new URL(PDF, home).href, ...flags], folder)
    assert.match(stdout + stderr, /npm install unpdf/)
  })
}

export async function tryLab({ node, folder }: Command): Promise<void> {
  const said = await run(node, [join(folder, 'node_modules/comity/bin/comity.js'), 'lab'], folder)
  assert.match(said.stdout, /ordering/)
}
