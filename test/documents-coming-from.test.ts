/** What users of other crawlers are told is here: every flag, command and name of ours on that page exists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagsOf } from '../packages/cli/src/command.ts'
import { loadCommands } from '../packages/cli/src/commands.ts'
import { codeIn, packages, read, rowsIn } from './repository-tree.ts'

const commands = await loadCommands()
const flags = new Set(commands.flatMap((command) => flagsOf(command).map(({ name }) => `--${name}`)))
const rows = rowsIn(read('docs/coming-from.md'))
const ours = rows.flatMap(([there = '', here = '']) => codeIn(here).map((code) => ({ there, code })))

/** What can be imported, and what is in it. */
const surface = packages
  .filter((name) => name !== 'cli')
  .map((name) => read(`api/${name}.md`))
  .join('\n')
const isName = (word: string): boolean =>
  new RegExp(String.raw`^### ${word}$|^\s+(?:readonly )?${word}\??[:(]`, 'm').test(surface)

/** Values of flags, said beside them, and what is no name of ours. */
const VALUES: ReadonlySet<string> = new Set(['host', 'domain', 'prefix', 'any', 'all', 'tbody', '-', '"urls"'])
const isElsewhere = (code: string): boolean => VALUES.has(code) || /^npm install |^node:/.test(code)

test('each peer has its table, and each row says what differs', () => {
  assert.deepEqual(
    [...read('docs/coming-from.md').matchAll(/^## (.+)$/gm)].map(([, peer]) => peer),
    ['Crawlee', 'Scrapy', 'Heritrix', 'wget', 'Nutch'],
  )
  assert.ok(rows.length > 60)
  assert.deepEqual(
    rows.filter((row) => row.length !== 3 || row.includes('')),
    [],
  )
})

test('every flag, command and name that they are told of exists', () => {
  assert.ok(ours.length > 80)
  const unknown = ours.filter(({ code }) => {
    if (isElsewhere(code)) return false
    const [first = '', second = ''] = code.split(' ')
    if (first === 'comity') return !commands.some(({ name }) => name === second)
    return first.startsWith('--') ? !flags.has(first) : !isName(code)
  })
  assert.deepEqual(unknown, [])
})
