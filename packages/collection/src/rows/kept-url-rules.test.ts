import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { canonicalUrl, defaultUrlRules, firstUrlRules } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { Collection } from '../collection.ts'
import { openState, SampleCrawl, testFolder } from '../testing/sample-crawl.ts'

const AT = Date.UTC(2026, 10, 1)
const SHOP = 'https://shop.example'

async function opened<Value>(
  dir: string,
  urlRules: UrlRules | undefined,
  look: (collection: Collection) => Value,
): Promise<Value> {
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0, urlRules })
  return look(collection)
}

/** A collection that knows a page of a site. */
async function begun(t: TestContext, urlRules?: UrlRules): Promise<string> {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0, urlRules })
  const sample = new SampleCrawl(collection, [SHOP])
  sample.visit({ page: sample.offer('/'), at: AT, body: 'x' })
  await sample.commit()
  return dir
}

/** As a version of comity left it that kept no rules, or whatever somebody else wrote. */
async function withFact(dir: string, urlRules: unknown): Promise<string> {
  const state = openState(dir)
  if (urlRules === undefined) await state.meta.remove('urlRules')
  else await state.meta.put('urlRules', urlRules)
  await state.root.close()
  return dir
}

const rulesOf = (collection: Collection): UrlRules => collection.urlRules()
const settings = (more: Partial<UrlRules>): UrlRules => ({ ...defaultUrlRules, ...more })
const shopDrops = (...dropParameters: string[]): UrlRules =>
  settings({ sites: [{ host: 'shop.example', dropParameters }] })

test('a new collection has the rules of today, and keeps them', async (t) => {
  const dir = testFolder(t)
  assert.deepEqual(await opened(dir, undefined, rulesOf), defaultUrlRules)
  await using reader = Collection.openReadOnly(dir)
  assert.deepEqual(reader.urlRules(), defaultUrlRules)
})

test('a collection has the settings it was made with, for whoever opens it without any', async (t) => {
  const dir = await begun(t, shopDrops('sid'))
  assert.deepEqual(await opened(dir, undefined, rulesOf), shopDrops('sid'))
  await using reader = Collection.openReadOnly(dir)
  assert.deepEqual(reader.urlRules(), shopDrops('sid'))
})

test('as long as no site is known, settings may change', async (t) => {
  const dir = testFolder(t)
  await opened(dir, shopDrops('sid'), rulesOf)
  assert.deepEqual(await opened(dir, shopDrops('s'), rulesOf), shopDrops('s'))
  assert.deepEqual(await opened(dir, undefined, rulesOf), shopDrops('s'))
})

test('a collection from before rules were kept goes on with version 1', async (t) => {
  const dir = await withFact(await begun(t), undefined)
  assert.deepEqual(await opened(dir, undefined, rulesOf), firstUrlRules)
  const url = `${SHOP}/x?session=507f1f77bcf86cd799439011`
  assert.equal(canonicalUrl(url, undefined, await opened(dir, undefined, rulesOf)), `${SHOP}/x`)
  // Each run stated what held for all sites, and this one goes on to.
  const stated = settings({ dropParameters: ['ref'], dropSessionIds: false })
  assert.deepEqual(await opened(dir, stated, rulesOf), { ...stated, version: 1 })
  assert.deepEqual(await opened(dir, undefined, rulesOf), { ...stated, version: 1 })
})

const agreeing: [sentence: string, before: UrlRules, stated: UrlRules, after?: UrlRules][] = [
  ['the same', shopDrops('sid'), shopDrops('SID')],
  [
    'others for a site that is not known',
    shopDrops('sid'),
    settings({ sites: [...shopDrops('sid').sites, { host: '*.example', dropSessionIds: false }] }),
  ],
  [
    'the same for all sites instead of one',
    shopDrops('sid'),
    settings({ dropParameters: [...defaultUrlRules.dropParameters, 'sid'] }),
  ],
  ['a later version, which stays what it was', settings({ version: 1 }), settings({}), settings({ version: 1 })],
  ['another later version', settings({ version: 2 }), settings({}), settings({ version: 2 })],
  ['shorter URLs, and the longer ones are still found', settings({}), settings({ maxLength: 100 }), settings({})],
  ['longer URLs', settings({}), settings({ maxLength: 9_000 })],
]
for (const [sentence, before, stated, after = stated] of agreeing) {
  test(`a run may state ${sentence}`, async (t) => {
    const dir = await begun(t, before)
    assert.deepEqual(await opened(dir, stated, rulesOf), after)
    assert.deepEqual(await opened(dir, undefined, rulesOf), after)
  })
}

const refused: [sentence: string, before: UrlRules | undefined, stated: UrlRules][] = [
  ['that something more is dropped', settings({}), shopDrops('sid')],
  ['that something less is dropped', shopDrops('sid'), settings({})],
  ['that session ids stay', settings({}), settings({ dropSessionIds: false })],
  ['that all sites are others', shopDrops('sid'), settings({ dropParameters: [], sites: shopDrops('sid').sites })],
  ['settings for a site, where rules were not kept', undefined, shopDrops('sid')],
]
for (const [sentence, before, stated] of refused) {
  test(`a run may not state, of a site that is known, ${sentence}`, async (t) => {
    const dir = await begun(t, before)
    if (before === undefined) await withFact(dir, undefined)
    const rules = await opened(dir, undefined, rulesOf)
    const isRefused = {
      code: 'URL_RULES_OTHER',
      message: /the pages of https:\/\/shop\.example by other URL settings.*crawl into a new directory/s,
    }
    await assert.rejects(opened(dir, stated, rulesOf), isRefused)
    {
      await using reader = Collection.openReadOnly(dir)
      assert.throws(() => reader.urlRules(stated), isRefused)
    }
    // It is as it was, and nobody holds it.
    assert.deepEqual(await opened(dir, undefined, rulesOf), rules)
  })
}

const foreign: [sentence: string, fact: unknown, code: string][] = [
  ['a later version', { ...defaultUrlRules, version: defaultUrlRules.version + 1 }, 'COLLECTION_FORMAT'],
  ['a version that never was', { ...defaultUrlRules, version: 0 }, 'COLLECTION_FORMAT'],
  [
    'more names than anybody has',
    { ...defaultUrlRules, dropParameters: Array.from({ length: 1_001 }, (_, i) => `p${i}`) },
    'COLLECTION_DAMAGED',
  ],
  ['what is no name', { ...defaultUrlRules, sites: [{ host: 'a', keepParameters: ['a&b'] }] }, 'COLLECTION_DAMAGED'],
  ['no rules', 'version 2', 'COLLECTION_DAMAGED'],
]
for (const [sentence, fact, code] of foreign) {
  test(`rules that cannot be gone by are told by name: ${sentence}`, async (t) => {
    const dir = await withFact(await begun(t), fact)
    await assert.rejects(opened(dir, undefined, rulesOf), { code })
    await using reader = Collection.openReadOnly(dir)
    assert.throws(() => reader.urlRules(), { code })
  })
}
