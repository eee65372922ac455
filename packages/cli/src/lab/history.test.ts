import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { comityHere } from '../testing/spawned-comity.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-lab-history-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const HEADING = 'epoch\tstatus\tpath\tblob\tbytes\n'
const BEGIN = 1_000_000_000
const DAY = 86_400
type Row = readonly [day: number, status: string, path: string]
const rows = (...all: Row[]): string =>
  HEADING + all.map(([day, status, path], i) => `${BEGIN + day * DAY}\t${status}\t${path}\tx${i}\t9\n`).join('')
const each = (count: number, row: (i: number) => Row): Row[] => Array.from({ length: count }, (_, i) => row(i))

const monthly = each(40, (i) => [i * 30, 'M', 'a'])
const tooShort = /shorter than the 270 days of a run: it has 0; give fewer \(historyDays\)/
const noPage =
  /no page of it is there from the beginning to the end of any of its 5 stretches of 270 days; give shorter/
const unreadable = /Nothing here can be read as a history of pages/

// oxfmt-ignore
const cases: [sentence: string, text: string, code: number, said: RegExp][] = [
  ['an empty file',                          '',                                                                2, unreadable],
  ['a heading alone',                        HEADING,                                                           2, unreadable],
  ['years beyond 9999',                      `${HEADING}999999999999\tA\ta\tx\t9\n`,                            2, unreadable],
  ['one instant',                            rows(...each(40, (i) => [0, 'A', `p${i}`])),                       2, tooShort],
  ['one change',                             rows([0, 'A', 'a']),                                               2, tooShort],
  ['all deleted before the first stretch',   rows([0, 'A', 'a'], [1, 'D', 'a'], [900, 'D', 'a']),               2, noPage],
  ['deleted before it was there',            rows([0, 'D', 'a'], [900, 'M', 'a']),                              2, noPage],
  ['no page in the first stretches',         rows([0, 'A', 'a'], [1, 'D', 'a'], ...each(60, (i) => [600 + i * 9, 'M', `p${i % 7}`])),
                                                                                                                0, /Stepped over, as no page is there .*: 3 of 5 stretches, from 2002-02-28, /],
  ['no page in a stretch in the middle',     rows([0, 'A', 'a'], [400, 'D', 'a'], [1_000, 'A', 'b'], [2_000, 'M', 'b']),
                                                                                                                0, /Stepped over, .*: [1-4] of 5 stretches, from 200/],
  ['one page',                               rows(...monthly),                                                  0, /better in 0, worse than none, .* visits the same pages in 1\.$/m],
  ['dates backwards',                        rows(...monthly.toReversed()),                                     0, /visits the same pages in 1\.$/m],
  ['every change twice',                     rows(...monthly.flatMap((row) => [row, row])),                     0, /visits the same pages in 1\.$/m],
  ['no change in any stretch',               rows(...each(40, (i) => [0, 'A', `p${i}`]), [900, 'M', 'p1']),      0, /not told apart in 1,/],
  ['from 1970 to 9999',                      `${HEADING}0\tA\ta\tx\t9\n253402300799\tM\ta\ty\t9\n`,             0, /visits the same pages in 1\.$/m],
]
for (const [sentence, text, code, said] of cases) {
  test(`freshness on a history of ${sentence} says what there is, twice the same`, { timeout: 60_000 }, async () => {
    const path = join(folder, 'odd.tsv')
    writeFileSync(path, text)
    const sets = [
      'policies=["uniform","value"]',
      'historyWebs=["honest"]',
      'curveSeeds=0',
      'seeds=[1,2,3,4,5]',
    ].flatMap((one) => ['--set', one])
    const run = (): ReturnType<typeof comityHere> =>
      comityHere(['lab', 'freshness', '--web', path, ...sets, '--into', join(folder, 'report')])
    const [first, second] = [await run(), await run()]
    assert.equal(first.code, code, first.stderr)
    assert.match(code === 0 ? first.stdout : first.stderr, said)
    assert.doesNotMatch(first.stdout + first.stderr, /NaN|Infinity|undefined/)
    assert.equal(first.stdout, second.stdout)
  })
}
