import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { off, on } from './command.ts'
import type { Command, FlagTable } from './command.ts'
import { parseCommandLine } from './command-line.ts'
import { countFrom } from './terminal/quantity.ts'
import { temporaryFolder } from './testing/spawned-comity.ts'
import { UsageError } from './usage-error.ts'

interface Settings {
  readonly maxPages: number
  readonly include: readonly string[]
  readonly password: number
  readonly loud: boolean
  readonly sitemaps: boolean
  readonly config: string | undefined
  readonly notes: string
}

const flags: FlagTable<Settings> = {
  maxPages: { argument: 'N', default: 7, parse: countFrom(1), help: 'pages' },
  include: { argument: 'GLOB', default: [], parse: (text) => [text], many: true, help: 'patterns' },
  password: { argument: 'N', default: 0, parse: countFrom(1), secret: true, help: 'a secret' },
  loud: off('say more'),
  sitemaps: on('no sitemaps'),
  config: { argument: 'FILE', default: undefined, parse: String, help: 'a file' },
  notes: { default: '', read: String, help: 'in a file only' },
}
const command: Command<Settings> = {
  name: 'try',
  summary: 'try it',
  operands: [
    { name: 'DIR', help: 'a directory' },
    { name: 'URL', help: 'a page', optional: true },
  ],
  flags,
  examples: [],
  run: () => Promise.resolve(0),
}

function settingsOf(argv: readonly string[], env: Record<string, string> = {}): Settings {
  return parseCommandLine(command, ['dir', ...argv], env).settings
}

test('without a word everything has its default', () => {
  const { maxPages, include, loud, sitemaps } = settingsOf([])
  assert.deepEqual({ maxPages, include, loud, sitemaps }, { maxPages: 7, include: [], loud: false, sitemaps: true })
})

// oxfmt-ignore
const spellings: [sentence: string, argv: string[], key: keyof Settings, expected: unknown][] = [
  ['a value after a blank',            ['--max-pages', '3'],                    'maxPages', 3],
  ['a value after an equals sign',     ['--max-pages=3'],                       'maxPages', 3],
  ['the last of two counts',           ['--max-pages', '3', '--max-pages', '4'], 'maxPages', 4],
  ['a list is joined',                 ['--include', 'a', '--include=b'],       'include',  ['a', 'b']],
  ['a value with an equals sign',      ['--include=a=b'],                       'include',  ['a=b']],
  ['a switch',                         ['--loud'],                              'loud',     true],
  ['a switch turned off',              ['--no-sitemaps'],                       'sitemaps', false],
  ['the last word about a switch',     ['--loud', '--no-loud'],                 'loud',     false],
]
for (const [sentence, argv, key, expected] of spellings) {
  test(`${sentence}: ${argv.join(' ')}`, () => assert.deepEqual(settingsOf(argv)[key], expected))
}

test('operands and flags mix, and -- ends the flags', () => {
  assert.deepEqual(parseCommandLine(command, ['dir', '--loud', '--', '--odd'], {}).operands, ['dir', '--odd'])
  assert.deepEqual(parseCommandLine(command, ['--loud', 'dir', '-'], {}).operands, ['dir', '-'])
})

test('a flag wins over a variable, a variable over the config file, the file over the default', () => {
  using folder = temporaryFolder()
  const path = folder.at('comity.json')
  writeFileSync(path, JSON.stringify({ maxPages: 30, include: ['x', 'y'], loud: true, notes: 'n' }))
  const config = ['--config', path]
  assert.equal(settingsOf(config).maxPages, 30)
  assert.equal(settingsOf(config, { COMITY_MAX_PAGES: '20' }).maxPages, 20)
  assert.equal(settingsOf([...config, '--max-pages', '10'], { COMITY_MAX_PAGES: '20' }).maxPages, 10)
  assert.equal(settingsOf(config, { COMITY_MAX_PAGES: '' }).maxPages, 30)
  assert.deepEqual(settingsOf(config).include, ['x', 'y'])
  assert.deepEqual(settingsOf(config, { COMITY_INCLUDE: 'p q' }).include, ['p', 'q'])
  assert.equal(settingsOf(config, { COMITY_LOUD: 'no' }).loud, false)
  assert.equal(settingsOf(['--no-loud'], { COMITY_CONFIG: path }).loud, false)
  assert.equal(settingsOf(config).notes, 'n')
})

// oxfmt-ignore
const refused: [argv: string[], env: Record<string, string>, message: RegExp][] = [
  [['dir', '--max-page', '3'],           {},                          /no flag --max-page\. Did you mean --max-pages\?/],
  [['dir', '--sitemap'],                 {},                          /no flag --sitemap\. Did you mean --sitemaps\?/],
  [['dir', '--notes', 'x'],              {},                          /no flag --notes/],
  [['dir', '--max-pages'],               {},                          /--max-pages needs a value: --max-pages N\./],
  [['dir', '--max-pages', '--loud'],     {},                          /--max-pages needs a value/],
  [['dir', '--max-pages', 'ten'],        {},                          /--max-pages "ten" is not a whole number/],
  [['dir', '--loud=yes'],                {},                          /--loud is a switch/],
  [['dir'],                              { COMITY_MAX_PAGES: 'ten' }, /COMITY_MAX_PAGES "ten" is not a whole number/],
  [['dir'],                              { COMITY_LOUD: 'maybe' },    /COMITY_LOUD "maybe" is neither yes nor no/],
  [[],                                   {},                          /DIR is missing: a directory\./],
  [['dir', 'url', 'more'],               {},                          /"more" is one word too many/],
  [['dir', '-q'],                        {},                          /There is no flag -q\./],
]
for (const [argv, env, message] of refused) {
  test(`refused: ${argv.join(' ')} ${JSON.stringify(env)}`, () => {
    assert.throws(
      () => parseCommandLine(command, argv, env),
      (error) => error instanceof UsageError && message.test(error.message),
    )
  })
}

test('a secret is not repeated', () => {
  assert.throws(
    () => settingsOf(['--password', 'hunter2']),
    (error: Error) => !error.message.includes('hunter2'),
  )
})
