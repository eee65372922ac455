import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { missing } from '@comity/protocol/testing'
import { Collection } from './collection.ts'
import type { CollectionOptions } from './collection-options.ts'
import { CollectionError } from './errors.ts'
import { SampleCrawl } from './testing/sample-crawl.ts'

const AT = Date.UTC(2026, 10, 14)

/** A disk of its own, small enough to fill; undefined where we may not mount one. */
function smallDisk(t: TestContext, bytes: number): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'comity-disk-'))
  t.after(() => {
    spawnSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir]).status !== 0) {
    missing(t, 'a small disk', 'run as root, so that a tmpfs can be mounted')
    return undefined
  }
  return dir
}

/** Visit pages until the disk is full; returns how many are acknowledged and the error. */
async function fill(crawl: SampleCrawl, from: number): Promise<{ acknowledged: number; error: unknown }> {
  for (let page = from; ;) {
    const acknowledged = page
    for (let i = 0; i < 10; i++, page++) {
      crawl.offer(`/page/${page}`)
      crawl.visit({ page, at: AT + page, body: bodyOf(page) })
    }
    try {
      await crawl.commit()
    } catch (error) {
      return { acknowledged, error }
    }
  }
}
const bodyOf = (page: number): string =>
  `<p>${page} ${Array.from({ length: 500 }, (_, i) => (i * page) % 9_973).join(' ')}</p>`

function check(collection: Collection, pages: number): void {
  for (let page = 0; page < pages; page++) {
    const position = collection.page(page)?.body
    assert.ok(position, `page ${page} of ${pages}`)
    assert.equal(Buffer.from(collection.readBody(position)).toString(), bodyOf(page))
  }
}

const cases: [sentence: string, options: Partial<CollectionOptions>, ballastBytes: number][] = [
  ['stops while there is still room for the last commit', { minFreeBytes: 1 << 20 }, 2 << 20],
  ['stops when a WARC file or LMDB finds no room any more', { minFreeBytes: 0 }, 2 << 20],
]
for (const [sentence, options, ballastBytes] of cases) {
  test(`a full disk: ${sentence}; all that was acknowledged is safe, and it goes on when there is room`, async (t) => {
    const disk = smallDisk(t, 6 << 20)
    if (disk === undefined) return
    const dir = join(disk, 'collection')
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(ballastBytes))
    const collection = await Collection.open(dir, AT, options)
    const crawl = new SampleCrawl(collection)
    const { acknowledged, error } = await fill(crawl, 0)
    assert.ok(error instanceof CollectionError && error.code === 'DISK_FULL', String(error))
    assert.ok(acknowledged > 100, `${acknowledged} pages`)
    // There is no second try with half a commit behind: it would refer to bytes that were never written.
    await assert.rejects(crawl.commit(), { code: 'DISK_FULL' })
    await collection.close()
    const reader = Collection.openReadOnly(dir)
    check(reader, acknowledged)
    await reader.close()
    rmSync(join(disk, 'ballast'))
    await using again = await Collection.open(dir, AT, options)
    assert.equal(again.wasClosed, false)
    check(again, acknowledged)
    const more = await fill(new SampleCrawl(again, ['https://a.example'], acknowledged), acknowledged)
    assert.ok(more.acknowledged > acknowledged + 100, `${more.acknowledged} after ${acknowledged}`)
    check(again, more.acknowledged)
    t.diagnostic(`${acknowledged} pages, then ${more.acknowledged}; ${statfsSync(disk).bavail} blocks left`)
  })
}

test('a small disk is used for what is free on it: not all of a reserve that is made for large ones is kept', async (t) => {
  const disk = smallDisk(t, 8 << 20)
  if (disk === undefined) return
  await using collection = await Collection.open(join(disk, 'collection'), AT)
  const { acknowledged, error } = await fill(new SampleCrawl(collection), 0)
  assert.ok(acknowledged > 300, `${acknowledged} pages`)
  assert.match(String(error), /is full: [\d.]+ MB are free, of which 1\.0 MB are kept/)
})

test('a disk too full to begin on says so, and the same command works when there is room', async (t) => {
  const disk = smallDisk(t, 256 << 10)
  if (disk === undefined) return
  const dir = join(disk, 'collection')
  writeFileSync(join(disk, 'ballast'), Buffer.alloc((statfsSync(disk).bavail - 6) * statfsSync(disk).bsize))
  await assert.rejects(Collection.open(dir, AT), { code: 'DISK_FULL' })
  rmSync(join(disk, 'ballast'))
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  assert.equal(collection.wasClosed, true)
})
