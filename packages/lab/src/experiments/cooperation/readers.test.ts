import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MeteredClient } from './client.ts'
import { madeSite } from '../../webs/made-site.ts'
import { SCHEMES } from './schemes.ts'
import { serveCooperatingSite } from './server.ts'
import { createRandom } from '@comity/testbed'

/** Pages that change before each visit: few and many, the same again, and so many that parts of lists are merged. */
const COUNTS: readonly number[] = [1, 1, 0, 2, 17, 1, 30, 16, 0, 1, 40, 33]

for (const scheme of SCHEMES.filter(({ tells }) => tells === undefined)) {
  test(`${scheme.name}: every visit tells of just the pages that changed since the one before`, async () => {
    const pages = madeSite({ pages: 45, seed: 1, urlChars: 64, meanBytes: 100 })
    const random = createRandom(1)
    await using site = await serveCooperatingSite(pages)
    await using client = await MeteredClient.open(site.ports[scheme.door], 'www.example.org', 'comity/0.1')
    const visit = scheme.start({ client, base: site.base })
    assert.equal((await visit()).size, 45)
    for (const count of COUNTS) {
      const changed = random.shuffle([...pages.pages.keys()]).slice(0, count)
      await site.change(changed)
      const expected = changed.map((page) => pages.pages[page]!.url).toSorted()
      assert.deepEqual([...(await visit())].toSorted(), expected)
    }
  })
}
