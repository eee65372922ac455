import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagsOf } from '../command.ts'
import { parseCommandLine } from '../command-line.ts'
import { loadCommands } from '../commands.ts'
import { helpText, overview, reference, wrap } from './help-text.ts'
import { comityHere } from '../testing/spawned-comity.ts'

const commands = await loadCommands()

for (const command of commands) {
  test(`the help of ${command.name} mentions every flag and every operand`, () => {
    const text = helpText(command)
    for (const { name, key, parse } of flagsOf(command)) {
      const shown = parse === undefined ? `"${key}"` : `-${name}`
      assert.ok(text.includes(shown), shown)
    }
    for (const { name } of command.operands) assert.ok(text.includes(name), name)
  })

  test(`the examples of ${command.name} are right use`, () => {
    assert.ok(command.examples.length > 0)
    for (const [line] of command.examples) {
      const [program, name, ...argv] = line.replace(/ \| .*/, '').match(/"[^"]*"|\S+/g) ?? []
      assert.deepEqual([program, name], ['comity', command.name])
      assert.doesNotThrow(() => parseCommandLine(command, argv.map(unquoted), {}), line)
    }
  })
}

test('COMMAND --help and help COMMAND say it', async () => {
  const [flag, word] = await Promise.all([comityHere(['search', '--help']), comityHere(['help', 'search'])])
  const expected = {
    code: 0,
    signal: null,
    stdout: `${helpText(commands.find(({ name }) => name === 'search')!)}\n`,
    stderr: '',
  }
  assert.deepEqual([flag, word], [expected, expected])
})

const unquoted = (word: string): string => word.replaceAll('"', '').replace('…', 'x')

test('comity alone, help and --help list all commands; --version says which version', async () => {
  const [alone, help, flag, version] = await Promise.all(
    [[], ['help'], ['--help'], ['--version']].map((words) => comityHere(words)),
  )
  assert.equal(alone?.stdout, `${overview(commands)}\n`)
  assert.equal(help?.stdout, alone?.stdout)
  assert.equal(flag?.stdout, alone?.stdout)
  assert.match(version?.stdout ?? '', /^comity \d+\.\d+\.\d+, Node v24/)
  for (const { name } of commands) assert.match(alone?.stdout ?? '', new RegExp(`^  ${name} `, 'm'))
})

test('the reference in Markdown holds the help of every command', () => {
  const text = reference(commands)
  for (const command of commands) assert.ok(text.includes(helpText(command)))
})

test('no line of help is wider than a page, apart from the examples', () => {
  for (const command of commands) {
    const own = new Set(command.examples.map(([line]) => `  ${line}`))
    for (const line of helpText(command).split('\n')) if (!own.has(line)) assert.ok(line.length <= 80, line)
  }
})

test('text is wrapped between words', () => assert.deepEqual(wrap('aa bb cc dddddd', 5), ['aa bb', 'cc', 'dddddd']))
