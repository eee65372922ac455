import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareVersions, HOST_VERSION, readAgentManifest, writeManifest } from './manifest.ts'
import { sampleManifest } from '../testing/agent-sample.ts'

const good = JSON.parse(writeManifest(sampleManifest())) as Record<string, unknown>

test('what was written is read back', () => {
  const read = readAgentManifest(good)
  assert.ok(read.kind === 'manifest')
  assert.deepEqual(read.manifest, sampleManifest())
})

// oxfmt-ignore
const refusals: [sentence: string, change: Record<string, unknown>, problem: RegExp][] = [
  ['a name with a slash',            { name: '../etc' },                          /"name" .* lower-case/],
  ['no name',                        { name: '' },                                /"name"/],
  ['a version that is none',         { version: '1.0' },                          /"version" .* three numbers/],
  ['a version with a leading zero',  { version: '1.00.0' },                       /"version"/],
  ['an empty sentence',              { about: '  ' },                             /"about"/],
  ['a sentence of two lines',        { about: 'a\nb' },                           /"about"/],
  ['a book for a sentence',          { about: 'a'.repeat(501) },                  /"about"/],
  ['an engine that is no URL',       { engine: 'engine.example' },                /"engine"/],
  ['an engine with a password',      { engine: 'https://a:b@engine.example/' },   /"engine"/],
  ['a day that no calendar has',     { madeAt: '2026-02-30T00:00:00Z' },          /"madeAt"/],
  ['a local time',                   { expiresAt: '2027-01-01T00:00:00' },        /"expiresAt"/],
  ['an end before its begin',        { expiresAt: '2020-01-01T00:00:00Z' },       /expires before/],
  ['a page that is perhaps',         { perPage: 1 },                              /"perPage"/],
  ['a read that there is not',       { reads: ['mail'] },                         /"reads"/],
  ['the same read twice',            { reads: ['pages', 'pages'] },               /"reads"/],
  ['nothing to emit',                { emits: [] },                               /"emits" .* empty/],
  ['a kind that there is not',       { emits: ['meta', 'mail'] },                 /"emits"/],
  ['a field that has no name',       { unaudited: [''] },                         /"unaudited"/],
  ['a cap that there is not',        { caps: { threads: 3 } },                    /cap that is not known: "threads"/],
  ['less memory than can be had',    { caps: { memoryBytes: 1 } },                /memoryBytes must be/],
  ['half a record',                  { caps: { records: 0.5 } },                  /records must be/],
  ['time as a text',                 { caps: { cpuMs: '5' } },                    /cpuMs must be/],
  ['a field that is not known',      { network: true },                           /not known: "network"/],
]
for (const [sentence, change, problem] of refusals) {
  test(`a manifest with ${sentence} is refused`, () => {
    const read = readAgentManifest({ ...good, ...change })
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('a manifest that lacks anything is refused by its name', () => {
  for (const name of Object.keys(good)) {
    const { [name]: _, ...rest } = good
    const read = readAgentManifest(rest)
    assert.ok(read.kind === 'refused')
    assert.equal(read.problem, `"${name}" of the manifest is missing`)
  }
})

test('whatever comes is a manifest or a refusal', () => {
  const change = fc.dictionary(fc.constantFrom(...Object.keys(good), 'other'), fc.anything())
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        change.map((some) => Object.assign({}, good, some)),
      ),
      (json) => {
        assert.match(readAgentManifest(json).kind, /^(?:manifest|refused)$/)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('versions are compared as numbers', () => {
  assert.ok(compareVersions('1.10.0', '1.9.9') > 0)
  assert.ok(compareVersions('0.9.0', '1.0.0') < 0)
  assert.equal(compareVersions('2.0.1', '2.0.1'), 0)
})

test('the version of the host is that of its package', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  assert.equal(HOST_VERSION, version)
})
