import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { missing, sharedData } from '@comity/protocol/testing'
import { historyOf, parseHistoryLine, readHistory } from './history-file.ts'
import { DAY_MS, historyWindow, windowStarts } from './history-window.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-history-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string | Uint8Array): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const small =
  'epoch\tstatus\tpath\tblob\tbytes\n20\tM\ta.html\tbb\t7\n10\tA\ta.html\taa\t5\n30\tD\tb.html\t-\t0\n15\tS\tb.html\tcc\t9\n'

test('pages have their changes in the order they happened, packed or not', async () => {
  for (const [name, bytes] of [
    ['h.tsv', small],
    ['h.tsv.gz', gzipSync(small)],
  ] as const) {
    const history = await readHistory(file(name, bytes))
    assert.deepEqual(history, {
      name: 'h',
      pages: [
        {
          path: 'a.html',
          events: [
            { at: 10_000, change: 'created', content: 'aa', bytes: 5 },
            { at: 20_000, change: 'updated', content: 'bb', bytes: 7 },
          ],
        },
        {
          path: 'b.html',
          events: [
            { at: 15_000, change: 'present', content: 'cc', bytes: 9 },
            { at: 30_000, change: 'deleted', content: '', bytes: 0 },
          ],
        },
      ],
      from: 10_000,
      until: 30_000,
      events: 4,
      malformed: 0,
    })
  }
})

const STATUS = { created: 'A', updated: 'M', deleted: 'D', present: 'S' }

test('what a line says is what was written', () => {
  const events = fc.record({
    path: fc.stringMatching(/^[^\t\n\r]{1,40}$/),
    seconds: fc.nat(4_000_000_000),
    change: fc.constantFrom('created', 'updated', 'deleted', 'present'),
    content: fc.stringMatching(/^[0-9a-f]{1,40}$/),
    bytes: fc.nat(),
  })
  fc.assert(
    fc.property(events, ({ path, seconds, change, content, bytes }) => {
      const line = [seconds, STATUS[change], path, change === 'deleted' ? '-' : content, bytes].join('\t')
      const event = { at: seconds * 1_000, change, content: change === 'deleted' ? '' : content, bytes }
      assert.deepEqual(parseHistoryLine(line), { path, event })
    }),
  )
})

test('no line, however odd, throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseHistoryLine(text)))
  fc.assert(fc.property(fc.array(fc.string(), { maxLength: 6 }), (cells) => void parseHistoryLine(cells.join('\t'))))
})

// oxfmt-ignore
const refused: [sentence: string, text: string, limits: object, message: RegExp][] = [
  ['an empty file',                         '',                                            {},                /Nothing here can be read as a history/],
  ['a file of something else',              'one\ntwo\nthree\n',                           {},                /Nothing here can be read as a history/],
  ['a long file of something else',         'x\n'.repeat(1_000),                           {},                /not a line of a history/],
  ['more pages than allowed',               small,                                         { maxPages: 1 },   /more than 1 pages/],
  ['more changes than allowed',             small,                                         { maxEvents: 3 },  /more than 3 changes/],
  ['more bytes than allowed',               small,                                         { maxBytes: 20 },  /more than 20 bytes/],
  ['a line without an end',                 `1\tA\t${'x'.repeat(70_000)}`,                {},                /does not end/],
]
for (const [sentence, text, limits, message] of refused) {
  test(`${sentence} is refused`, async () => {
    await assert.rejects(readHistory(file('refused.tsv', text), limits), message)
  })
}

test('a few bad lines are left out and counted', async () => {
  const { events, malformed } = await readHistory(file('odd.tsv', `${small}nonsense\n99\tX\tc.html\tdd\t1\n`))
  assert.deepEqual([events, malformed], [4, 2])
})

const event = (
  day: number,
  change: 'created' | 'updated' | 'deleted',
  bytes = 1,
): { at: number; change: typeof change; content: string; bytes: number } => ({
  at: day * DAY_MS,
  change,
  content: 'x',
  bytes,
})

test('a window holds pages that are there all the time, with their sizes at its beginning', () => {
  const history = historyOf(
    'site',
    new Map([
      ['stays', [event(0, 'created', 5), event(12.5, 'updated', 6), event(30, 'updated')]],
      ['goes', [event(1, 'created'), event(15, 'deleted')]],
      ['gone', [event(1, 'created'), event(2, 'deleted')]],
      ['comes', [event(11, 'created')]],
      ['returned', [event(1, 'created'), event(2, 'deleted'), event(3, 'created', 8)]],
    ]),
  )
  const { process, bytes, paths, leftOut } = historyWindow(history, 10 * DAY_MS, 10)
  assert.deepEqual(paths, ['stays', 'returned'])
  assert.deepEqual([...bytes], [5, 8])
  assert.deepEqual([...process.instants], [2.5])
  assert.equal(leftOut, 1)
})

test('windows lie within a history, and there is none in one that is too short', () => {
  const history = historyOf('site', new Map([['a', [event(0, 'created'), event(100, 'updated')]]]))
  assert.deepEqual(
    windowStarts(history, 3, 40),
    [20, 40, 60].map((day) => day * DAY_MS),
  )
  assert.deepEqual(windowStarts(history, 3, 101), [])
})

test('the thirty years of a real site are read whole', async (t) => {
  const path = sharedData('histories/openbsd-www.tsv.xz')
  if (path === undefined) return missing(t, 'histories/openbsd-www.tsv.xz')
  const { name, pages, events, malformed } = await readHistory(path)
  assert.deepEqual([name, pages.length, events, malformed], ['openbsd-www', 5_843, 97_510, 0])
})
