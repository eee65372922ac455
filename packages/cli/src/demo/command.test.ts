import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushStory, WatchSample } from '@comity/follow'
import type { TruthSample } from '@comity/repository'
import { broken, contractOf, shapeOf } from '../testing/json-contract.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

interface Kept {
  readonly watch: WatchSample
  readonly truth: TruthSample
  readonly callers: readonly { readonly origin: string; readonly calls: PushStory }[]
}

test('the demo ends by itself, has all that a polite crawler can have, and broke no promise', async () => {
  using folder = temporaryFolder()
  const dir = folder.at('demo')
  const ended = await comity(['demo', '--json', '--into', dir])
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(broken(contractOf('demo')['demo']!, shapeOf([lastJson(ended)])), [])
  const { reached, reachable, violations, seeds, pages, index } = lastJson(ended)
  assert.equal(reached, reachable)
  assert.ok(Number(pages) > 100)
  assert.deepEqual(violations, [])
  assert.ok(Array.isArray(seeds) && seeds.length === 10)
  const { watch, truth, callers } = lastJson(ended)['kept'] as Kept
  assert.ok(watch.requests > 10 && watch.freshness > 0 && watch.freshness <= 1)
  assert.deepEqual(
    truth.groups.map(({ name, sites }) => [name, sites]),
    [
      ['cooperating', 1],
      ['calling', 3],
      ['lying', 1],
      ['ordinary', 4],
    ],
  )
  const pagesOf = truth.groups.reduce((sum, group) => sum + group.pages, 0)
  assert.equal(pagesOf, reached, 'every page is compared with what it is now')
  const { outcomes, subscriptions, searchable, doors } = watch.pushes!
  assert.ok(subscriptions.active > 0 && doors!.accepted > 0, 'sites call')
  assert.ok((outcomes['applied'] ?? 0) + (outcomes['heard'] ?? 0) > 0)
  assert.ok(searchable!.p50Ms < 10_000, `${searchable?.p50Ms} ms from change to searchable`)
  assert.equal(callers.length, 4)
  // The last of them lies: whoever compares finds out.
  const liar = callers.at(-1)!.calls
  assert.ok(liar.checked === 0 || liar.different > 0, JSON.stringify(liar))
  for (const { calls } of callers.slice(0, -1)) assert.equal(calls.strikes, 0, JSON.stringify(calls))
  for (const { requests, bytes, changes } of truth.groups) assert.ok(requests > 0 && bytes > 0 && changes > 0)
  assert.equal((index as { problem?: string }).problem, undefined)
  const found = lastJson(await comityHere(['search', dir, 'site:127.0.1.1', '--json']))
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
  // From the page that opens first all four are seen.
  const front = await (await fetch(url)).text()
  for (const role of ['A site', 'A crawler', 'A gateway', 'A search'])
    assert.ok(front.includes(`<h3>${role}</h3>`), role)
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
    // The map of the web stands there when the crawl begins; a little of it is enough.
    onStart: (child) => child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), 1_500).unref()),
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.doesNotMatch(ended.stdout, /to watch it|stays open/)
  assert.match(ended.stdout, /Try next[\s\S]*comity search/)
})
