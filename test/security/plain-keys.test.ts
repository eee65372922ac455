// Runs alone: it is long.
/** No stranger's text is the key of a plain object: the source is searched for places where it could be. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plainKeys } from './plain-keys.ts'
import { codeOf } from '../source-marks.ts'
import { read, sources } from '../repository-tree.ts'

/** Where it is meant to be, and why that does no harm. */
const allowed: ReadonlyMap<string, string> = new Map([
  ['packages/protocol/src/lookup.ts', 'the one place that asks an object for what it holds itself'],
  ['packages/lab/src/experiments/schemes/run.ts', 'a type parameter: the keys of the same costs'],
  ['packages/lab/src/setting-bounds.ts', 'a type parameter: names that the experiment lists in its own source'],
  ['packages/repository/src/pages/pages.ts', 'a type parameter: names of our own pages'],
])

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'comity-plain-keys-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const shipped = sources.filter((path) => !path.endsWith('.d.ts'))

test('no object of the packages is asked for what a stranger may name', { timeout: 600_000 }, (t) => {
  const found = plainKeys(new Map(shipped.map((path) => [path, read(path)])), folderFor(t))
  const files = new Set(found.map((place) => place.replace(/:\d+$/u, '')))
  assert.deepEqual(
    found.filter((place) => !allowed.has(place.replace(/:\d+$/u, ''))),
    [],
    'look names up in a Map, or with tableOf, ownValue or addCount of @comity/protocol',
  )
  assert.deepEqual(
    [...allowed.keys()].filter((path) => !files.has(path)),
    [],
    'what is allowed and not needed any more',
  )
})

test('no loop goes over the names that an object inherits', () => {
  assert.deepEqual(
    shipped.filter((path) => /\bfor \((?:const|let|var) [\w$]+ in /u.test(codeOf(read(path)))),
    [],
  )
})

// oxfmt-ignore
const cases: readonly [sentence: string, source: string, lines: readonly number[]][] = [
  ['a table asked for any text',        'const t: Record<string, number> = {}\nexport const f = (name: string): unknown => t[name]', [2]],
  ['behind a question mark',            'export const f = (o: Record<string, number> | undefined, name: string): unknown => o?.[name]', [1]],
  ['counting by name',                  'const t: Record<string, number> = {}\nexport function f(name: string): void {\n  t[name] = (t[name] ?? 0) + 1\n}', [3]],
  ['a name made on the spot',           'export const f = (o: Record<string, number>, s: string): unknown => o[s.toLowerCase()]', [1]],
  ['a key inside a key',                'export const f = (l: string[], o: Record<string, number>, s: string): unknown => l[o[s]!]', [1]],
  ['any text asked for with in',        'export const f = (o: object, name: string): boolean => name in o', [1]],
  ['a text taken for what it may not be', 'const t = { a: 1 }\nexport const f = (name: string): unknown => t[name as keyof typeof t]', [2]],
  ['in a template',                     'export const f = (o: Record<string, number>, s: string): string => `a ${o[s]} b`', [1]],
  ['numbers, literals and unions pass', "const t = { a: 1, b: 2 }\nexport const f = (l: number[], i: number, k: 'a' | 'b'): unknown => [l[i], t[k], t['a'], k in t]", []],
  ['maps pass',                         'export const f = (m: ReadonlyMap<string, number>, name: string): unknown => m.get(name)', []],
  ['types pass',                        "interface Row {\n  a: string\n}\nexport type A = Row['a']\nexport type B<K extends keyof Row> = { readonly [N in K]: Row[N] }", []],
  ['comments, texts and patterns pass', 'export const f = (s: string): string => s.replace(/t[s]/u, "o[s]") // o[s]', []],
]

test('what is found and what is not', { timeout: 60_000 }, (t) => {
  const texts = cases.map(([, source], i) => [`case-${i}.ts`, source] as const)
  const expected = cases.flatMap(([sentence, , lines]) => lines.map((line) => `${sentence}:${line}`))
  const found = plainKeys(new Map(texts), folderFor(t)).map((place) =>
    place.replace(/^case-(\d+)\.ts/u, (_, i) => cases[Number(i)]![0]),
  )
  assert.deepEqual(found.toSorted(), expected.toSorted())
})
