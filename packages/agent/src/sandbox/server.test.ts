import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { testFolder } from '../testing/agent-sample.ts'
import { HostGone, serveSandbox } from './server.ts'
import { frame, FrameReader, readQuestion } from './wire.ts'
import type { Question, SandboxJob } from './wire.ts'

const job = (source: string, more: Partial<SandboxJob> = {}): SandboxJob => ({
  task: 'run',
  source,
  perPage: false,
  cpuMs: 5_000,
  memoryBytes: 32 << 20,
  ...more,
})

/** What a sandbox asks when its host has said all this beforehand. */
async function asked(t: TestContext, ...said: readonly Uint8Array[]): Promise<Question[]> {
  const dir = testFolder(t)
  writeFileSync(join(dir, 'in'), Buffer.concat(said))
  const [input, output] = [openSync(join(dir, 'in'), 'r'), openSync(join(dir, 'out'), 'w')]
  try {
    await serveSandbox(input, output)
  } finally {
    closeSync(input)
    closeSync(output)
  }
  return new FrameReader(1 << 20).push(readFileSync(join(dir, 'out')))!.map((one) => readQuestion(one)!)
}

test('a program asks, is answered, and ends', async (t) => {
  const source = `export default (agent) => { agent.note(agent.read('u') + agent.bytes('u').length + agent.html('u')) }`
  const answers = [frame('"text"', 'J'), frame(Buffer.from([1, 2, 3]), 'B'), frame('null', 'J'), frame('true', 'J')]
  const questions = await asked(t, frame(JSON.stringify(job(source))), ...answers)
  assert.deepEqual(questions.slice(0, 4), [
    { name: 'text', text: '"u"' },
    { name: 'bytes', text: '"u"' },
    { name: 'html', text: '"u"' },
    { name: 'put', text: 'n"text3null"\n' },
  ])
  assert.equal(questions[4]?.name, 'end')
  assert.equal((JSON.parse(questions[4].text) as { outcome: string }).outcome, 'done')
})

test('a digest is made without asking', async (t) => {
  const source = `export default (agent) => { if (agent.digest('a').length !== 64) throw 1 }`
  const [end, ...more] = await asked(t, frame(JSON.stringify(job(source))))
  assert.deepEqual([(JSON.parse(end!.text) as { outcome: string }).outcome, more], ['done', []])
})

test('a program whose host is gone ends, also when it catches what it can', async (t) => {
  const stubborn = `export default (agent) => { for (;;) try { agent.read('u') } catch {} }`
  await assert.rejects(asked(t, frame(JSON.stringify(job(stubborn)))), HostGone)
  await assert.rejects(asked(t), HostGone)
})
