/** VCDIFF with others' files and programs: published vectors, and Debian's xdelta3 in both directions. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { missing, sharedData } from '../testing/shared-data.ts'
import { decodeVcdiff } from './vcdiff-decoder.ts'
import { encodeVcdiff } from './vcdiff-encoder.ts'

const VECTORS = 'conformance/vcdiff'
const limits = { maxBytes: 10_000_000 }

function temporary(t: { after(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'comity-vcdiff-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('every delta of the published suite decodes, or is refused where it should be', (t) => {
  const archive = sharedData(`${VECTORS}/ably-vcdiff-tests.tar.xz`)
  if (archive === undefined) return missing(t, VECTORS)
  const folder = temporary(t)
  execFileSync('tar', ['xJf', archive, '-C', folder])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const deltas = names.filter((name) => name.endsWith('delta.vcdiff')).map((name) => join(folder, name))
  const refused = deltas.filter((path) => path.includes('targeted-negative'))
  assert.deepEqual([deltas.length, refused.length], [85, 33])
  for (const path of deltas) {
    const [source, delta] = [readFileSync(join(dirname(path), 'source')), readFileSync(path)]
    const result = decodeVcdiff(source, delta, limits)
    if (refused.includes(path)) assert.notEqual(result.kind, 'ok', path)
    else assert.ok(result.kind === 'ok' && readFileSync(join(dirname(path), 'target')).equals(result.body), path)
  }
})

const hostile: [file: string, source: string, expected: string][] = [
  ['size-overflow-delta', 'size-overflow-dictionary', 'truncated'],
  ['allocates_4gb.vcdiff', 'empty_file.txt', 'unknown-version'],
]
for (const [file, source, expected] of hostile) {
  test(`open-vcdiff's ${file} is ${expected}`, (t) => {
    const folder = sharedData(`${VECTORS}/open-vcdiff`)
    if (folder === undefined) return missing(t, VECTORS)
    const result = decodeVcdiff(readFileSync(join(folder, source)), readFileSync(join(folder, file)), limits)
    assert.equal(result.kind, expected)
  })
}

test("xdelta's own example, with header and checksum, decodes", (t) => {
  const folder = sharedData(`${VECTORS}/xdelta/xdelta3/examples/iOS/xdelta3-ios-test/xdelta3-ios-test`)
  if (folder === undefined) return missing(t, VECTORS)
  const [old, delta, expected] = ['v1', 'v1_to_v2', 'v2'].map((name) => readFileSync(join(folder, `file_${name}.bin`)))
  const result = decodeVcdiff(old!, delta!, limits)
  assert.ok(result.kind === 'ok' && expected!.equals(result.body))
})

/** Runs xdelta3 on the files named; false when it is not installed. */
function xdelta3(folder: string, args: readonly string[]): boolean {
  try {
    execFileSync('xdelta3', args, { cwd: folder, stdio: 'pipe' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const line = (number: number): string => `<tr><td>${number}</td><td>${(number * 2_654_435_761) % 1_000_003}</td></tr>\n`
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, place) => line(from + place)).join('')
const pairs: [what: string, source: string, target: string][] = [
  ['an edited page', lines(0, 900), `${lines(100, 300)}something new${lines(310, 1_000)}${lines(0, 50)}`],
  ['an unchanged page', lines(0, 100), lines(0, 100)],
  ['a page from nothing', '', lines(0, 100)],
  ['an empty page', lines(0, 100), ''],
]
/** Ours are of 8 MB; xdelta3 makes windows of any size, and small ones are as many and a tenth of the work. */
const ofThreeWindows: [what: string, source: string, target: string] = [
  'three windows',
  lines(0, 250_000),
  `${lines(100_000, 500_000)}new`,
]
const ofThreeSmallOnes: [what: string, source: string, target: string] = [
  'three windows',
  lines(0, 25_000),
  `${lines(10_000, 50_000)}new`,
]
const WINDOW_BYTES = 700_000

for (const [what, source, target] of [...pairs, ofThreeWindows]) {
  test(`xdelta3 reads our delta of ${what}`, (t) => {
    const folder = temporary(t)
    writeFileSync(join(folder, 'old'), source)
    writeFileSync(join(folder, 'delta'), encodeVcdiff(Buffer.from(source), Buffer.from(target)))
    const isHere = xdelta3(folder, ['-d', '-s', 'old', 'delta', 'out'])
    if (!isHere) return missing(t, 'the program xdelta3', 'install xdelta3')
    assert.ok(readFileSync(join(folder, 'out'), 'utf8') === target)
  })
}

for (const [what, source, target] of [...pairs, ofThreeSmallOnes]) {
  const settings: [name: string, flags: readonly string[]][] = [
    ['plain', ['-S', 'none', '-A', '-n']],
    ['with header and checksum', ['-S', 'none']],
    ['at its strongest', ['-S', 'none', '-9']],
  ]
  // Its strongest search takes seconds for megabytes, and shows nothing that a page does not.
  for (const [name, flags] of settings.slice(0, target.length > 1e6 ? 2 : 3)) {
    test(`we read xdelta3's delta of ${what}, ${name}`, (t) => {
      const folder = temporary(t)
      writeFileSync(join(folder, 'old'), source)
      writeFileSync(join(folder, 'new'), target)
      const isHere = xdelta3(folder, ['-e', '-W', String(WINDOW_BYTES), ...flags, '-s', 'old', 'new', 'delta'])
      if (!isHere) return missing(t, 'the program xdelta3', 'install xdelta3')
      const result = decodeVcdiff(Buffer.from(source), readFileSync(join(folder, 'delta')), { maxBytes: target.length })
      assert.ok(result.kind === 'ok', result.kind)
      assert.ok(Buffer.from(result.body).toString() === target)
    })
  }
}

test("a delta of a few bytes by xdelta3's usual settings names a compressor, and is read", (t) => {
  const folder = temporary(t)
  writeFileSync(join(folder, 'old'), lines(0, 900))
  writeFileSync(join(folder, 'new'), `${lines(0, 400)}new${lines(400, 900)}`)
  const isHere = xdelta3(folder, ['-e', '-s', 'old', 'new', 'delta'])
  if (!isHere) return missing(t, 'the program xdelta3', 'install xdelta3')
  const delta = readFileSync(join(folder, 'delta'))
  assert.ok((delta[4]! & 1) === 1)
  const result = decodeVcdiff(readFileSync(join(folder, 'old')), delta, limits)
  assert.ok(result.kind === 'ok' && readFileSync(join(folder, 'new')).equals(result.body))
})

test("a delta of xdelta3's for another source fails its checksum", (t) => {
  const folder = temporary(t)
  writeFileSync(join(folder, 'old'), lines(0, 100))
  writeFileSync(join(folder, 'new'), `${lines(0, 100)}new`)
  const isHere = xdelta3(folder, ['-e', '-S', 'none', '-s', 'old', 'new', 'delta'])
  if (!isHere) return missing(t, 'the program xdelta3', 'install xdelta3')
  const other = Buffer.from(lines(0, 100).replace('tr', 'TR'))
  assert.equal(decodeVcdiff(other, readFileSync(join(folder, 'delta')), limits).kind, 'checksum')
})

test('a delta with secondary compression is refused by name', (t) => {
  const folder = temporary(t)
  writeFileSync(join(folder, 'old'), '')
  writeFileSync(join(folder, 'new'), lines(0, 5_000))
  const isHere = xdelta3(folder, ['-e', '-s', 'old', 'new', 'delta'])
  if (!isHere) return missing(t, 'the program xdelta3', 'install xdelta3')
  assert.equal(
    decodeVcdiff(new Uint8Array(0), readFileSync(join(folder, 'delta')), limits).kind,
    'secondary-compressor',
  )
})
