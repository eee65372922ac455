// Runs alone: it is long.
/** What commands print with `--json` is a contract: names are added, never renamed or taken away. See `json-contract.ts`. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { flagsOf } from '../../packages/cli/src/command.ts'
import type { Command } from '../../packages/cli/src/command.ts'
import { loadCommands } from '../../packages/cli/src/commands.ts'
import { broken, contractOf, CONTRACTS, shapeOf } from '../../packages/cli/src/testing/json-contract.ts'
import { isNatsHere } from '../../packages/cluster/src/testing/nats-server.ts'
import { printedJson } from './printed-json.ts'
import type { Printed } from './printed-json.ts'

/** Without it nothing can be asked of a cluster; `.ci/run` has it. */
const hasNats = isNatsHere() || process.env['COMITY_REQUIRE_ALL'] !== undefined

/** Takes most of a minute and is run where the demo is tested. */
const ELSEWHERE = 'demo'

const hasJson = (command: Command): boolean => flagsOf(command).some(({ name }) => name === 'json')
const commands = (await loadCommands()).filter(hasJson)
const recorded = readdirSync(CONTRACTS).map((file) => file.replace(/\.json$/, ''))

/** What a command can be told to do, where that is its first operand. */
const wordsOf = ({ tables = [] }: Command): readonly string[] =>
  tables.filter(({ title }) => title === 'Words').flatMap(({ rows }) => rows.map(([name]) => name))

describe('JSON is a contract', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'comity-contract-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let printed: Printed = new Map()
  before(async () => void (printed = await printedJson(folder)))

  it('is recorded for every command that has it', () => {
    assert.deepEqual(recorded.toSorted(), commands.map(({ name }) => name).toSorted())
  })

  for (const command of commands) {
    const { name } = command
    if (name === ELSEWHERE) continue

    it(`of comity ${name}: every name is there, with its type`, () => {
      const [contract, cases] = [contractOf(name), printed.get(name)]
      const titles = Object.keys(contract).filter((title) => hasNats || !/cluster/.test(title))
      assert.deepEqual([...(cases?.keys() ?? [])].toSorted(), titles.toSorted())
      const problems = [...(cases ?? [])].flatMap(([title, values]) =>
        broken(contract[title]!, shapeOf(values)).map((problem) => `${title}: ${problem}`),
      )
      assert.deepEqual(problems, [])
    })
  }

  it('is recorded for every word of agents', () => {
    const agent = commands.find(({ name }) => name === 'agent')!
    const words = new Set(Object.keys(contractOf('agent')).map((title) => title.split(' ')[1]))
    assert.ok(wordsOf(agent).length > 0)
    for (const word of wordsOf(agent)) assert.ok(words.has(word), word)
  })
})
