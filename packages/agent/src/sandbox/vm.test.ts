import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInVm } from './vm.ts'
import type { VmEnd } from './vm.ts'

const limits = { cpuMs: 5_000, memoryBytes: 24 << 20, cpuNow: () => 0 }
const asked: string[] = []
const calls = {
  ask: (question: string, text: string) => {
    asked.push(`${question} ${text}`)
    return 'null'
  },
  bytes: () => undefined,
}
const inVm = async (source: string, more: Partial<typeof limits> = {}): Promise<VmEnd> =>
  await runInVm({ task: 'run', source, perPage: false }, calls, { ...limits, ...more })

test('the clock is asked often enough, and what it says is final', async () => {
  let now = 0
  const end = await inVm('export default () => { for (;;) try { for (;;); } catch {} }', {
    cpuMs: 3,
    cpuNow: () => now++,
  })
  assert.equal(end.outcome, 'too-slow')
  // Begin, some steps, and not many more after the end.
  assert.ok(now < 20, `${now}`)
})

test('memory stays below its cap, whatever is asked for', async () => {
  const end = await inVm('const a = []; export default () => { for (;;) a.push(new Uint8Array(1e5)) }')
  assert.equal(end.outcome, 'too-large')
  assert.ok(end.memoryBytes <= limits.memoryBytes)
})

test('what is emitted is handed over in pieces, and all of it', async () => {
  asked.length = 0
  const end = await inVm(
    'export default (agent) => { for (let i = 0; i < 5000; i++) agent.emit({ i, x: "x".repeat(50) }) }',
  )
  assert.equal(end.outcome, 'done')
  assert.ok(asked.length > 3 && asked.length < 20, `${asked.length}`)
  const lines = asked.flatMap((one) => one.slice('put '.length).trimEnd().split('\n'))
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line.slice(1)) as { i: number }).i),
    Array.from({ length: 5_000 }, (_, i) => i),
  )
})

test('two runs share nothing', async () => {
  await inVm('globalThis.left = 1; export default () => {}')
  const end = await inVm('export default () => { if ("left" in globalThis) throw new Error("found") }')
  assert.equal(end.outcome, 'done')
})
