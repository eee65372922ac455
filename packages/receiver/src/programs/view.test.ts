import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { writeBundle } from '@comity/agent'
import { faultFigure } from '@comity/protocol'
import { ProgramEndpoint } from './endpoint.ts'
import { signedProgram } from '../testing/program-fixture.ts'
import { programStatePath } from './state.ts'
import { programsView } from './view.ts'
import type { ProgramsView } from './view.ts'

const AT = Date.UTC(2026, 10, 15)
const [one, two] = [signedProgram('1.0.0'), signedProgram('2.0.0')]

function store(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-view-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const each of [one, two]) writeFileSync(join(dir, `${each.manifest.version}.agent`), writeBundle(each))
  const versions = [{ bundle: '1.0.0.agent' }, { bundle: '2.0.0.agent', share: 0.5, gateways: ['north'] }]
  const path = join(dir, 'programs.json')
  writeFileSync(path, JSON.stringify({ programs: [{ name: 'rules', versions, maxFaults: 2, gateways: ['north'] }] }))
  return path
}

function viewOf(path: string): ProgramsView {
  const view = programsView(path)
  assert.ok(typeof view !== 'string', JSON.stringify(view))
  return view
}

test('who runs what, what failed and what was withdrawn, as a door left it', (t) => {
  const path = store(t)
  const door = new ProgramEndpoint(path, { now: () => AT, tell: () => undefined })
  door.ask('rules', 'north', one.digest)
  door.report('north', { [faultFigure(two.digest)]: 3 })
  const { versions, uses } = viewOf(path)
  assert.deepEqual(uses, [
    { gateway: 'north', program: 'rules', runs: '1.0.0', nominated: '2.0.0', faults: 3, askedAt: AT },
  ])
  assert.deepEqual(
    versions.map(({ version, licensed, share, gateways, running, faults, withdrawn }) => [
      version,
      licensed,
      share,
      gateways,
      running,
      faults,
      withdrawn,
    ]),
    [
      ['1.0.0', ['north'], 1, [], 1, 0, undefined],
      ['2.0.0', ['north'], 0.5, ['north'], 0, 3, '3 faults at north'],
    ],
  )
})

test('what the operator forgives, a door in another process heeds at once', (t) => {
  const path = store(t)
  const options = { now: () => AT, tell: () => undefined }
  const [door, operator] = [new ProgramEndpoint(path, options), new ProgramEndpoint(path, options)]
  door.report('north', { [faultFigure(two.digest)]: 2 })
  assert.equal(door.ask('rules', 'north', undefined)?.version, '1.0.0')
  operator.forgive(two.digest)
  assert.equal(door.ask('rules', 'north', undefined)?.version, '2.0.0')
  assert.equal(viewOf(path).uses.length, 1, 'nothing else is forgotten')
})

test('a state that nobody can read is as none; a file that is spoiled is said to be', (t) => {
  const path = store(t)
  for (const text of ['oops', '[]', '{"uses":1}', 'null']) {
    writeFileSync(programStatePath(path), text)
    assert.deepEqual(viewOf(path).uses, [])
  }
  writeFileSync(path, '{}')
  assert.match(programsView(path) as string, /list of "programs"/)
})
