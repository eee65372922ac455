import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { ProgramUpdate } from '@comity/gateway'
import { parseCommandLine } from '../command-line.ts'
import { gatewayCommand } from './command.ts'
import type { GatewaySettings } from './flags.ts'
import { openProgram, sentenceOf } from './program.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const settingsOf = (...words: string[]): GatewaySettings => parseCommandLine(gatewayCommand, words, {}).settings

const told: [update: ProgramUpdate, words: RegExp][] = [
  [{ kind: 'installed', version: '1.2.0' }, /rules 1\.2\.0 came from the repository/],
  [{ kind: 'same' }, /rules is what the repository wants/],
  [{ kind: 'kept-back', version: '1.2.0', reason: 'it threw' }, /failed here \(it threw\).*--agents store/],
  [{ kind: 'refused', problem: 'no key' }, /was not taken.*: no key/],
  [{ kind: 'unreachable', problem: 'nobody' }, /was not reached.*: nobody/],
]
for (const [update, words] of told)
  test(`${update.kind} is said`, () => assert.match(sentenceOf('rules', update, 'store'), words))

test('without the flag nothing is made', () => {
  assert.equal(openProgram(settingsOf('--pcap', 'x'), assert.fail), undefined)
})

test('without a repository nobody is asked, and what is installed runs', async () => {
  using folder = temporaryFolder()
  const agents = folder.at('agents')
  const keeper = openProgram(settingsOf('--pcap', 'x', '--program', 'rules', '--agents', agents), assert.fail)!
  await keeper.update()
  assert.ok(existsSync(agents))
  assert.deepEqual(keeper.figures(), {
    name: 'rules',
    version: undefined,
    judged: 0,
    skipped: 0,
    replaced: 0,
    runs: 0,
    faults: 0,
  })
})

test('a repository that is not there is told once, and stopping does not wait for an hour', async () => {
  using folder = temporaryFolder()
  const words = ['--state', folder.at('state'), '--to', 'http://127.0.0.1:9', '--agents', folder.at('agents')]
  const sentences: string[] = []
  const keeper = openProgram(settingsOf('--pcap', 'x', '--program', 'rules', ...words), (one) => sentences.push(one))!
  await keeper.update()
  await keeper.update()
  assert.equal(sentences.length, 1)
  assert.match(sentences[0]!, /was not reached for program rules/)
  const stop = new AbortController()
  const keeping = keeper.keep(stop.signal)
  stop.abort()
  await keeping
})
