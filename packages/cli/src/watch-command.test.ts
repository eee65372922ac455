import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crawlSample } from './search-fixture.ts'
import { comity, lastJson, temporaryFolder } from './spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('crawled')
before(() => crawlSample(dir, false))

test('it ends by itself when told how long, and says what it did', async () => {
  // The sample's server is gone: nobody answers, and that is no reason to fail.
  const ended = await comity(['watch', dir, '--allow-private', '--budget', '20/s', '--for', '1s', '--json'])
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
]
for (const [words, message] of wrong) {
  test(`${message.source} is said`, async () => {
    const ended = await comity(words)
    assert.match(ended.stderr, message)
    assert.equal(ended.code, 2)
  })
}
