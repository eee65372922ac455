import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
  await using web = await slowWeb(200)
  using folder = temporaryFolder()
  const dir = folder.at('held')
  let second: Promise<[Ended, Ended]> | undefined
  const first = await interrupted(
    web,
    dir,
    () => {
      if (web.log.read().requests.length < 3) return false
      second ??= Promise.all([comity(['crawl', web.home, '--into', dir, ...flags]), comity(['inspect', dir, '--json'])])
      return web.log.read().requests.length >= 15
    },
    ['SIGINT'],
  )
  assert.equal(first.code, 0, first.stderr)
  const [held, looked] = (await second) ?? assert.fail('the second never ran')
  assert.equal(held.code, 1)
  assert.match(held.stderr, /is being written by process \d+/)
  assert.equal(looked.code, 0, looked.stderr)
})
