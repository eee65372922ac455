/**
 * Records the names in what commands print with `--json`, in `recorded/COMMAND.json`: of commands and words that are not there
 * yet, and names that are new. What is recorded is a contract and stays: when something of it is gone, nothing is written.
 *
 *   node test/contract/record-contract.ts all [TIMES]     all but the demo
 *   node test/contract/record-contract.ts demo [TIMES]
 *
 * Names that are not there each time are marked: more times make a better record of what depends on time.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broken, contractOf, CONTRACTS, joined, shapeOf } from '../../packages/cli/src/testing/json-contract.ts'
import type { Contract, Shape } from '../../packages/cli/src/testing/json-contract.ts'
import { comity, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { printedJson } from './printed-json.ts'
import type { Printed } from './printed-json.ts'

async function once(word: string): Promise<Printed> {
  const folder = mkdtempSync(join(tmpdir(), 'comity-contract-'))
  try {
    if (word !== 'demo') return await printedJson(folder)
    const ended = await comity(['demo', '--json', '--into', join(folder, 'demo')])
    return new Map([['demo', new Map([['demo', [lastJson(ended)]]])]])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Objects of the demo whose names tell what came about, which differs from one time to the next. */
const CHANCES: ReadonlySet<string> = new Set([
  'outcomes',
  'schemes',
  'signals',
  'outside',
  'byDoor',
  'refused',
  'unread',
  'pushes',
  'calls',
])

/** The same with names in these marked as not there at every time. */
function byChance(shape: Shape, within = false): Shape {
  if (typeof shape === 'string') return shape
  if (Array.isArray(shape)) return shape.map((one: Shape) => byChance(one))
  const entries = Object.entries(shape).map(([marked, one]) => {
    const name = marked.replace(/\?+$/, '')
    const isMark = name === '*' || name === '|'
    return [within && !isMark ? `${name}??` : marked, byChance(one, CHANCES.has(name))]
  })
  return Object.fromEntries(entries) as Shape
}

/** Of all times together. */
const shapes = new Map<string, Map<string, Shape>>()
const [word = 'all', times = '1'] = process.argv.slice(2)
for (let left = Number(times); left > 0; left--) {
  for (const [command, cases] of await once(word)) {
    const known = shapes.get(command) ?? new Map<string, Shape>()
    shapes.set(command, known)
    for (const [title, values] of cases) {
      const before = known.get(title)
      const shape = command === 'demo' ? byChance(shapeOf(values)) : shapeOf(values)
      known.set(title, before === undefined ? shape : joined(before, shape))
    }
  }
}

mkdirSync(CONTRACTS, { recursive: true })
for (const [command, cases] of shapes) {
  const path = join(CONTRACTS, `${command}.json`)
  const before: Contract = existsSync(path) ? contractOf(command) : {}
  const after = new Map(Object.entries(before))
  const problems: string[] = []
  for (const [title, shape] of cases) {
    const recorded = before[title]
    problems.push(...(recorded === undefined ? [] : broken(recorded, shape)).map((problem) => `${title}: ${problem}`))
    after.set(title, recorded === undefined ? shape : joined(recorded, shape))
  }
  if (problems.length === 0) writeFileSync(path, `${JSON.stringify(Object.fromEntries(after), undefined, 2)}\n`)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
