import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { comityHere, lastJson } from '../testing/spawned-comity.ts'
import { createWaczFixture, linesIn, pagesOf } from '../testing/wacz-fixture.ts'

const fixture = await createWaczFixture(12)
const { folder, crawled, wacz } = fixture
after(() => fixture[Symbol.asyncDispose]())

async function linksOf(dir: string): Promise<string[]> {
  const file = folder.at('links.tsv')
  assert.equal((await comityHere(['export', dir, '--graph', file])).code, 0)
  return linesIn(readFileSync(file)).toSorted()
}

test('a crawl, exported as WACZ and imported, is the same pages with the same digests, dates and links', async () => {
  const dir = folder.at('imported')
  const imported = await comityHere(['import', wacz, '--into', dir, '--json'])
  assert.equal(imported.code, 0, imported.stderr)
  const pages = await pagesOf(crawled, folder)
  const summary = lastJson(imported)
  assert.equal(summary['pages'], pages.filter(({ outcome }) => outcome === 'ok').length)
  assert.deepEqual(await pagesOf(dir, folder), pages)
  assert.deepEqual(await linksOf(dir), await linksOf(crawled))
  const { url, title } = pages.find((page) => page['title'] !== undefined) ?? {}
  const searched = await comityHere(['search', dir, String(title), '--json'])
  assert.equal(searched.code, 0, searched.stderr)
  const { results } = lastJson(searched) as { results: { url: string }[] }
  assert.ok(
    results.some((result) => result.url === url),
    'an imported page is found by its title',
  )
  const again = lastJson(await comityHere(['import', wacz, '--into', dir, '--json']))
  assert.deepEqual([again['captures'], again['pages'], again['bytes']], [0, 0, 0])
})

test('a WACZ that is cut, or has none of what it should, is refused by name', async () => {
  const bytes = readFileSync(wacz)
  const cases: [name: string, content: Uint8Array, says: RegExp][] = [
    ['cut.wacz', bytes.subarray(0, bytes.length - 10), /no directory/],
    ['empty.wacz', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]), /no WARC file/],
    ['page.html', Buffer.from('<title>404</title>'), /no WARC record could be read/],
  ]
  for (const [name, content, says] of cases) {
    writeFileSync(folder.at(name), content)
    const { code, stderr } = await comityHere(['import', folder.at(name), '--into', folder.at('never')])
    assert.equal(code, 2, name)
    assert.match(stderr, says)
  }
})

test('a damaged WARC file in a WACZ gives what can be read, and is counted', async () => {
  const bytes = readFileSync(wacz)
  // In the middle of the first WARC file.
  bytes.fill(0, 20_000, 20_100)
  writeFileSync(folder.at('damaged.wacz'), bytes)
  const imported = await comityHere(['import', folder.at('damaged.wacz'), '--into', folder.at('damaged'), '--json'])
  assert.equal(imported.code, 0, imported.stderr)
  const summary = lastJson(imported) as { pages: number; skipped: Record<string, number> }
  assert.ok(summary.pages > 0)
  assert.equal(summary.skipped['bad-entry'], 1)
  assert.match(imported.stderr, /its sum does not fit; what was read before that is kept/)
})

const wrong: [args: readonly string[], code: number, says: RegExp][] = [
  [['import', wacz], 2, /--into DIR/],
  [['import', '--into', folder.at('none')], 2, /FILE|archives/],
  [['import', folder.at('nowhere.warc'), '--into', folder.at('none')], 1, /ENOENT/],
]
for (const [args, code, says] of wrong) {
  test(`${says.source} is said of a wrong import, and no collection is made`, async () => {
    const ended = await comityHere(args)
    assert.equal(ended.code, code)
    assert.match(ended.stderr, says)
    assert.ok(!existsSync(folder.at('none')))
  })
}
