import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { metadataArchivesSince, canGoOnFrom, readMetadataArchive, readArchiveList } from '@comity/protocol'
import { pagesOf } from '@comity/protocol/testing'
import type { MetadataArchiveList, ListedArchive, PlannedArchive } from '@comity/protocol'
import { testFolder } from '../testing/journal-sample.ts'
import { FolderFiles } from './kept-files.ts'
import { MemoryFiles } from '../testing/memory-files.ts'
import type { KeptFiles } from './kept-files.ts'
import type { Site } from '../site.ts'
import { BASE, readAnswer, requestOf, SampleSite } from '../testing/site-sample.ts'

const LIST = '/metadata/archives.txt'

async function get(site: Site, path: string): Promise<Buffer> {
  const answer = await site.answer(requestOf(path))
  assert.ok(answer !== undefined, path)
  return (await readAnswer(answer)).body
}

async function listOf(site: Site): Promise<Pick<MetadataArchiveList, 'archives' | 'deletionsAfter'>> {
  const head = readArchiveList((await get(site, LIST)).toString('utf8'), `https://a.example${LIST}`)
  const archives: ListedArchive[] = [...head.archives]
  for (const { url } of head.lists)
    archives.push(...readArchiveList((await get(site, new URL(url).pathname)).toString('utf8'), url).archives)
  return { archives, deletionsAfter: head.deletionsAfter }
}

async function read(site: Site, archives: readonly ListedArchive[]): Promise<PlannedArchive[]> {
  const found: PlannedArchive[] = []
  for (const { url, name } of archives) {
    const { entries, complete } = readMetadataArchive(await get(site, new URL(url).pathname), { site: BASE, name })
    assert.ok(complete)
    found.push({ name, entries })
  }
  return found
}

/** A crawler that follows the archives by their numbers. */
class Follower {
  held = new Map<string, number | undefined>()
  #after: number | undefined

  async poll(site: Site): Promise<void> {
    const list = await listOf(site)
    const mayFollow = this.#after !== undefined && canGoOnFrom(list, this.#after)
    const chosen = metadataArchivesSince(list.archives, mayFollow ? { after: this.#after } : {})
    const archives = await read(site, chosen)
    if (!mayFollow) this.held = new Map([...pagesOf(archives).values()].map(({ url, bytes }) => [url, bytes]))
    else
      for (const { url, bytes, gone } of archives.flatMap(({ entries }) => entries)) {
        if (gone === true) this.held.delete(url)
        else this.held.set(url, bytes)
      }
    this.#after = list.archives.reduce((most, { name }) => Math.max(most, name.number), 0)
  }
}

const keepers: [sentence: string, numRuns: number, make: (t: TestContext) => KeptFiles | undefined][] = [
  ['kept in a folder', 20, (t) => new FolderFiles(testFolder(t))],
  ['kept in memory', 60, () => new MemoryFiles()],
  ['not kept', 60, () => undefined],
]
for (const [sentence, numRuns, make] of keepers) {
  test(`archives ${sentence}: whatever happens, whoever follows by numbers holds exactly the site’s pages`, async (t) => {
    const step = fc.oneof(
      { weight: 10, arbitrary: fc.record({ page: fc.nat(60), size: fc.nat(9) }) },
      { weight: 3, arbitrary: fc.constant('poll' as const) },
      { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'compact' as const) },
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const kept = make(t)
      const sample = new SampleSite(kept === undefined ? {} : { kept }, { limits: { changes: 30 } })
      const follower = new Follower()
      let site = sample.again()
      for (const one of steps) {
        if (one === 'poll') await follower.poll(site)
        else if (one === 'restart') site = sample.again()
        else if (one === 'compact') sample.journal.compact(sample.now)
        else await sample.put({ [`/page-${one.page}`]: one.size === 0 ? null : 'x'.repeat(one.size) })
      }
      await follower.poll(site)
      const pages = [...sample.journal.pages()].map(({ path, bytes }) => [`https://a.example${path}`, bytes] as const)
      assert.deepEqual(follower.held, new Map(pages))
    })
    await fc.assert(property, { numRuns })
  })
}

const filesOf = async (site: Site): Promise<string[][]> =>
  await Promise.all(
    (await listOf(site)).archives.map(async ({ url }) => [
      url,
      (await get(site, new URL(url).pathname)).toString('base64'),
    ]),
  )

test('after a restart archives that were kept have the names and bytes they had', async () => {
  const sample = new SampleSite({ kept: new MemoryFiles() })
  await sample.put(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/page-${i}`, `page ${i}`])))
  const before = await filesOf(sample.site)
  assert.deepEqual(await filesOf(sample.again()), before)
  await sample.put({ '/page-7': 'again' })
  const after = await filesOf(sample.again())
  assert.equal(after.filter(([url, bytes]) => !before.some(([a, b]) => a === url && b === bytes)).length, 1)
})

test('kept archives that are damaged or of another journal are made anew, and followers are told', async () => {
  const damages: ((files: KeptFiles) => void)[] = [
    (files) => files.write('plan.json', Buffer.from('{"feed":1}')),
    (files) => files.write('plan.json', Buffer.from('nonsense')),
    (files) => {
      const plan = JSON.parse(Buffer.from(files.read('plan.json')!).toString('utf8')) as { names: string[] }
      files.write(plan.names[0]!, Buffer.from(files.read(plan.names[0]!)!).subarray(0, 20))
    },
  ]
  for (const damage of damages) {
    const files = new MemoryFiles()
    const sample = new SampleSite({ kept: files })
    await sample.put({ '/a': 'a', '/b': 'b' })
    const follower = new Follower()
    await follower.poll(sample.site)
    damage(files)
    await sample.put({ '/a': null, '/c': 'c' })
    await follower.poll(sample.again())
    assert.deepEqual([...follower.held.keys()].toSorted(), ['https://a.example/b', 'https://a.example/c'])
  }
})
