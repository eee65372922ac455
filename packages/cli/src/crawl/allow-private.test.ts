import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AllowPrivate } from '@comity/protocol'
import { loadCommands } from '../commands.ts'
import type { Command } from '../command.ts'
import { parseCommandLine } from '../command-line.ts'
import { helpText } from '../terminal/help-text.ts'
import { comityHere, temporaryFolder } from '../testing/spawned-comity.ts'

/** Every command that has the flag, with what it takes besides. */
const commands: readonly Command[] = (await loadCommands()).filter(({ flags }) => 'allowPrivate' in flags)

function read(command: Command, argv: readonly string[], env: Record<string, string> = {}): AllowPrivate {
  const operands = command.operands.filter(({ optional }) => optional !== true).map(({ name }) => name.toLowerCase())
  const { settings } = parseCommandLine(command, [...operands, ...argv], env)
  return (settings as { allowPrivate: AllowPrivate }).allowPrivate
}

// oxfmt-ignore
const spellings: [argv: string[], expected: AllowPrivate][] = [
  [[],                                              false],
  [['--allow-private'],                             true],
  [['--no-allow-private'],                          false],
  [['--allow-private', '--no-allow-private'],       false],
  [['--allow-private=10.0.0.0/8'],                  ['10.0.0.0/8']],
  [['--allow-private=10.1.2.3,fd00::/8,::1'],       ['10.1.2.3', 'fd00::/8', '::1']],
  [['--allow-private', '--allow-private=10.1.2.3'], ['10.1.2.3']],
  [['--allow-private=true'],                        true],
  [['--allow-private=no'],                          false],
]
for (const command of commands) {
  test(`${command.name}: alone it means all, with networks attached these`, () => {
    for (const [argv, expected] of spellings) assert.deepEqual(read(command, argv), expected, argv.join(' '))
    assert.deepEqual(read(command, [], { COMITY_ALLOW_PRIVATE: '10.0.0.0/8, ::1' }), ['10.0.0.0/8', '::1'])
    assert.equal(read(command, [], { COMITY_ALLOW_PRIVATE: '1' }), true)
  })

  test(`${command.name}: a network that stands apart is refused, and told how to be attached`, () => {
    for (const word of ['10.0.0.0/8', '10.0.0.1', '10.0.0.0/8,::1', '::1', 'fd00::/8', '[fd00::]/8', '10.0.0.0/33']) {
      const message = new RegExp(`write --allow-private=${word.replaceAll(/[[\].]/g, String.raw`\$&`)}\\.`)
      assert.throws(() => read(command, ['--allow-private', word]), message, word)
    }
  })

  test(`${command.name}: what is no network is refused by name`, () => {
    for (const word of [
      '10.0.0.0/33',
      '10.0.0.0/8/9',
      '10.0.0/8',
      'fe80::1%eth0',
      '',
      'intranet.example',
      '10.0.0.0/8,,',
    ]) {
      assert.throws(() => read(command, [`--allow-private=${word}`]), /is no network: write 10\.1\.2\.3/, word)
    }
    assert.throws(() => read(command, ['--no-allow-private=10.0.0.0/8']), /takes no value/)
  })
}

test('crawl, watch, receive, check and publish have it', () => {
  assert.deepEqual(commands.map(({ name }) => name).toSorted(), ['check', 'crawl', 'publish', 'receive', 'watch'])
})

test('a start page behind it is a start page, as it always was', () => {
  const crawl = commands.find(({ name }) => name === 'crawl')!
  for (const page of [
    'http://10.0.0.1/',
    '10.0.0.1:8080',
    '10.0.0.1/start',
    '10.0.0.1/',
    'localhost',
    'wiki.intranet',
  ]) {
    const { operands } = parseCommandLine(crawl, ['--into', 'x', '--allow-private', page], {})
    assert.deepEqual(operands, [page])
  }
})

test('a config file says the same by true, by a text and by a list', () => {
  using folder = temporaryFolder()
  const config = folder.at('comity.json')
  const crawl = commands.find(({ name }) => name === 'crawl')!
  for (const [json, expected] of [
    [true, true],
    [false, false],
    ['10.0.0.0/8,::1', ['10.0.0.0/8', '::1']],
    [
      ['10.0.0.0/8', '::1'],
      ['10.0.0.0/8', '::1'],
    ],
  ]) {
    writeFileSync(config, JSON.stringify({ allowPrivate: json }))
    assert.deepEqual(read(crawl, ['--config', config]), expected)
  }
  writeFileSync(config, JSON.stringify({ allowPrivate: ['10.0.0.0/99'] }))
  assert.throws(
    () => read(crawl, ['--config', config]),
    /"allowPrivate" in .* has "10\.0\.0\.0\/99", which is no network/,
  )
})

test('help shows how it is written', () => {
  for (const command of commands) assert.match(helpText(command), /--allow-private\[=NET,…\] /)
})

test('a crawl of a network that is not listed is refused by its address', async () => {
  using folder = temporaryFolder()
  const words = ['crawl', 'http://127.0.0.1:9/', '--into', folder.at('c'), '--allow-private=127.9.0.0/16,::1', '--json']
  const ended = await comityHere([...words, '--patience', '1s'])
  assert.match(`${ended.stdout}${ended.stderr}`, /127\.0\.0\.1 is at 127\.0\.0\.1, a private or reserved address/)
})
