import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlSample } from '../testing/search-fixture.ts'
import { comityHere, temporaryFolder } from '../testing/spawned-comity.ts'

const without = (text: string): string => text.replaceAll(/[\d.]+ ms/g, '')

test(
  'quiet says nothing on stderr, verbose each page and what it took, and stdout is the same',
  { timeout: 60_000 },
  async () => {
    using folder = temporaryFolder()
    const dir = folder.at('crawled')
    const origin = await crawlSample(dir)
    const again = [
      'crawl',
      '--into',
      dir,
      '--allow-private',
      '--revisit',
      '0s',
      '--delay',
      '0',
      '--patience',
      '1s',
      '--no-index',
    ]
    const quiet = await comityHere(['search', dir, 'salmon', '--quiet'])
    const usual = await comityHere(['search', dir, 'salmon'])
    assert.deepEqual([without(quiet.stdout), quiet.stderr], [without(usual.stdout), ''])
    const failed = await comityHere(['search', folder.at('none'), 'salmon', '-q'])
    assert.deepEqual([failed.code, failed.stdout], [1, ''])
    assert.match(failed.stderr, /There is no collection/)
    const { stderr } = await comityHere([...again, '-v'])
    assert.ok(stderr.includes(`visit ${origin}/ connection-refused`), stderr)
    assert.match(stderr, /took .*, .* of processor, .* of memory at most\n$/)
    assert.equal((await comityHere([...again, '-q'])).stderr, '')
  },
)
