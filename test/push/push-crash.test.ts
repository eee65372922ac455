// Runs alone: it kills by the clock.
/**
 * kill -9 on both sides: a site that is published by the command and calls those who subscribed, and a watch with its endpoints
 * open, are killed again and again while pages change. In the end what is held is what the site serves, and nothing that was
 * sent is stored twice. COMITY_SEED=… repeats what is edited and who is killed, `npm run torture:push` makes more of it.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amount } from '@comity/protocol/testing'
import { comity, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createRandom } from '../../packages/testbed/src/seeded-random.ts'
import { heldPages } from '../crawl/held-pages.ts'
import { page, until } from './push-watch.ts'
import { quickCrawl } from '../crawl/quick-crawl.ts'

const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
const kills = amount(6, 60)

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

/** A command that is started again whenever it was killed. It ends with its test, however that ends: a process would go on for ever. */
class Killed implements AsyncDisposable {
  readonly #words: readonly string[]
  #child: ChildProcess | undefined
  #said = ''

  constructor(...words: readonly string[]) {
    this.#words = words
  }

  start(): void {
    this.#said = ''
    const run = comity(this.#words, {
      onStart: (child) => (this.#child = child),
      onStderr: (text) => (this.#said += text),
    })
    void run.then(({ signal, stderr }) => signal !== 'SIGKILL' && process.stderr.write(stderr))
  }

  async kill(): Promise<void> {
    const child = this.#child!
    assert.equal(child.exitCode, null, `it ended by itself: ${this.#said}`)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill()
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

const PATHS = Array.from({ length: 10 }, (_, n) => `/p${n}.html`)

test(`after ${kills} kills of either side what is held is what the site serves, once (COMITY_SEED=${seed})`, async (t) => {
  const random = createRandom(seed)
  const [root, into] = [folder.at('site/html'), folder.at('held')]
  const base = `http://127.0.0.1:${await freePort()}`
  const doors = `127.0.0.1:${await freePort()}`
  let edits = 0
  /** As editors do it: nobody sees half a file. */
  const edit = (path: string): void => {
    const file = join(root, path)
    writeFileSync(`${file}.new`, page(`Version ${edits++} of ${path}`))
    renameSync(`${file}.new`, file)
  }
  const served = (): Map<string, string> =>
    new Map(PATHS.map((path) => [base + path, readFileSync(join(root, path), 'utf8')]))
  mkdirSync(dirname(join(root, 'x')), { recursive: true })
  writeFileSync(join(root, 'index.html'), page('Home', ...PATHS))
  for (const path of PATHS) edit(path)

  const place = ['--base', `${base}/`, '--serve', new URL(base).host, '--journal', folder.at('site/journal')]
  await using site = new Killed('publish', root, ...place, '--hub', '--allow-private', '--json')
  const heard = ['--listen', doors, '--subscribe-to', 'differences', '--policy', 'metadata', '--poll', '1h']
  const politeness = ['--allow-private', '--delay', '0s', '--budget', '50/s', '--threads', '0', '--json']
  await using watch = new Killed('watch', into, ...heard, ...politeness)
  site.start()
  await until('the site', async () => (await fetch(`${base}/`).catch(() => undefined))?.status === 200)
  await quickCrawl(into, [`${base}/`], { dumps: false })
  watch.start()
  const isAsServed = async (): Promise<boolean> => {
    const { texts } = await heldPages(into)
    return served()
      .entries()
      .every(([url, text]) => texts.get(url) === text)
  }
  await until('a subscription', () => isSubscribed(into))
  for (let kill = 0; kill < kills; kill++) {
    const who = random.pick([[site], [watch], [site, watch]])
    for (let n = random.between(1, 12); n > 0; n--) {
      edit(random.pick(PATHS))
      // Not a wait for something to happen, but moments between edits, and before the kill.
      await sleep(random.between(0, 60))
    }
    await Promise.all(who.map((one) => one.kill()))
    for (const one of who) one.start()
    // Some lives are long enough to do something.
    await sleep(random.pick([0, 300, 1_500]))
  }
  await until('what the site serves', isAsServed)
  await Promise.all([site.kill(), watch.kill()])
  const { texts, doubled } = await heldPages(into)
  assert.deepEqual(doubled, [])
  assert.deepEqual(new Map(PATHS.map((path) => [base + path, texts.get(base + path)])), served())
  t.diagnostic(`${edits} edits`)
  rmSync(root, { recursive: true })
})

/** By the crawler's own account. */
function isSubscribed(into: string): boolean {
  try {
    return readFileSync(join(into, 'inbox', 'subscriptions.json'), 'utf8').includes('"active"')
  } catch {
    return false
  }
}
