import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExperiment, planOf } from './experiment-file.ts'
import { EXPERIMENTS } from './experiments.ts'
import { LabError } from './lab-error.ts'

const parse = (json: unknown): ReturnType<typeof parseExperiment> => parseExperiment(JSON.stringify(json), 'e.json')

test('a file says which experiment, on which webs, with what settings', () => {
  const plan = parse({ experiment: 'ordering', webs: ['generated'], settings: { starts: 2 } })
  assert.deepEqual(
    [plan.experiment.name, plan.webs, plan.runs],
    ['ordering', ['generated'], [{ settings: { starts: 2 }, swept: '' }]],
  )
})

test('what is left out is as usual', () => {
  for (const experiment of EXPERIMENTS) {
    assert.deepEqual(parse({ experiment: experiment.name }), planOf(experiment))
  }
})

test('a sweep makes one run for every combination, and each says what it is', () => {
  const { runs } = parse({
    experiment: 'scheduling',
    settings: { robots: [1] },
    sweep: { waitMs: [5, 15], pagesPerConnection: [1, 100] },
  })
  assert.deepEqual(
    runs.map(({ swept }) => swept),
    [
      'waitMs = 5, pagesPerConnection = 1',
      'waitMs = 5, pagesPerConnection = 100',
      'waitMs = 15, pagesPerConnection = 1',
      'waitMs = 15, pagesPerConnection = 100',
    ],
  )
  assert.deepEqual(runs[3]?.settings, { robots: [1], waitMs: 15, pagesPerConnection: 100 })
})

// oxfmt-ignore
const bad: [json: unknown, problem: RegExp][] = [
  [[],                                                                 /holds no JSON object/],
  [{ experiment: 'nothing' },                                          /names no experiment: "experiment" is one of ordering, scheduling/],
  [{ experiment: { toString: null } },                                 /names no experiment/],
  [{ experiment: 'ordering', web: [] },                                /has "web"; it may have experiment, webs/],
  [{ experiment: 'ordering', webs: [] },                               /"webs" is not a list of names/],
  [{ experiment: 'ordering', webs: [3] },                              /"webs" is not a list of names/],
  [{ experiment: 'ordering', settings: 3 },                            /"settings" is no JSON object/],
  [{ experiment: 'ordering', settings: { start: 3 } },                 /sets "start", which ordering does not have; it has starts/],
  [{ experiment: 'ordering', settings: { starts: 'many' } },           /sets "starts" to "many", which is no number/],
  [{ experiment: 'scheduling', settings: { robots: 5 } },              /sets "robots" to 5, which is no list of numbers/],
  [{ experiment: 'scheduling', settings: { orders: [5] } },            /sets "orders" to \[5\], which is no list of strings/],
  [{ experiment: 'scheduling', sweep: { waitMs: 5 } },                 /sweeps "waitMs" over no list of values/],
  [{ experiment: 'scheduling', sweep: { waitMs: ['x'] } },             /sets "waitMs" to "x", which is no number/],
  [{ experiment: 'scheduling', sweep: { waitMs: Array(2_000).fill(1) } }, /asks for more than 1000 runs/],
]
for (const [json, problem] of bad) {
  test(`${JSON.stringify(json).slice(0, 60)} is refused with what is wrong`, () => {
    assert.throws(
      () => parse(json),
      (error) => error instanceof LabError && problem.test(error.message),
    )
  })
}

test('any text is an experiment or refused by name', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .dictionary(fc.constantFrom('experiment', 'webs', 'settings', 'sweep'), fc.jsonValue())
          .map((value) => JSON.stringify(value)),
      ),
      (text) => {
        try {
          parseExperiment(text, 'e.json')
        } catch (error) {
          assert.ok(error instanceof LabError, String(error))
        }
      },
    ),
  )
})

test('the files that come with the project are experiments', () => {
  const folder = join(import.meta.dirname, '../../../experiments')
  const names = readdirSync(folder)
  assert.ok(names.length > 0)
  for (const name of names) assert.ok(parseExperiment(readFileSync(join(folder, name), 'utf8'), name), name)
})
