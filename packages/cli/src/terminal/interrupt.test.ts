import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { missing } from '@comity/protocol/testing'
import { createLivingWeb } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'
import type { Ended } from '../testing/spawned-comity.ts'

const slowWeb = (latencyMs: number): Promise<LivingWeb> =>
  createLivingWeb({
    seed: 3,
    sites: [{ pages: 40, odd: false, latencyMs, bytesPerSecond: Infinity, robots: 'allow', sitemap: false }],
  })

const flags = ['--allow-private', '--delay', '0', '--pages-per-connection', '100', '--threads', '0', '--json']

/** Starts a crawl and sends signals: the first once `isTime`, each other one a while after "stopping" was said. */
async function interrupted(
  web: LivingWeb,
  dir: string,
  isTime: () => boolean,
  signals: NodeJS.Signals[],
): Promise<Ended> {
  const [first = 'SIGINT', second] = signals
  const ended = comity(['crawl', web.home, '--into', dir, ...flags], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (!isTime()) return
        clearInterval(timer)
        child.kill(first)
      }, 10)
      child.on('close', () => clearInterval(timer))
    },
    onStderr: (text, child) => {
      if (text.includes('stopping') && second !== undefined) void sleep(400).then(() => child.kill(second))
    },
  })
  return await ended
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`one ${signal} stops politely, and the next crawl fetches the rest, nothing twice`, async () => {
    await using web = await slowWeb(30)
    using folder = temporaryFolder()
    const dir = folder.at('once')
    const stopped = await interrupted(web, dir, () => web.log.read().requests.length >= 6, [signal])
    assert.equal(stopped.code, 0, stopped.stderr)
    assert.match(stopped.stderr, /stopping: \d+ visits? finish(?:es)?; Ctrl-C again stops at once/)
    const { pages, interrupted: wasInterrupted, waiting } = lastJson(stopped)
    assert.equal(wasInterrupted, true)
    assert.ok(Number(pages) > 0 && Number(waiting) > 0)
    const rest = await comity(['crawl', web.home, '--into', dir, ...flags])
    assert.equal(lastJson(rest)['pages'], 40)
    const asked = web.log.read().requests.filter(({ path }) => path !== '/robots.txt')
    assert.equal(new Set(asked.map(({ path }) => path)).size, asked.length)
  })
}

test('a second Ctrl-C stops at once, and what was acknowledged is there', async () => {
  await using web = await slowWeb(20_000)
  using folder = temporaryFolder()
  const dir = folder.at('twice')
  const began = Date.now()
  const stopped = await interrupted(web, dir, () => web.log.read().connections.length > 0, ['SIGINT', 'SIGINT'])
  assert.equal(stopped.code, 130, stopped.stderr)
  assert.ok(Date.now() - began < 20_000, 'it did not wait for the visit')
  assert.equal((await comityHere(['inspect', dir])).code, 0)
})

test('a Ctrl-C that npm hands on a moment later counts once', async () => {
  await using web = await slowWeb(300)
  using folder = temporaryFolder()
  const stopped = await comity(['crawl', web.home, '--into', folder.at('npm'), ...flags], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (web.log.read().connections.length === 0) return
        clearInterval(timer)
        child.kill('SIGINT')
        setTimeout(() => child.kill('SIGINT'), 20)
      }, 10)
    },
  })
  assert.equal(stopped.code, 0, stopped.stderr)
})

test('a second process is told who writes the collection, while others may look', async () => {
  // Half a minute of crawl, of which as much is needed as two processes take to start.
  await using web = await slowWeb(800)
  using folder = temporaryFolder()
  const dir = folder.at('held')
  let second: Promise<[Ended, Ended]> | undefined
  let haveEnded = false
  const first = await interrupted(
    web,
    dir,
    () => {
      if (web.log.read().requests.length < 3) return false
      second ??= Promise.all([
        comity(['crawl', web.home, '--into', dir, ...flags]),
        comity(['inspect', dir, '--json']),
      ]).finally(() => (haveEnded = true))
      return haveEnded
    },
    ['SIGINT'],
  )
  assert.equal(first.code, 0, first.stderr)
  const [held, looked] = (await second) ?? assert.fail('the second never ran')
  assert.equal(held.code, 1)
  assert.match(held.stderr, /is being written by process \d+/)
  assert.equal(looked.code, 0, looked.stderr)
})

const LIMIT = { timeout: 60_000 }
const SHIM = fileURLToPath(new URL('../../bin/comity.js', import.meta.url))
/** Below what runs the source: there the command hands over to another process. */
const OLDEST_OWN = [24, 12] as const

/** A Node of this machine that is too old to run the source. */
function oldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return folders
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      const said = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout
      const [major = Infinity, minor = 0] = (/^v(\d+)\.(\d+)/.exec(said ?? '') ?? []).slice(1).map(Number)
      return major < OLDEST_OWN[0] || (major === OLDEST_OWN[0] && minor < OLDEST_OWN[1])
    })
}

test('an older Node hands on the SIGINT that only it was sent', LIMIT, async (t) => {
  const node = oldNode()
  if (node === undefined) return missing(t, 'a Node before 24.12', 'install Node 20 or 22 where the shell finds it')
  await using web = await slowWeb(200)
  using folder = temporaryFolder()
  const child = spawn(node, [SHIM, 'crawl', web.home, '--into', folder.at('old'), ...flags, '--verbose'])
  let said = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!said.includes('visit') && (said + text).includes('visit')) child.kill('SIGINT')
    said += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.match(said, /stopping: /)
  assert.equal(code, 0, said)
})
