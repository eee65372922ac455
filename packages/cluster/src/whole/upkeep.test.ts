import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machinePlace } from '../machine/whole-records.ts'
import { MemoryRoadNet } from '../road/memory-road.ts'
import type { Road } from '../road/road.ts'
import { changeRecord, MACHINES, readSettings, writeSettings } from '../settings.ts'
import { newestOfAll, upgradeCluster } from './upkeep.ts'

async function clusterOf(machines: Readonly<Record<string, readonly number[] | 'first' | 'silent'>>): Promise<Road> {
  const net = new MemoryRoadNet()
  const road = net.road('asks')
  await writeSettings(road.register, {
    name: 'web',
    shards: 1,
    vault: '/v',
    leaseMs: 2_000,
    takeOverAfterMs: 0,
    format: 1,
  })
  await changeRecord(road.register, MACHINES, () => ({ ids: Object.keys(machines) }))
  for (const [id, knows] of Object.entries(machines))
    if (knows !== 'silent')
      net.road(id).answerAt(machinePlace(id), () => (knows === 'first' ? { id } : { id, formats: knows }))
  return road
}

// oxfmt-ignore
const cases: [sentence: string, known: readonly (readonly number[])[], newest: number][] = [
  ['what all know',               [[1, 2], [1, 2]],            2],
  ['the lower of two versions',   [[1, 2], [1]],               1],
  ['what one of many skips',      [[1, 2, 3], [1, 3], [1, 2]], 1],
  ['nobody: the first',           [],                          1],
]
for (const [sentence, known, newest] of cases)
  test(`the whole speaks ${sentence}`, () => assert.equal(newestOfAll(known), newest))

test('a cluster moves up when its last machine of the first version has gone', async () => {
  const mixed = await clusterOf({ a: [1, 2], b: 'first' })
  const before = await readSettings(mixed.register, 'web')
  const said = await upgradeCluster({ road: mixed, settings: before })
  assert.deepEqual([said.from, said.to, (await readSettings(mixed.register, 'web')).format], [1, 1, 1])
  const all = await clusterOf({ a: [1, 2], b: [1, 2, 3] })
  const { to } = await upgradeCluster({ road: all, settings: await readSettings(all.register, 'web') })
  assert.deepEqual([to, (await readSettings(all.register, 'web')).format], [2, 2])
})

test('a machine that does not answer may be of the first version, so nothing moves', async () => {
  const road = await clusterOf({ a: [1, 2], b: 'silent' })
  const settings = await readSettings(road.register, 'web')
  await assert.rejects(upgradeCluster({ road, settings }), { code: 'CLUSTER_SETTING', message: /^b does not answer/ })
})
