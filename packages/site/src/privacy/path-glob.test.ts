import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathGlob } from './path-glob.ts'

const cases: [pattern: string, path: string, matches: boolean][] = [
  ['/a.html', '/a.html', true],
  ['/a.html', '/a.html?x', false],
  ['/a.html', '/aXhtml', false],
  ['/a/*', '/a/b/c', true],
  ['/a/*', '/a', false],
  ['*.pdf', '/x/y.pdf', true],
  ['*.pdf', '/x/y.pdf.html', false],
  ['*', '/', true],
  ['/a*b*c', '/axxbyyc', true],
  ['/a*b*c', '/axxcyyb', false],
  ['/ab*ba', '/aba', false],
  ['/list?page=*', '/list?page=2', true],
  ['/(a+)+$*', '/(a+)+$x', true],
]
for (const [pattern, path, matches] of cases) {
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${path}`, () =>
    assert.equal(pathGlob(pattern)(path), matches))
}

test('a glob agrees with the regular expression it stands for', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '.'), maxLength: 8 }).map((rest) => `/${rest}`)
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 12 }).map((rest) => `/${rest}`)
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*')
      assert.equal(pathGlob(glob)(text), new RegExp(`^${source}$`).test(text))
    }),
    { numRuns: 1_000 },
  )
})

test('many wildcards over a long path take no time to speak of', () => {
  const matches = pathGlob(`/${'*a'.repeat(1_000)}*b`)
  const started = process.cpuUsage()
  assert.equal(matches(`/${'a'.repeat(4_000)}`), false)
  assert.ok(process.cpuUsage(started).user < 200_000)
})
