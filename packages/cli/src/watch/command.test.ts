import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { WatchSample } from '@comity/follow'
import { crawlSample } from '../testing/search-fixture.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('crawled')
before(() => crawlSample(dir, false))

test('it ends by itself when told how long, and says what it did', async () => {
  // The sample's server is gone: nobody answers, and that is no reason to fail.
  const ended = await comityHere(['watch', dir, '--allow-private', '--budget', '20/s', '--for', '1s', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const { watch } = lastJson(ended) as { watch: { policy: string; pages: number; requests: number } }
  assert.equal(watch.policy, 'value')
  assert.ok(watch.pages >= 6)
})

const wrong: [words: string[], message: RegExp][] = [
  [['watch'], /DIR is missing/],
  [['watch', folder.at('nowhere')], /is no collection: make one with comity crawl/],
  [['watch', dir, '--policy', 'valu'], /is no policy: .* Did you mean value\?/],
  [['watch', dir, '--budget', 'plenty'], /is not a budget: write 5\/s, 100\/min or 20k\/d/],
  [['watch', dir, '--explore', '2'], /is no share: write 0\.1 or 10%/],
  [['watch', dir, '--budgett', '1/s'], /Did you mean --budget\?/],
  [['watch', dir, '--policy', 'outdated', '--max-outdated', '0'], /between 0 and 1/],
  [['watch', dir, '--public-url', 'https://crawler.example'], /--public-url says where --listen is reached: give both/],
  [['watch', dir, '--listen', '0', '--public-url', 'crawler.example/push'], /is no address: write https:\/\/crawler/],
  [['watch', dir, '--listen', 'everywhere'], /is no place to listen: write 8080/],
  [
    ['watch', dir, '--listen', '192.0.2.1:0', '--allow-private'],
    /--listen: 192\.0\.2\.1 is no address of this machine/,
  ],
  [
    ['watch', dir, '--subscribe-to', 'differences,pagse'],
    /"pagse" is nothing that sites send: .*differences.* Did you mean pages\?/,
  ],
  [['watch', dir, '--listen', '0', '--programs', 'x'], /--programs is for gateways that are listed: give --gateways/],
  [['watch', dir, '--subscriptions', 'many'], /is no number of sites: write 100/],
]
for (const [words, message] of wrong) {
  test(`${message.source} is said`, async () => {
    const ended = await comityHere(words)
    assert.match(ended.stderr, message)
    assert.equal(ended.code, 2)
  })
}

test('a port that is taken is said to be, and nothing is left behind', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const { port } = other.address() as AddressInfo
  const ended = await comityHere(['watch', dir, '--allow-private', '--listen', `${port}`, '--for', '5s'])
  other.close()
  assert.match(ended.stderr, new RegExp(`--listen: port ${port} of 127\\.0\\.0\\.1 is taken\\. Choose another`))
  assert.equal(ended.code, 2)
  const again = await comityHere(['watch', dir, '--allow-private', '--listen', '0', '--for', '1s', '--json'])
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stderr, /sites that push are heard at http:\/\/127\.0\.0\.1:\d+/)
})

test('what came of listening is in the JSON: doors, outcomes, subscriptions and delays', async () => {
  let status = 0
  const ended = await comity(['watch', dir, '--allow-private', '--listen', '0', '--for', '60s', '--json'], {
    onStderr: async (text, child) => {
      const [, url] = /heard at (http:\S+)/.exec(text) ?? []
      if (url === undefined) return
      // Nobody says who speaks. What was answered counts, however soon the watch ends.
      status = (await fetch(`${url}/push`, { method: 'POST', body: 'x' })).status
      child.kill('SIGINT')
    },
  })
  assert.equal(status, 401, ended.stderr)
  const { watch } = lastJson(ended) as unknown as { watch: WatchSample }
  const { doors, outcomes, subscriptions, perSecond } = watch.pushes!
  assert.deepEqual([outcomes, subscriptions, perSecond], [{}, { active: 0, asked: 0 }, 0])
  assert.deepEqual([doors?.accepted, doors?.waiting, doors?.refused], [0, 0, { 'not-signed': 1 }])
})
