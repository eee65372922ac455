import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { JOB, MACHINES, readJob, readMachines, readSettings, writeSettings } from '../settings.ts'
import type { Job } from '../settings.ts'
import { WholeRecords } from './whole-records.ts'

const settings = { format: 1, name: 'web', shards: 2, vault: '/v', leaseMs: 30_000, takeOverAfterMs: 600_000 }
const noVault = { kept: () => undefined, keep: () => undefined }
const job = (number: number, state: Job['state'] = 'running'): Job => ({
  number,
  state,
  seeds: ['http://a.example/'],
  options: {},
  maxPages: 0,
})

async function joined(net: MemoryRoadNet): Promise<{ readonly records: WholeRecords; readonly heard: Job[] }> {
  const heard: Job[] = []
  const records = new WholeRecords({
    id: 'm',
    road: net.road('m'),
    settings,
    vault: noVault,
    ask: () => Promise.resolve(undefined),
    onJob: (one) => void heard.push(one),
  })
  await untilSo(() => {
    records.turn()
    return records.isKnown
  })
  return { records, heard }
}

/** Turns until it is so. */
async function turnsUntil(records: WholeRecords, isSo: () => Promise<boolean>): Promise<void> {
  let is = false
  await untilSo(() => {
    records.turn()
    void isSo().then((so) => (is ||= so))
    return is
  })
}

test('nothing is known before the register was read and this machine is a member', async () => {
  const net = new MemoryRoadNet()
  const { register } = net.road('other')
  await writeSettings(register, settings)
  const records = new WholeRecords({
    id: 'm',
    road: net.road('m'),
    settings,
    vault: noVault,
    ask: () => Promise.resolve({}),
    onJob: () => undefined,
  })
  assert.equal(records.isKnown, false)
  await turnsUntil(records, async () => (await readMachines(register)).ids.includes('m') && records.isKnown)
  assert.deepEqual([records.alive, records.members], [1, ['m']])
})

// oxfmt-ignore
const fallen: [sentence: string, ours: Job, there: Job, expected: Job][] = [
  ['an earlier crawl',            job(2),          job(1, 'ended'), job(2)],
  ['the same one as it ran',      job(2, 'ended'), job(2),          job(2, 'ended')],
  ['a later one, which we follow', job(2, 'ended'), job(3),          job(3)],
]
for (const [sentence, ours, there, expected] of fallen) {
  test(`where the register says ${sentence}, the later is what is crawled, there and here`, async () => {
    const net = new MemoryRoadNet()
    const { register } = net.road('other')
    await writeSettings(register, settings)
    await register.create(JOB, { ...ours })
    const { records, heard } = await joined(net)
    const held = await readJob(register)
    await register.replace(JOB, { ...there }, held!.revision)
    await turnsUntil(records, async () => {
      const now = (await readJob(register))?.job
      return now?.number === expected.number && now.state === expected.state && records.job?.number === expected.number
    })
    assert.deepEqual(records.job, expected)
    assert.deepEqual(heard.at(-1), expected)
  })
}

test('what was wiped is written again, also when nothing is crawled yet', async () => {
  const net = new MemoryRoadNet()
  const { register } = net.road('other')
  await writeSettings(register, settings)
  const { records } = await joined(net)
  net.wipe()
  await turnsUntil(records, async () => (await readMachines(register)).ids.includes('m'))
  assert.deepEqual(await readSettings(register, 'web'), settings)
  assert.equal(await register.read(JOB), undefined)
  assert.ok((await register.read(MACHINES)) !== undefined)
})
