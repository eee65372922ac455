import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registryHomes, sampleWeb } from './sample.ts'
import { smallWeb } from '../../testing/simulation-fixture.ts'

const site = (pages: number): Parameters<typeof smallWeb>[0][number] => ({
  pages: Array.from({ length: pages }, () => 10),
  latencyMs: 0,
  bandwidth: 100,
})
/** Page 0 links to 1, and that to 2 and to the second site: 3, 4. Page 4 is found by nobody else. */
const web = smallWeb(
  [site(3), site(2)],
  [
    [0, 1],
    [1, 2],
    [1, 3],
  ],
)

test('a site without a known home page is entered at its first page', () => {
  assert.deepEqual(registryHomes({ ...web, homes: [1] }), [1, 3])
  assert.deepEqual(registryHomes(web), [0, 3])
})

test('what no link leads to is not part of the sample', () => {
  const { web: part, depths } = sampleWeb(web, 100)
  assert.equal(part.pages, 4)
  assert.deepEqual([...depths], [0, 1, 2, 0])
})

test('of a site the pages nearest to its home page are taken, as many as allowed', () => {
  const { web: part, depths } = sampleWeb(web, 2)
  assert.deepEqual([...part.siteOf], [0, 0, 1])
  assert.deepEqual([...depths], [0, 1, 0])
})
