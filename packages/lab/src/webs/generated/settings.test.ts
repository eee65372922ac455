import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generatedSettings, isGeneratedName, parseGeneratedName } from './settings.ts'
import { LabError } from '../../lab-error.ts'

const names: [sentence: string, name: string, expected: Record<string, unknown>][] = [
  ['the bare name takes every default', 'generated', { pages: 200_000, sites: 2_857, seed: 1, bowTie: true }],
  ['an empty list takes every default', 'generated:', { pages: 200_000 }],
  ['settings are read in any order', 'generated:seed=7,sites=40,pages=900', { pages: 900, sites: 40, seed: 7 }],
  ['spaces around a setting do no harm', 'generated: pages = 700 , seed = 2', { pages: 700, sites: 10, seed: 2 }],
  ['the bow tie can be switched off', 'generated:bowTie=off', { bowTie: false }],
  ['sites follow from pages, 70 pages each', 'generated:pages=3500000', { sites: 50_000 }],
  ['a small largest site asks for more sites', 'generated:pages=1000,maxSitePages=8', { sites: 500 }],
  [
    'speeds and sizes are settings too',
    'generated:latencyMs=50,bandwidth=9,meanBytes=300',
    { latencyMs: 50, bandwidth: 9 },
  ],
]
for (const [sentence, name, expected] of names) {
  test(sentence, () => assert.deepEqual({ ...parseGeneratedName(name), ...expected }, parseGeneratedName(name)))
}

const bad: [sentence: string, name: string, says: RegExp][] = [
  ['another name is refused', 'cnr-2000', /does not begin/],
  ['an unknown setting is refused by name', 'generated:colour=3', /no setting "colour"/],
  ['a setting that every object has is refused', 'generated:constructor=3', /no setting "constructor"/],
  ['a setting given twice is refused', 'generated:pages=3,pages=4', /given twice/],
  ['a setting without a value is refused', 'generated:pages', /key=value/],
  ['two equals signs are refused', 'generated:pages=1=2', /key=value/],
  ['a word is no number', 'generated:pages=many', /pages is "many"/],
  ['a fraction is refused', 'generated:pages=1.5', /whole number/],
  ['a minus is refused', 'generated:seed=-1', /whole number/],
  ['no pages is no web', 'generated:pages=0', /from 1 to/],
  ['more pages than fit in memory are refused', 'generated:pages=99999999', /from 1 to 10000000/],
  ['sites without pages are refused', 'generated:pages=5,sites=6', /at least as many pages/],
  ['pages without room are refused', 'generated:pages=30000,sites=1', /give more sites/],
  ['the bow tie is on or off', 'generated:bowTie=maybe', /on or off/],
]
for (const [sentence, name, says] of bad) {
  test(sentence, () =>
    assert.throws(
      () => parseGeneratedName(name),
      (error) => error instanceof LabError && says.test(error.message) && error.message.includes('Example:'),
    ),
  )
}

test('settings from a program are checked like those of a name', () => {
  assert.throws(() => generatedSettings({ pages: Number.NaN }), LabError)
  assert.throws(() => generatedSettings({ seed: 0.5 }), LabError)
})

test('any text is read or refused, never anything else', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseGeneratedName(`generated:${text}`)
      } catch (error) {
        assert.ok(error instanceof LabError)
      }
    }),
  )
})

test('a generated name is told from a path', () => {
  assert.ok(isGeneratedName('generated') && isGeneratedName('generated:pages=3'))
  assert.ok(!isGeneratedName('generated.txt') && !isGeneratedName('./generated'))
})
