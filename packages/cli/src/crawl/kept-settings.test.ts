import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after as atEnd, test } from 'node:test'
import { parseCommandLine } from '../command-line.ts'
import { crawlCommand } from './command.ts'
import { readKept, settingsToKeep, withKept } from './kept-settings.ts'
import type { KeptSettings } from './kept-settings.ts'

const NOTHING = readKept('')
const folder = mkdtempSync(join(tmpdir(), 'comity-kept-'))
atEnd(() => rmSync(folder, { recursive: true, force: true }))
const config = join(folder, 'mine.json')
writeFileSync(config, '{ "maxDepth": 3 }')

/** What a collection holds after runs with these flags, one after the other. */
function after(...runs: readonly (readonly string[])[]): KeptSettings {
  let kept = NOTHING
  for (const words of runs) kept = readKept(settingsToKeep(kept, parseCommandLine(crawlCommand, words, {}).said))
  return kept
}

function goneOn(
  kept: KeptSettings,
  words: readonly string[],
  env: Record<string, string> = {},
): ReturnType<typeof withKept> {
  const { settings, said } = parseCommandLine(crawlCommand, words, env)
  return withKept(settings, said, kept, 'col')
}

test('a crawl goes on with what it was told, and says so as it was typed', () => {
  const kept = after([
    'https://a.example/',
    '--into',
    'col',
    '--max-depth',
    '3',
    '--scope',
    'domain',
    '--no-sitemaps',
    '--exclude',
    '*/x/*',
  ])
  const { settings, notes } = goneOn(kept, ['--into', 'col'])
  assert.deepEqual(
    [settings.maxDepth, settings.scope, settings.sitemaps, settings.exclude],
    [3, 'domain', false, ['*/x/*']],
  )
  assert.deepEqual(notes, [
    "note: goes on with the settings of col: --max-depth 3 --scope domain --exclude '*/x/*' --no-sitemaps",
  ])
})

test('what a run says itself holds, by a flag or a variable, and is kept from then on', () => {
  const kept = after(['--max-depth', '3', '--scope', 'domain'])
  assert.equal(goneOn(kept, ['--max-depth', '5']).settings.maxDepth, 5)
  assert.equal(goneOn(kept, [], { COMITY_MAX_DEPTH: '6' }).settings.maxDepth, 6)
  const { settings } = goneOn(after(['--max-depth', '3', '--scope', 'domain'], ['--max-depth', '5']), [])
  assert.deepEqual([settings.maxDepth, settings.scope], [5, 'domain'])
})

test('what a run is for alone is not kept', () => {
  const kept = after([
    '--revisit',
    '1d',
    '--estimate',
    '--json',
    '--into',
    'x',
    '--seeds',
    'list.txt',
    '--max-pages',
    '9',
  ])
  assert.deepEqual([...kept.flags.keys()], [])
})

const lacking: [flag: string, words: string[], note: RegExp][] = [
  ['--allow-private', ['--allow-private'], /--allow-private, which is not kept\. Without it private/],
  ['--ignore-robots', ['--ignore-robots'], /--ignore-robots, which is not kept\. Without it robots\.txt/],
  ['--identity', ['--identity', 'key.pem'], /--identity, which is not kept\. Without it requests are not signed/],
  ['--proxy', ['--proxy', 'http://user:secret@proxy.example:8080'], /--proxy, which is not kept/],
  ['--hook', ['--hook', 'mine.ts'], /--hook, which is not kept/],
  ['--config', ['--config', config], /--config, which is not kept\. Without it nothing that only its file says/],
  ['--ca', ['--ca', 'mine.pem'], /--ca, which is not kept/],
  ['a file for --idf', ['--idf', 'words.txt'], /--idf, which is not kept/],
  ['a file for --order', ['--order', 'mine.ts'], /--order, which is not kept/],
]
for (const [flag, words, note] of lacking)
  test(`${flag} is not kept, and a run without it says so`, () => {
    const kept = after(words)
    assert.deepEqual([...kept.flags], [])
    assert.match(goneOn(kept, []).notes.join('\n'), note)
    assert.deepEqual(goneOn(kept, words).notes, [], 'given again, there is nothing to say')
    assert.ok(!settingsToKeep(kept, new Map()).includes('secret'))
  })

test('who says no to it is not told of it again', () => {
  assert.deepEqual(after(['--allow-private'], ['--no-allow-private']).lacks, [])
})

test('whatever a collection says there, nothing that lets a crawl do more comes of it', () => {
  const kept = readKept(
    JSON.stringify({
      flags: {
        allowPrivate: ['true'],
        hook: ['evil.ts'],
        config: ['col/evil.json'],
        ca: ['col/evil.pem'],
        order: ['evil.ts'],
        __proto__: ['x'],
        maxDepth: ['none'],
        scope: 3,
      },
      lacks: 'x',
    }),
  )
  const { settings, notes } = goneOn(kept, [])
  assert.deepEqual(
    [settings.allowPrivate, settings.hook, settings.ca, settings.maxDepth],
    [false, undefined, undefined, parseCommandLine(crawlCommand, [], {}).settings.maxDepth],
  )
  assert.deepEqual(notes, [])
  for (const text of ['', 'null', '[', '{"flags":[]}', '7', 'x'.repeat(200_000)])
    assert.equal(goneOn(readKept(text), []).notes.length, 0)
})
