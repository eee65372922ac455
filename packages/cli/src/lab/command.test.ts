import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { comityHere } from '../testing/spawned-comity.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-lab-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

test('without a name the experiments are listed with their settings', async () => {
  const { code, stdout } = await comityHere(['lab'])
  assert.equal(code, 0)
  assert.match(stdout, /ordering\s+003: .*\n.*settings: starts, seeds/)
  assert.match(stdout, /scheduling\s+004: /)
})

test('an experiment writes one report, twice the same, and says what it found', async () => {
  const run = (into: string): Promise<{ code: number | null; stdout: string }> =>
    comityHere([
      'lab',
      'ordering',
      '--web',
      'generated:pages=600,sites=10',
      '--order',
      'forward',
      '--into',
      at(into),
      '--json',
    ])
  const { code, stdout } = await run('first')
  assert.equal(code, 0)
  const told = JSON.parse(stdout) as { report: string; results: { claims: { number: number }[] }[] }
  assert.deepEqual(
    [...new Set(told.results[0]!.claims.map(({ number }) => number))].toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  await run('second')
  assert.equal(readFileSync(told.report, 'utf8'), readFileSync(at('second/report.html'), 'utf8'))
  assert.match(readFileSync(told.report, 'utf8'), /forward/)
})

test('a file with a sweep runs every combination, with an order from a file beside it', async () => {
  const settings = {
    orders: ['depth', 'length'],
    parallelOrders: ['length'],
    robots: [1, 4],
    bandwidths: [20_000],
    tailBatch: 20,
    batchSizes: [50],
  }
  const webs = ['generated:pages=400,sites=12,bowTie=off']
  writeFileSync(
    at('e.json'),
    JSON.stringify({ experiment: 'scheduling', webs, settings, sweep: { waitMs: [100, 15_000] } }),
  )
  writeFileSync(
    at('deep.ts'),
    "export default { name: 'deep', description: 'deepest first', rankPage: ({ depth }: { depth: number }) => -depth }",
  )
  const { code, stdout, stderr } = await comityHere([
    'lab',
    at('e.json'),
    '--order',
    at('deep.ts'),
    '--into',
    at('swept'),
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /waitMs = 100/)
  assert.match(stdout, /waitMs = 15000/)
  const html = readFileSync(at('swept/report.html'), 'utf8')
  assert.match(html, />deep</)
  assert.ok(existsSync(at('swept/report.json')))
})

// oxfmt-ignore
const wrong: [args: string[], message: RegExp][] = [
  [['orderings'],                                       /There is no experiment orderings\. Did you mean ordering\?/],
  [['ordering', '--web', at('none.txt')],               /none\.txt: There is no file or folder/],
  [['ordering', '--web', 'generated:pages=-1'],         /pages/],
  [['ordering', '--order', 'lenght'],                   /--order "lenght" is no order/],
  [['ordering', '--seed', 'x'],                         /--seed "x"/],
  [[at('none.json')],                                   /none\.json is not there/],
  [['advise'],                                          /Name one collection/],
  [['advise', at('nowhere')],                           /There is no collection at/],
]
test('wrong use is told what would work', async () => {
  for (const [args, message] of wrong) {
    const { code, stderr } = await comityHere(['lab', ...args])
    assert.match(stderr, message, args.join(' '))
    assert.notEqual(code, 0)
    assert.doesNotMatch(stderr, /should not have happened/)
  }
})
