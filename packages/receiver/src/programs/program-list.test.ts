import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { writeBundle } from '@comity/agent'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import fc from 'fast-check'
import { nominatedVersion, readProgramList } from './program-list.ts'
import type { Program } from './program-list.ts'
import { signedProgram, unsignedProgram } from '../testing/program-fixture.ts'

function store(t: TestContext, json: unknown): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-book-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const version of ['1.0.0', '2.0.0']) {
    writeFileSync(join(dir, `${version}.agent`), writeBundle(signedProgram(version)))
    writeFileSync(join(dir, `unsigned-${version}.agent`), writeBundle(unsignedProgram(version)))
  }
  writeFileSync(join(dir, 'programs.json'), typeof json === 'string' ? json : JSON.stringify({ programs: json }))
  return join(dir, 'programs.json')
}
const read = (t: TestContext, versions: unknown, more = {}): Program => {
  const programs = readProgramList(store(t, [{ name: 'rules', versions, ...more }]))
  assert.ok(typeof programs !== 'string', JSON.stringify(programs))
  return programs[0]!
}
const never = (): boolean => false

test('the newest version is for those that it names, the one before for all others', (t) => {
  const program = read(t, [{ bundle: '1.0.0.agent' }, { bundle: '2.0.0.agent', gateways: ['north'] }])
  assert.equal(nominatedVersion(program, 'north', never)?.version, '2.0.0')
  assert.equal(nominatedVersion(program, 'south', never)?.version, '1.0.0')
  const [, two] = program.versions
  assert.equal(nominatedVersion(program, 'north', (digest) => digest === two?.digest)?.version, '1.0.0')
})

test('a share is about that part of all gateways, and a larger one has the smaller in it', (t) => {
  const program = read(t, [{ bundle: '1.0.0.agent' }, { bundle: '2.0.0.agent', share: 0.1 }])
  const [first, second] = program.versions
  const withShare = (share: number): Program => ({ ...program, versions: [first!, { ...second!, share }] })
  const names = Array.from({ length: 1_000 }, (_, i) => `gateway-${i}`)
  const inShare = (share: number): string[] =>
    names.filter((name) => nominatedVersion(withShare(share), name, never)?.version === '2.0.0')
  assert.ok(Math.abs(inShare(0.1).length - 100) < 40)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const larger = new Set(inShare(Math.max(a, b)))
      assert.ok(inShare(Math.min(a, b)).every((name) => larger.has(name)))
    }),
    { numRuns: 20 },
  )
})

test('a program that is licensed is for nobody else', (t) => {
  const program = read(t, [{ bundle: '1.0.0.agent' }], { gateways: ['north'] })
  assert.equal(nominatedVersion(program, 'north', never)?.version, '1.0.0')
  assert.equal(nominatedVersion(program, 'south', never), undefined)
})

const wrong: [json: unknown, problem: RegExp][] = [
  ['{', /cannot be read/],
  ['{}', /list of "programs"/],
  [[{ name: 'Rules', versions: [] }], /no "name"/],
  [[{ name: 'rules', versions: [] }], /has to list/],
  [[{ name: 'rules', versions: [{ bundle: '../1.0.0.agent' }] }], /file beside this one/],
  [[{ name: 'rules', versions: [{ bundle: '3.0.0.agent' }] }], /cannot be read/],
  [[{ name: 'rules', versions: [{ bundle: 'unsigned-1.0.0.agent' }] }], /not signed/],
  [[{ name: 'rules', versions: [{ bundle: '1.0.0.agent', share: 2 }] }], /from 0 to 1/],
  [[{ name: 'other', versions: [{ bundle: '1.0.0.agent' }] }], /is rules and not other/],
  [[{ name: 'rules', versions: [{ bundle: '1.0.0.agent' }], shares: 1 }], /not known: shares/],
  [[{ name: 'rules', versions: [{ bundle: '1.0.0.agent' }], maxFaults: 0 }], /maxFaults/],
  [[1, 2].map(() => ({ name: 'rules', versions: [{ bundle: '1.0.0.agent' }] })), /twice/],
]
for (const [json, problem] of wrong) {
  test(`refused: ${JSON.stringify(json).slice(0, 80)}, as ${problem.source}`, (t) =>
    assert.match(readProgramList(store(t, json)) as string, problem))
}

test('whatever JSON it is, it is read or refused', (t) => {
  const path = store(t, [])
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      writeFileSync(path, JSON.stringify({ programs: json }))
      assert.ok(['string', 'object'].includes(typeof readProgramList(path)))
    }),
    { numRuns: 200 },
  )
})

test('a bundle stands beside the book, and nowhere else', (t) => {
  for (const name of HOSTILE_NAMES)
    for (const bundle of [name, `${name}.agent`, `../${name}.agent`]) {
      const said = readProgramList(store(t, [{ name: 'rules', versions: [{ bundle }] }]))
      assert.match(JSON.stringify(said), /has to be a file beside this one|ENOENT/, bundle)
    }
  const elsewhere = store(t, [])
  const path = store(t, [{ name: 'rules', versions: [{ bundle: 'linked.agent' }] }])
  symlinkSync(join(elsewhere, '..', '1.0.0.agent'), join(path, '..', 'linked.agent'))
  assert.match(JSON.stringify(readProgramList(path)), /has to be a file beside this one/)
})
