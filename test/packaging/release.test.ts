/** What a release is refused for, and that what is in the repository could be released. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  changelogFault,
  dated,
  formatFaults,
  formatRows,
  inOrder,
  lockWithVersion,
  treeFault,
  versionFault,
  withVersion,
} from '../../packaging/release/release-rules.ts'
import { read, root } from '../repository-tree.ts'

const LOG = '# Changelog\n\n## 0.2.0, unreleased\n\n### Added\n\n- More.\n\n## 0.1.0, 2026-11-20\n\nnothing\n'

const cases: [sentence: string, fault: string | undefined, words: RegExp | undefined][] = [
  ['an entry that is there', changelogFault(LOG, '0.2.0'), undefined],
  ['a version without a section', changelogFault(LOG, '0.3.0'), /no entry for 0\.3\.0/],
  ['a version that only begins like one', changelogFault(LOG, '0.2'), /no entry/],
  ['a section that says nothing', changelogFault(LOG, '0.1.0'), /says nothing about 0\.1\.0/],
  ['a clean tree', treeFault(''), undefined],
  ['a change that is not committed', treeFault(' M a.ts\n?? b.ts\n'), /not committed.*a\.ts/],
  [
    'one version for all',
    versionFault([
      { path: 'a', version: '1.0.0' },
      { path: 'b', version: '1.0.0' },
    ]),
    undefined,
  ],
  [
    'two versions',
    versionFault([
      { path: 'a', version: '1.0.0' },
      { path: 'b', version: '1.0.1' },
    ]),
    /1\.0\.0 and 1\.0\.1/,
  ],
]
for (const [sentence, fault, words] of cases)
  test(`a release and ${sentence}: ${words === undefined ? 'let through' : 'refused'}`, () => {
    if (words === undefined) assert.equal(fault, undefined)
    else assert.match(fault ?? '', words)
  })

test('the day stands in place of "unreleased", of that version alone', () => {
  assert.match(dated(LOG, '0.2.0', '2027-01-02'), /\n## 0\.2\.0, 2027-01-02\n/)
  assert.equal(dated(LOG, '0.1.0', '2027-01-02'), LOG)
})

test('a new version is that of the package and of all its siblings, and of nobody else', () => {
  const manifest =
    '{ "name": "@comity/x", "version": "0.1.0", "bin": { "comity": "./a.js" }, "dependencies": { "@comity/y": "^0.1.0", "other": "^0.1.0" } }'
  const wanted =
    '{ "name": "@comity/x", "version": "0.2.0", "bin": { "comity": "./a.js" }, "dependencies": { "@comity/y": "^0.2.0", "other": "^0.1.0" } }'
  assert.equal(withVersion(manifest, '0.1.0', '0.2.0'), wanted)
})

test('the lockfile is the same but for the versions of our own packages', () => {
  const lock = read('package-lock.json')
  const { version }: { version: string } = JSON.parse(read('packages/cli/package.json'))
  assert.equal(lockWithVersion(lock, version, version), lock)
  const [moved, before] = [lockWithVersion(lock, version, '9.8.7'), lock.split('\n')]
  const lines = moved.split('\n').filter((line, i) => line !== before[i])
  assert.ok(lines.length > 18)
  assert.deepEqual(
    lines.filter((line) => !/9\.8\.7/.test(line)),
    [],
  )
})

const rows = formatRows(read('docs/formats.md'))
const isThere = (path: string): boolean => existsSync(join(root, path))

test('each format has the number that its source writes, and one of it is kept', () => {
  assert.ok(rows.length >= 6)
  assert.deepEqual(formatFaults(rows, read, isThere), [])
})

test('a number that moved without a fixture is refused, and so is a fixture that is gone', () => {
  const [row] = rows
  assert.ok(row !== undefined)
  const moved = (path: string): string =>
    read(path).replace(`const ${row.constant} = 1\n`, `const ${row.constant} = 2\n`)
  assert.match(formatFaults([row], moved, isThere).join(), /is written as 2.*keep one of 2 beside it/)
  assert.match(formatFaults([{ ...row, number: 2 }], moved, isThere).join(), /is written as 2/)
  assert.match(formatFaults([row], read, () => false).join(), /is not there/)
  assert.match(formatFaults([{ ...row, constant: 'GONE' }], read, isThere).join(), /has no GONE/)
})

test('packages are published after those that they need', () => {
  const needs = new Map([
    ['a', ['c', 'elsewhere']],
    ['b', ['a']],
    ['c', ['b2']],
    ['b2', []],
  ])
  assert.deepEqual(inOrder(needs), ['b2', 'c', 'a', 'b'])
})

test('without --dry-run nothing is done, and it says what to do', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'packaging/release/release.ts')], {
    encoding: 'utf8',
  })
  assert.equal(status, 2)
  assert.match(stderr, /npm run release -- --dry-run/)
})
