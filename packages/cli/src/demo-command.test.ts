import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WatchSample } from '@comity/crawler'
import type { TruthSample } from '@comity/repository'
import { comity, lastJson, temporaryFolder } from './spawned-comity.ts'

test('the demo ends by itself, has all that a polite crawler can have, and broke no promise', async () => {
  using folder = temporaryFolder()
  const dir = folder.at('demo')
  const ended = await comity(['demo', '--json', '--into', dir])
  assert.equal(ended.code, 0, ended.stderr)
  const { reached, reachable, violations, seeds, pages, index } = lastJson(ended)
  assert.equal(reached, reachable)
  assert.ok(Number(pages) > 100)
  assert.deepEqual(violations, [])
  assert.ok(Array.isArray(seeds) && seeds.length === 6)
  const { watch, truth } = lastJson(ended)['kept'] as { watch: WatchSample; truth: TruthSample }
  assert.ok(watch.requests > 10 && watch.freshness > 0 && watch.freshness <= 1)
  assert.deepEqual(
    truth.groups.map(({ name, sites }) => [name, sites]),
    [
      ['cooperating', 1],
      ['ordinary', 4],
    ],
  )
  assert.equal(truth.groups[0]!.pages + truth.groups[1]!.pages, reached, 'every page is compared with what it is now')
  for (const { requests, bytes, changes } of truth.groups) assert.ok(requests > 0 && bytes > 0 && changes > 0)
  assert.equal((index as { problem?: string }).problem, undefined)
  const found = lastJson(await comity(['search', dir, 'site:127.0.1.1', '--json']))
  assert.ok(Number(found['matches']) > 10, 'what it crawled can be searched')
})

test('without --once the pages stay open, moving while it crawls, until Ctrl-C', async () => {
  using folder = temporaryFolder()
  let [said, stop] = ['', (): void => undefined]
  const { promise: opened, resolve } = Promise.withResolvers<string>()
  const running = comity(['demo', '--port', '0', '--into', folder.at('open')], {
    onStart: (child) => {
      stop = () => void child.kill('SIGINT')
      child.stdout?.on('data', (text: string) => {
        said += text
        const [, url] = /(http:\/\/127\.0\.0\.1:\d+\/) {2}to watch it/.exec(said) ?? []
        if (url !== undefined) resolve(url)
      })
      child.on('close', () => resolve(''))
    },
  })
  const url = await opened
  const live = await fetch(`${url}live`)
  assert.equal(live.status, 200)
  assert.match(await live.text(), /A crawl is running|pages so far/)
  // A polite stop ends the crawl and the pages with it.
  stop()
  const ended = await running
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /What the sites saw/)
  await assert.rejects(fetch(url))
})

test('--once shows the small web and what came of it, and opens no pages', async () => {
  using folder = temporaryFolder()
  const ended = await comity(['demo', '--once', '--into', folder.at('once')], {
    // The map of the web stands there when the crawl begins.
    onStart: (child) => child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), 4_000).unref()),
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.doesNotMatch(ended.stdout, /to watch it|stays open/)
  assert.match(ended.stdout, /Try next[\s\S]*comity search/)
})
