import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { orderNamed } from '@comity/frontier'
import { MemoryRoadNet } from './road/memory-road.ts'
import {
  changeRecord,
  crawlOptionsOf,
  jobOptions,
  readJob,
  readMachines,
  readSettings,
  SETTINGS,
  writeSettings,
} from './settings.ts'

const settings = { name: 'web', shards: 6, vault: '/v', leaseMs: 30_000, takeOverAfterMs: 600_000 }

test('a cluster is made once, and is what it was made', async () => {
  const { register } = new MemoryRoadNet().road('a')
  await assert.rejects(readSettings(register, 'web'), { code: 'CLUSTER_MISSING' })
  await writeSettings(register, settings)
  assert.deepEqual(await readSettings(register, 'web'), { ...settings, format: 2 })
  await assert.rejects(writeSettings(register, settings), { code: 'CLUSTER_EXISTS' })
})

// oxfmt-ignore
const wrong: [sentence: string, given: Partial<typeof settings>, message: RegExp][] = [
  ['a name with a dot', { name: 'a.b' },       /called by small letters/],
  ['no shards',         { shards: 0 },         /--shards must be from 1 to 4096, not 0/],
  ['too many shards',   { shards: 5_000 },     /not 5000/],
  ['a short lease',     { leaseMs: 100 },      /--lease must be 1\.5 s or more/],
]
for (const [sentence, given, message] of wrong) {
  test(`${sentence} is refused`, async () => {
    const { register } = new MemoryRoadNet().road('a')
    await assert.rejects(writeSettings(register, { ...settings, ...given }), { code: 'CLUSTER_SETTING', message })
  })
}

test('records that are none of ours are as if they were not there, and another format is named', async () => {
  const { register } = new MemoryRoadNet().road('a')
  for (const key of [SETTINGS, 'job', 'machines']) await register.create(key, { format: 1, odd: true })
  await assert.rejects(readSettings(register, 'web'), { code: 'CLUSTER_MISSING' })
  assert.equal(await readJob(register), undefined)
  assert.deepEqual((await readMachines(register)).ids, [])
  await changeRecord(register, SETTINGS, () => ({ ...settings, format: 9 }))
  await assert.rejects(readSettings(register, 'web'), { code: 'CLUSTER_SETTING', message: /has format 9/ })
})

test('what many change at once has all their changes in the end', async () => {
  const net = new MemoryRoadNet()
  const add = async (name: string): Promise<void> =>
    await changeRecord(net.road(name).register, 'list', (value) => ({
      names: [...((value?.['names'] ?? []) as string[]), name],
    }))
  await Promise.all(['a', 'b', 'c', 'd'].map(add))
  const names = (await net.road('a').register.read('list'))?.value['names'] as string[]
  assert.deepEqual(names.toSorted(), ['a', 'b', 'c', 'd'])
})

// oxfmt-ignore
const refused: [sentence: string, given: Partial<CrawlOptions>, message: RegExp][] = [
  ['an order that needs links',  { order: orderNamed('pagerank') },                                  /no order pagerank: it is one of depth/],
  ['a hook',                     { hooks: { onCapture: () => undefined } },                          /no hooks/],
  ['a password of a site',       { sites: [{ origin: 'https://a.example', basicAuth: 'u:hidden' }] }, /no secret of a site/],
  ['a proxy, with what is in it', { proxy: 'http://u:hidden@p.example' },                            /no proxy/],
]
for (const [sentence, given, message] of refused) {
  test(`${sentence} is refused by name, and no secret is repeated`, () =>
    assert.throws(
      () => jobOptions(given),
      (error: Error) => message.test(error.message) && !/hidden/.test(error.message),
    ))
}

test('options go through a record and come out as they were', () => {
  const shared: Partial<CrawlOptions> = {
    scope: 'any',
    maxDepth: 4,
    allowPrivate: ['10.0.0.0/8'],
    addressDelays: [{ network: '10.0.0.0/8', delayMs: 5 }],
  }
  const given = { ...shared, order: orderNamed('length'), maxPages: 9, batch: Infinity, hooks: {} }
  const options = JSON.parse(JSON.stringify(jobOptions(given))) as Record<string, unknown>
  const job = { number: 1, state: 'running', seeds: ['https://a.example/'], options, maxPages: 9 } as const
  const { order, ...rest } = crawlOptionsOf(job, 4)
  assert.deepEqual([order?.name, rest], ['length', { ...shared, seeds: job.seeds }])
  assert.equal({ ...crawlDefaults, ...rest }.maxBytes, Infinity, 'what has no limit has none')
})

test('each shard has its part of a rate, so that all together keep to it', () => {
  const options = JSON.parse(JSON.stringify(jobOptions({ bytesPerSecond: 1_000 }))) as Record<string, unknown>
  const job = { number: 1, state: 'running', seeds: ['https://a.example/'], options, maxPages: 0 } as const
  assert.equal(crawlOptionsOf(job, 4).bytesPerSecond, 250)
})
