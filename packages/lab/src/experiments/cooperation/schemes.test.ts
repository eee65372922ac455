import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeSite } from '../../webs/made-site.ts'
import { SCHEMES } from './schemes.ts'
import { openCooperatingSite } from './server.ts'
import { createRandom } from '@comity/testbed'

/** Pages that change before each visit: few and many, the same again, and so many that parts of lists are merged. */
const COUNTS: readonly number[] = [1, 1, 0, 2, 17, 1, 30, 16, 0, 1, 40, 33]

for (const scheme of SCHEMES.filter(({ tells }) => tells === undefined)) {
  test(`${scheme.name}: every visit tells of just the pages that changed since the one before`, async () => {
    const pages = madeSite({ pages: 45, seed: 1, urlChars: 64, meanBytes: 100 })
    const random = createRandom(1)
    const site = await openCooperatingSite(pages)
    const visit = scheme.start({ line: site.line(scheme.door, []), base: site.base, now: site.now })
    assert.equal((await visit()).size, 45)
    for (const count of COUNTS) {
      const changed = random.shuffle([...pages.pages.keys()]).slice(0, count)
      await site.change(changed)
      const expected = changed.map((page) => new URL(pages.pages[page]!.url).pathname).toSorted()
      assert.deepEqual([...(await visit())].toSorted(), expected)
    }
  })
}
