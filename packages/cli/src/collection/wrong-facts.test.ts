import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Collection, factKind } from '@comity/collection'
import { restoredFrontier } from './collection-view.ts'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'
import { FACT_READERS } from './wrong-facts.ts'

const PACKAGES = join(import.meta.dirname, '../../..')
const AT = Date.UTC(2026, 10, 1)
/** Without them it is not opened: that ends with their names. */
const NEEDED = new Set(['warc', 'closed', 'urlRules'])

async function collectionWith(dir: string, wrong: readonly string[]): Promise<void> {
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  for (const name of wrong)
    collection.putFact(
      factKind<unknown>(name, () => true),
      new Map([['constructor', 5]]),
    )
  await collection.commit(restoredFrontier(collection, AT, true).drain())
}

test('every fact that a package keeps has a reader here', () => {
  const sources = globSync('*/src/**/*.ts', { cwd: PACKAGES }).filter((path) => !/\.test\.ts$|\/testing\//u.test(path))
  const kept = sources.flatMap((path) =>
    [...readFileSync(join(PACKAGES, path), 'utf8').matchAll(/\bfactKind\(\s*'(\w+)'/gu)].map(([, name]) => name!),
  )
  assert.deepEqual([...FACT_READERS.keys()].toSorted(), kept.toSorted())
})

test('facts that are wrong are counted and named, and inspect tells all the rest', async () => {
  using folder = temporaryFolder()
  const wrong = [...FACT_READERS.keys()].filter((name) => !NEEDED.has(name))
  await collectionWith(folder.at('wrong'), wrong)
  const ended = await comityHere(['inspect', folder.at('wrong'), '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const told = lastJson(ended)
  assert.deepEqual(told['wrongFacts'], { count: wrong.length, names: wrong })
  assert.deepEqual([told['pages'], told['seeds'], told['freshness']], [0, [], undefined])
  const words = await comityHere(['inspect', folder.at('wrong')])
  assert.match(words.stdout, new RegExp(`Facts that nobody can read[^]*${wrong.length}[^]*seeds[^]*reading`, 'u'))
})

test('of a collection as comity writes it none is wrong', async () => {
  using folder = temporaryFolder()
  await collectionWith(folder.at('right'), [])
  const told = lastJson(await comityHere(['inspect', folder.at('right'), '--json']))
  assert.deepEqual(told['wrongFacts'], { count: 0, names: [] })
  assert.doesNotMatch((await comityHere(['inspect', folder.at('right')])).stdout, /nobody can read/u)
})
