import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { forgetPages } from '@comity/collection'
import { AT, sampleRepository } from './testing/sample-repository.ts'

test('statistics put together what collection, index and crawl say', async (t) => {
  const { repository, control } = await sampleRepository(t)
  const { pages, warcBytes, index, crawl } = await repository.statistics()
  assert.deepEqual([pages.held, index.documents, crawl.kind], [4, 4, 'running'])
  assert.ok(warcBytes > 1_000)
  control.condition = 'none'
  assert.deepEqual((await repository.statistics()).crawl, { kind: 'none' })
})

test('a site is told with its robots.txt, its outcomes and its most important pages', async (t) => {
  const { repository } = await sampleRepository(t)
  for (const origin of ['https://a.example', 'a.example', 'HTTPS://A.example/some/page']) {
    const site = await repository.site(origin)
    assert.deepEqual(
      [site.origin, site.robots, site.robotsText],
      ['https://a.example', 'rules', 'User-agent: *\nDisallow: /private'],
    )
    assert.deepEqual(site.outcomes, { ok: 2, 'client-error': 1 })
    assert.deepEqual(
      site.topPages.map(({ title }) => title),
      ['Home <b>of</b> A', 'One'],
    )
  }
  assert.equal((await repository.site('https://unseen.example')).robots, 'not asked')
})

test('a page that was forgotten is not told, not shown and not compared', async (t) => {
  const { repository, collection, clock } = await sampleRepository(t)
  await forgetPages(collection, [1], AT + 70_000)
  clock.now += 10_000
  const asked = [
    repository.page({ key: 1 }),
    repository.page({ url: 'https://a.example/1' }),
    repository.stored({ key: 1 }),
    repository.difference({ key: 1 }, AT + 1_000, AT + 2_000),
  ]
  await Promise.all(asked.map((one) => assert.rejects(one, { status: 404 })))
  const { linksOut } = await repository.page({ key: 0 })
  assert.ok(linksOut.every(({ url }) => url !== 'https://a.example/1'))
})

test('the newest capture with a body is shown, or the one that is asked for', async (t) => {
  const { repository } = await sampleRepository(t)
  const bodyAt = async (at?: number): Promise<string> =>
    Buffer.from((await repository.stored({ key: 1 }, at)).bytes).toString()
  assert.equal(await bodyAt(), '<p>one</p><p>changed</p>')
  assert.equal(await bodyAt(AT + 1_000), '<p>one</p><p>two</p>')
  await assert.rejects(bodyAt(AT + 1), { kind: 'capture-unknown' })
})

test('content that was dropped for want of room is not shown', async (t) => {
  const { repository, collection, crawl } = await sampleRepository(t)
  collection.drop(1)
  await crawl.commit()
  await assert.rejects(repository.stored({ key: 1 }), { kind: 'capture-unknown' })
  assert.ok((await repository.page({ key: 1 })).captures.every(({ hasBody }) => !hasBody))
})

test('an archive file that is gone is a problem to be told, not a fault', async (t) => {
  const { repository, collection } = await sampleRepository(t)
  for (const path of collection.warcPaths) rmSync(path)
  await assert.rejects(repository.stored({ key: 1 }), { kind: 'capture-unknown' })
})
