/** The simulation behind docs/capacity.md: what it counts adds up, and is the same for the same seed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '@comity/lab'
import { extrapolated } from '../../bench/cluster-extrapolation.ts'
import { sharesOf } from '../../bench/cluster-shares.ts'

const web = generateWeb({ pages: 3_000, sites: 300, seed: 4 })
const call = { web, shards: 20, seed: 4, onPlatforms: 0.2, behindNetworks: 0.5 }
const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, one) => total + one, 0)

test('each page is of one shard, each foreign URL a row and an entry of who found it', () => {
  const shares = sharesOf(call)
  assert.deepEqual([sum(shares.pages), sum(shares.sites)], [shares.fetched, web.sites])
  assert.deepEqual([sum(shares.foreignRows), sum(shares.entries)], [shares.told, shares.told + shares.toldAgain])
  assert.equal(sum(shares.addressPages), shares.fetched)
  assert.ok(shares.told > 0 && shares.crossing >= shares.told && shares.crossing < shares.links)
  assert.deepEqual(sharesOf(call), shares)
})

test('the same pages are reached however many shards there are, and one shard tells nobody', () => {
  const alone = sharesOf({ ...call, shards: 1 })
  assert.deepEqual([alone.told, alone.crossing], [0, 0])
  assert.equal(alone.fetched, sharesOf(call).fetched)
})

test('what is linear doubles with the pages, and questions among shards grow with their square', () => {
  const counted = { entriesAPage: 0.5, entryBytes: 80 }
  const lines = extrapolated([1e9, 2e9], counted)
  const of = (name: string): readonly number[] => lines.find((line) => line.name === name)!.values
  const ratio = (name: string): number => of(name)[1]! / of(name)[0]!
  assert.deepEqual([ratio('pages a second'), ratio('entries a second'), ratio('shards')], [2, 2, 2])
  assert.ok(ratio('questions among shards a second') > 3.9)
})
