// Runs alone: it has networks of its own.
/**
 * Paper 001, whole, on a network of its own: servers behind a router, readers outside, a gateway that listens beside the
 * router, a repository elsewhere. Parts are killed and lines cut; what was read is found, once, and nothing was crawled.
 *
 *   readers ── router ── campus (the servers)
 *                │└ comity gateway --live, on the line to the campus
 *           repository: comity watch --listen --gateways
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { openSearch, readingOf } from '@comity/search'
import { leftOut, missing } from '@comity/protocol/testing'
import { comity, mainPath } from '../../packages/cli/src/testing/spawned-comity.ts'
import { NetworkWorld, ROUTER } from './network-world.ts'
import { until } from '../push/push-watch.ts'
import { newDirectory } from '../crawl/quick-crawl.ts'

const HOST = 'www.uni.example'
const STUBS = ['readers', 'campus', 'repository'] as const

/** Serves pages with a word of their own each, and one that does not fit a single packet by far. */
const SERVER = `
const words = (path) => path === '/large' ? 'enormous ' + 'filler text of a long page '.repeat(100000) : 'word' + path.slice(1)
const page = (path) => '<title>Page ' + path + '</title><p>' + words(path) + ' <a href="/never-read">never read</a>'
require('node:http').createServer(({ url }, answer) => {
  answer.setHeader('Content-Type', 'text/html')
  answer.end(url === '/robots.txt' ? '' : page(url))
}).listen(80, process.argv[1], () => console.log('ready'))`

/** Reads each path that a line on its input names, over one connection until it is told to begin `anew`; tells when it has. */
const READER = `
const { Agent, get } = require('node:http')
const { createInterface } = require('node:readline')
let agent = new Agent({ keepAlive: true })
createInterface(process.stdin).on('line', (path) => {
  if (path === 'anew') {
    agent.destroy()
    agent = new Agent({ keepAlive: true })
    return console.log(path)
  }
  const request = get({ agent, host: process.argv[1], path, headers: { Host: '${HOST}', 'User-Agent': 'Mozilla/5.0 (X11; Linux)' } }, (answer) => {
    answer.resume().on('end', () => console.log(path))
  })
  request.on('error', (error) => console.log(error.code))
})
console.log('ready')`

class Campus implements AsyncDisposable {
  readonly world: NetworkWorld
  readonly into: string = newDirectory()
  readonly #state: string = newDirectory()
  readonly #gateways: string = join(this.#state, 'gateways.json')
  #reader: ChildProcess | undefined
  #lines: NodeJS.AsyncIterator<string> | undefined
  /** What all of them said, to be read when something fails. */
  readonly said: string[] = []
  gateway: ChildProcess | undefined
  repository: ChildProcess | undefined

  private constructor(world: NetworkWorld) {
    this.world = world
  }

  static async create(): Promise<Campus> {
    const campus = new Campus(await NetworkWorld.create(STUBS))
    mkdirSync(campus.#state, { recursive: true })
    const { stdout } = await comity(['gateway', 'key', '--state', campus.#state, '--hosts', HOST, '--name', 'north'])
    writeFileSync(campus.#gateways, stdout)
    const { world } = campus
    const server = world.spawn('campus', process.execPath, ['-e', SERVER, world.addressOf('campus')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(server.stdout!, 'data')
    const reader = world.spawn('readers', process.execPath, ['-e', READER, world.addressOf('campus')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    campus.#reader = reader
    campus.#lines = createInterface(reader.stdout!)[Symbol.asyncIterator]()
    await campus.#lines.next()
    return campus
  }

  async startGateway(): Promise<void> {
    const line = this.world.interfaceTo('campus')
    const to = `http://${this.world.addressOf('repository')}:8091`
    const speaks = ['--hosts', HOST, '--servers', this.world.addressOf('campus')]
    const where = ['--live', line, ...speaks, '--state', this.#state, '--to', to, '--every', '1s']
    this.gateway = await this.#start(ROUTER, ['gateway', ...where], /listening on/i)
  }

  async startRepository(): Promise<void> {
    const listen = `${this.world.addressOf('repository')}:8091`
    const words = ['watch', this.into, '--listen', listen, '--gateways', this.#gateways]
    this.repository = await this.#start('repository', words, /8091/)
  }

  /** Somebody outside reads these pages. */
  async read(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.#reader!.stdin!.write(`${path}\n`)
      assert.equal((await this.#lines!.next()).value, path)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
  }

  async #start(place: string, args: readonly string[], isUp: RegExp): Promise<ChildProcess> {
    const child = this.world.spawn(place, process.execPath, [mainPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const from = this.said.length
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => this.said.push(`${args[0]}: ${text}`))
    await until(`${args[0]} is up`, () => isUp.test(this.said.slice(from).join('')))
    return child
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  const closed = once(child!, 'close')
  child!.kill('SIGKILL')
  await closed
}

async function foundPages(into: string, query: string): Promise<string[]> {
  await using collection = Collection.openReadOnly(into)
  await using search = openSearch(into, () => collection)
  const { results } = await search.engine.search({ query, limit: 10 })
  return results.map(({ url }) => url)
}

/** How often each page was stored, and how often people have read it. */
async function heldPages(into: string): Promise<Map<string, { versions: number; people: number; isAsked: boolean }>> {
  await using collection = Collection.openReadOnly(into)
  const pages = [...collection.pages()].map(({ key }) => {
    const captures = [...collection.captures(key)].map(({ value }) => value)
    const versions = captures.filter(({ outcome }) => outcome === 'ok').length
    const people = Math.round(readingOf(collection, key)?.people ?? 0)
    const isAsked = captures.some(({ source }) => source !== 'gateway')
    return [collection.url(key) ?? '', { versions, people, isAsked }] as const
  })
  return new Map(pages)
}

const pathsOf = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => `/n${from + i}`)

test('what people read at a campus is found at the repository, once, whoever was killed or cut off meanwhile', async (t) => {
  const tools = NetworkWorld.missingTools()
  if (tools !== undefined) return missing(t, 'a network of its own', tools)
  if (!NetworkWorld.isAllowed()) return leftOut(t, 'nobody may make network namespaces here: run it as root')
  await using campus = await Campus.create()
  await story(campus).catch((error: unknown) => {
    t.diagnostic(campus.said.join(''))
    throw error
  })
})

async function story(campus: Campus): Promise<void> {
  const { world, into } = campus
  const areFound = (paths: readonly string[]): Promise<void> =>
    until(`all of ${paths[0]} to ${paths.at(-1)} are found`, async () => {
      for (const path of paths)
        if (!(await foundPages(into, `word${path.slice(1)}`)).includes(`http://${HOST}${path}`)) return false
      return true
    })
  await campus.startRepository()
  await campus.startGateway()
  const [first, cutOff, restarted, late] = [pathsOf(0, 8), pathsOf(10, 8), pathsOf(20, 8), pathsOf(30, 8)]
  await campus.read(...first, ...first)
  await areFound(first)

  // The line to the repository is cut: what is read waits, and is not lost when the repository dies as well.
  world.cut('repository')
  await campus.read(...cutOff)
  await kill(campus.repository)
  world.mend('repository')
  await campus.startRepository()
  await areFound(cutOff)

  // The gateway dies. What nobody listened to is seen when it is read again; what was shipped is not shipped again.
  await kill(campus.gateway)
  await campus.read(...restarted)
  await campus.startGateway()
  // Of a connection that was met in the middle nothing is sure.
  await campus.read('anew', ...restarted, ...first)
  await areFound(restarted)

  // The line to the campus is cut in the middle of a page: what comes again after it counts once.
  const large = campus.read('/large')
  world.cut('campus')
  await new Promise((resolve) => setTimeout(resolve, 300))
  world.mend('campus')
  await large
  await campus.read(...late)
  await areFound([...late])
  await until('the large page is found', async () => (await foundPages(into, 'enormous')).length === 1)

  const held = await heldPages(into)
  assert.equal(held.get(`http://${HOST}/never-read`)?.versions ?? 0, 0, 'nobody has read it')
  for (const path of [...first, ...cutOff, ...restarted, ...late, '/large']) {
    const { versions, isAsked } = held.get(`http://${HOST}${path}`)!
    assert.deepEqual([path, versions, isAsked], [path, 1, false])
  }
  await until('every reading is counted once', async () => {
    const counted = await heldPages(into)
    return first.every((path) => counted.get(`http://${HOST}${path}`)?.people === 3)
  })
}
