import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makePrivateFolder } from '@comity/disk'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { MACHINES } from '../settings.ts'
import { machineId, requireAdmission } from './admission.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-admission-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

test('a folder is one machine for good, and of one cluster', () => {
  const into = join(scratch, 'one')
  makePrivateFolder(into)
  const id = machineId(into, 'web')
  assert.equal(machineId(into, 'web'), id)
  assert.throws(() => machineId(into, 'other'), { code: 'MACHINE_FOLDER' })
})

test('a copy of a folder does not join beside the machine that it was copied from', async () => {
  const net = new MemoryRoadNet()
  net.road('first').answerAt('machine.a', () => ({ at: Date.now() }))
  await assert.rejects(requireAdmission(net.road('copy'), 'a'), {
    code: 'MACHINE_FOLDER',
    message: /a copy of its folder/,
  })
})

// oxfmt-ignore
const clocks: [sentence: string, aheadMs: number, code: string | undefined][] = [
  ['agrees',           100, undefined],
  ['is ahead',       9_000, 'CLUSTER_SKEWED'],
  ['is behind',     -9_000, 'CLUSTER_SKEWED'],
]
for (const [sentence, aheadMs, code] of clocks) {
  test(`a machine whose clock ${sentence} ${code === undefined ? 'joins' : 'does not join'}`, async () => {
    const net = new MemoryRoadNet({
      delays: (_, place) => (place === 'first' || place === 'new' ? [0] : []),
      after: (ms, act) => (ms === 0 ? act() : void setImmediate(act)),
    })
    const road = net.road('first')
    await road.register.create(MACHINES, { ids: ['a'] })
    road.answerAt('machine.a', () => ({ at: Date.now() + aheadMs }))
    const joining = requireAdmission(net.road('new'), 'b')
    if (code === undefined) await assert.doesNotReject(joining)
    else await assert.rejects(joining, { code })
  })
}
