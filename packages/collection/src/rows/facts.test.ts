import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import { Collection } from '../collection.ts'
import { CollectionError } from '../errors.ts'
import { factKind, FACTS } from './facts.ts'
import type { FactKind, Facts } from './facts.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'

const AT = Date.UTC(2026, 10, 1)

const samples: { readonly [Name in keyof Facts]: Facts[Name] } = {
  warc: { names: ['a.warc.gz'], goodBytes: 7 },
  closed: true,
  seeds: ['https://a.example/'],
  moved: [],
  forgottenSites: ['https://b.example'],
  forgettings: [{ at: AT, pages: 1, sites: 0 }],
  inbox: 9,
  topic: 'tides',
  scope: '["host"]',
  settings: '{}',
  types: '[["page"],[]]',
  taken: [{ shard: 1, epoch: 2, position: 30 }],
  openings: [{ epoch: 1, lengths: [0, 0] }],
  urlRules: { ...defaultUrlRules, sites: [{ host: 'a.example', dropParameters: ['sid'] }] },
}
const kinds: [name: string, kind: FactKind<unknown>, sample: unknown][] = Object.entries(FACTS).map(([name, kind]) => [
  name,
  kind,
  Object.entries(samples).find(([own]) => own === name)?.[1],
])

test('a fact has the name that it stands under, and takes what is of its kind alone', () => {
  for (const [name, kind, sample] of kinds) {
    assert.equal(kind.name, name)
    assert.ok(kind.isOne(sample), name)
    for (const other of [null, -1.5, [1], { a: 1 }, new Map()]) assert.ok(!kind.isOne(other), name)
  }
})

test('what is put is there at once, and when the collection is opened again', async (t) => {
  const dir = testFolder(t)
  {
    await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
    collection.putFact(FACTS.topic, 'tides')
    assert.equal(collection.fact(FACTS.topic), 'tides')
    await new SampleCrawl(collection).commit()
  }
  await using again = await Collection.open(dir, AT, { minFreeBytes: 0 })
  assert.equal(again.fact(FACTS.topic), 'tides')
  assert.equal(again.fact(FACTS.moved), undefined)
})

const anything = (name: string): FactKind<unknown> => factKind(name, () => true)

test('a fact of another shape, as a stranger may write it, is damage that is told by its name', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT, { minFreeBytes: 0 })
  for (const [name, kind] of kinds.filter(([own]) => own !== 'warc' && own !== 'closed')) {
    collection.putFact(anything(name), { constructor: 5 })
    assert.throws(
      () => collection.fact(kind),
      (error) =>
        error instanceof CollectionError &&
        error.code === 'COLLECTION_DAMAGED' &&
        error.message.includes(`\`${name}\``),
    )
  }
})
