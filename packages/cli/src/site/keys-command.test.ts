import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { readKeySet } from '@comity/protocol'
import { keysCommand } from './keys-command.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const file = (name: string): string => folder.at(`${name}.json`)
const secretOf = (path: string): string =>
  (JSON.parse(readFileSync(path, 'utf8')) as { keys: [{ d: string }] }).keys[0].d

interface KeysJson {
  readonly keys: readonly { thumbprint: string; signs: boolean; publishedUntil?: string }[]
}

test('a key is made, shown and rotated, and its secret is never printed', async () => {
  const path = file('life')
  const made = await comity([keysCommand.name, 'new', path])
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /was made, for you alone\. Its key is [\w-]{43}\./)
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
  const secret = secretOf(path)

  const shown = await comityHere(['keys', 'show', path])
  const set = readKeySet(Buffer.from(shown.stdout))
  assert.ok('keys' in set && set.keys.size === 1)
  assert.match(shown.stderr, /^[\w-]{43} {2}signs\n$/)

  const rotated = await comityHere(['keys', 'rotate', path, '--lead', '1h', '--overlap', '1d'])
  assert.match(rotated.stdout, /1\. Publish now .*\n2\. It signs from .* on; until then the old one does\.\n3\. After /)
  const listed = await comityHere(['keys', 'show', path, '--json'])
  const { keys } = lastJson(listed) as unknown as KeysJson
  assert.deepEqual(
    keys.map(({ signs, publishedUntil }) => [signs, publishedUntil !== undefined]),
    [
      [true, true],
      [false, false],
    ],
  )

  const printed = [made, shown, rotated, listed].map(({ stdout, stderr }) => stdout + stderr).join('')
  assert.ok(!printed.includes(secret))
})

test('a key that others may know is replaced at once', async () => {
  const path = file('known')
  await comityHere(['keys', 'new', path])
  const { stdout } = await comityHere(['keys', 'rotate', path, '--at-once'])
  assert.match(stdout, /2\. It signs from now on\.\n3\. The old one is in it no more/)
  const { keys } = lastJson(await comityHere(['keys', 'show', path, '--json'])) as unknown as KeysJson
  assert.deepEqual(
    keys.map(({ signs }) => signs),
    [true],
  )
})

writeFileSync(file('none'), '{"keys":[]}', { mode: 0o600 })
writeFileSync(file('open'), '{"keys":[]}')
chmodSync(file('open'), 0o644)
const wrong: [words: string[], code: number, message: RegExp][] = [
  [['keys'], 2, /ACTION is missing/],
  [['keys', 'new'], 2, /FILE is missing/],
  [
    ['keys', 'nwe', file('x')],
    2,
    /"nwe" is nothing to do with keys: it is one of new, show, rotate\. Did you mean new\?/,
  ],
  [['keys', 'show', file('missing')], 1, /is no file of keys: .*ENOENT/],
  [['keys', 'rotate', file('none')], 1, /is no file of keys: there is no key in it/],
  [['keys', 'new', file('none')], 1, /is there already, and was left as it is/],
  [['keys', 'rotate', file('none'), '--lead', 'soon'], 2, /--lead "soon" is not a duration/],
  [['check', 'http://127.0.0.1:9/', '--identity', file('none')], 2, /--signature-agent https:/],
  [['check', 'http://127.0.0.1:9/', '--signature-agent', 'https://a.example/'], 2, /goes with a key: --identity FILE/],
  [['crawl', '--signature-agent', 'a.example'], 2, /--signature-agent "a\.example" is no place for keys/],
  [
    ['watch', folder.at('.'), '--identity', file('none'), '--signature-agent', 'https://a.example/'],
    2,
    /is no collection/,
  ],
  [
    ['check', 'http://127.0.0.1:9/', '--identity', file('missing'), '--signature-agent', 'https://a.example/'],
    1,
    /is no file of keys/,
  ],
]
if (process.platform !== 'win32') wrong.push([['keys', 'show', file('open')], 1, /can be read by others/])

test('wrong use is told what would work', { concurrency: 2 }, async (t) => {
  await Promise.all(
    wrong.map(([words, code, message]) =>
      t.test(words.join(' '), async () => {
        const ended = await comityHere(words)
        assert.equal(ended.stdout, '')
        assert.match(ended.stderr, message)
        assert.equal(ended.code, code)
      }),
    ),
  )
})
