import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { newFileName } from '@comity/disk'
import { logSuite } from '@comity/disk/testing'
import { failsAs, testFolder } from '../testing/journal-sample.ts'
import { RowFile, rowFraming } from './row-file.ts'

interface Row {
  readonly n: number
  readonly text?: string
}
const options = {
  kind: 'test',
  read: (json: unknown): Row | undefined => (typeof (json as Row | null)?.n === 'number' ? (json as Row) : undefined),
}
const open = async (path: string): Promise<RowFile<Row>> => await RowFile.open(path, options)

logSuite('rows', {
  framing: rowFraming(options, newFileName()),
  entry: (n) => ({ name: `row ${n}`, row: n === 2 ? undefined : { n, text: 'é\n"' } }),
  holesAre: 'torn',
})

logSuite('rows of the first format', {
  framing: rowFraming(options),
  entry: (n) => ({ name: `row ${n}`, row: n === 2 ? undefined : { n, text: 'é\n"' } }),
  holesAre: 'damage',
})

const oldLine = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`

test('a file of the first format is what it was, and is written anew as one of today, with a name of its own', async (t) => {
  const path = join(testFolder(t), 'rows')
  const [a, b] = [`{"put":"a","row":{"n":1}}`, `{"drop":"b"}`]
  writeFileSync(path, `comity rows 1 test\n${oldLine(a)}${oldLine(b)}half a l`)
  {
    await using file = await open(path)
    assert.deepEqual([[...file.all()], file.cutBytes], [[{ n: 1 }], 8])
    assert.match(
      readFileSync(path, 'utf8'),
      /^comity rows 2 test [0-9a-f]{16}\n[0-9a-f]{8} \{"put":"a","row":\{"n":1\}\}\n$/u,
    )
    await file.put('c', { n: 2 })
  }
  await using again = await open(path)
  assert.deepEqual([...again.all()], [{ n: 1 }, { n: 2 }])
})

test('a hole in the last write, of zeros or of another such file, is cut off; one in a write before it is damage', async (t) => {
  const [path, other] = [join(testFolder(t), 'rows'), join(testFolder(t), 'rows')]
  for (const one of [other, path]) {
    await using file = await open(one)
    await file.put('first', { n: 0 })
    // Two writes: what comes while one is under way goes into the next as a whole.
    await Promise.all([1, 2, 3, 4, 5].map((n) => file.put(`row${n}`, { n })))
  }
  const [whole, old] = [readFileSync(path), readFileSync(other)]
  const lines = [...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1)
  // The header, the first row, the second alone; then four at once.
  const last = lines[2]!
  for (const filler of [Buffer.alloc(whole.length), old])
    for (let from = last; from < whole.length - 1; from += 7) {
      const to = Math.min(whole.length, from + 40)
      const holed = Buffer.concat([whole.subarray(0, from), filler.subarray(from, to), whole.subarray(to)])
      // What both files have alike is no hole.
      if (holed.equals(whole)) continue
      writeFileSync(path, holed)
      await using file = await open(path)
      assert.ok(file.size >= 2 && file.size < 6, `${file.size} rows with a hole at ${from}`)
      assert.ok(file.cutBytes > 0)
    }
  writeFileSync(path, Buffer.from(whole).fill(0, lines[0], lines[0]! + 4))
  await assert.rejects(open(path), failsAs('ROWS_DAMAGED', /byte/))
})

test('rows are there again after the file was closed, in a file for its owner only', async (t) => {
  const path = join(testFolder(t), 'rows')
  {
    await using file = await open(path)
    await Promise.all([file.put('a', { n: 1 }), file.put('b', { n: 2 }), file.put('a', { n: 3 }), file.drop('b')])
  }
  assert.equal(statSync(path).mode & 0o777, 0o600)
  chmodSync(path, 0o644)
  await using file = await open(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual([...file.all()], [{ n: 3 }])
  assert.equal(file.cutBytes, 0)
})

test('a row is seen once it is durable, not before', async (t) => {
  await using file = await open(join(testFolder(t), 'rows'))
  const putting = file.put('a', { n: 1 })
  assert.equal(file.get('a'), undefined)
  await putting
  assert.deepEqual(file.get('a'), { n: 1 })
})

test('wherever a crash cuts the file, all rows before are there and the next one can be written', async (t) => {
  const path = join(testFolder(t), 'rows')
  {
    await using file = await open(path)
    for (const n of [0, 1, 2]) await file.put(`row${n}`, { n, text: 'é\n"' })
  }
  const whole = readFileSync(path)
  const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1)
  for (let cut = ends[0]!; cut < whole.length; cut++) {
    writeFileSync(path, whole.subarray(0, cut))
    await using file = await open(path)
    const rows = ends.filter((end) => end <= cut).length - 1
    assert.equal(file.size, rows, `cut at ${cut}`)
    assert.equal(file.cutBytes, cut - ends[rows]!)
    await file.put('after', { n: 9 })
    await using again = await open(path)
    assert.deepEqual([again.size, again.get('after')], [rows + 1, { n: 9 }])
  }
})

const damages: [sentence: string, damage: (path: string) => void, problem: RegExp][] = [
  ['a byte in its middle', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"n":1', '"n":7')), /byte/],
  ['another beginning', (path) => writeFileSync(path, 'hello\n'), /begin/],
  ['the beginning of another kind', (path) => writeFileSync(path, 'comity rows 1 other\n'), /begin/],
  ['no beginning', (path) => truncateSync(path, 4), /begin/],
]
for (const [sentence, damage, problem] of damages) {
  test(`a file with ${sentence} that is not ours is damaged, and left as it is`, async (t) => {
    const path = join(testFolder(t), 'rows')
    {
      await using file = await open(path)
      for (const n of [0, 1, 2]) await file.put(`row${n}`, { n })
    }
    damage(path)
    const before = readFileSync(path)
    await assert.rejects(open(path), failsAs('ROWS_DAMAGED', problem))
    assert.deepEqual(readFileSync(path), before)
  })
}

test('garbage at the end, as a power cut leaves it, is cut off', async (t) => {
  const path = join(testFolder(t), 'rows')
  {
    await using file = await open(path)
    await file.put('a', { n: 1 })
  }
  appendFileSync(path, Buffer.from('\0\0\0\n\0\0\n00000000 {"drop":"a"}\n'))
  await using file = await open(path)
  assert.deepEqual([...file.all()], [{ n: 1 }])
  assert.ok(file.cutBytes > 0)
})

test('history is left behind: a thousand changes of one row are no thousand lines for ever', async (t) => {
  const path = join(testFolder(t), 'rows')
  {
    await using file = await open(path)
    await file.put('stays', { n: -1 })
    for (let n = 0; n < 30; n++)
      await Promise.all(Array.from({ length: 100 }, (_, i) => file.put('a', { n: n * 100 + i })))
    await file.put('last', { n: -2 })
  }
  assert.ok(readFileSync(path, 'utf8').split('\n').length < 1_500)
  await using file = await open(path)
  assert.deepEqual([file.get('stays'), file.get('a'), file.get('last')], [{ n: -1 }, { n: 2_999 }, { n: -2 }])
})

test('a file in a folder that is not there, or that was closed, says so by name', async (t) => {
  await assert.rejects(open(join(testFolder(t), 'nowhere', 'rows')), failsAs('ROWS_UNWRITABLE', /nowhere/))
  const file = await open(join(testFolder(t), 'rows'))
  await file[Symbol.asyncDispose]()
  await assert.rejects(file.put('a', { n: 1 }), failsAs('ROWS_CLOSED', /rows/))
})

test('whatever was put and dropped, the file is the same as a map', async (t) => {
  const dir = testFolder(t)
  let runs = 0
  const edits = fc.array(fc.tuple(fc.constantFrom('a', 'b', '\n', '__proto__'), fc.option(fc.nat())), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      const path = join(dir, String(runs++))
      const expected = new Map<string, Row>()
      {
        await using file = await open(path)
        const done = all.map(async ([name, n]) => await (n === null ? file.drop(name) : file.put(name, { n })))
        for (const [name, n] of all) {
          if (n === null) expected.delete(name)
          else expected.set(name, { n })
        }
        await Promise.all(done)
      }
      await using file = await open(path)
      for (const name of ['a', 'b', '\n', '__proto__']) assert.deepEqual(file.get(name), expected.get(name))
    }),
    { numRuns: 40 },
  )
})
