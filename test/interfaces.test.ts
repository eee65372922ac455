/** No interface of the packages asks for more functions than a reader can keep in mind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read, sources } from './repository-tree.ts'
import { functionTypes, interfacesIn } from './source-interfaces.ts'

const MOST = 5

const texts = sources.filter((path) => !path.endsWith('.d.ts')).map((path) => [path, read(path)] as const)

test('no interface has more than five functions as members', () => {
  const known = functionTypes(texts.map(([, text]) => text))
  const all = texts.flatMap(([path, text]) =>
    interfacesIn(text, known).map(({ name, functions }) => ({ path, name, functions })),
  )
  assert.ok(all.length > 500)
  assert.deepEqual(
    all.flatMap(({ path, name, functions }) =>
      functions.length > MOST ? [`${path}: ${name}: ${functions.join(', ')}`] : [],
    ),
    [],
    'pass the part that they reach into, or give each concern an interface with a name of its own',
  )
})

// oxfmt-ignore
const cases: readonly [sentence: string, source: string, functions: readonly string[]][] = [
  ['methods, also with types of their own',     'interface A {\n  a(): void\n  b<T>(x: T): T\n  c?(): void\n}', ['a', 'b', 'c']],
  ['properties that are functions',             'interface A {\n  readonly a: () => void\n  b: (x: { y: number }) => string\n}', ['a', 'b']],
  ['functions that may be absent',              'interface A {\n  readonly a?: (() => void) | undefined\n}', ['a']],
  ['functions or something else',               'interface A {\n  readonly a: string | (() => string)\n}', ['a']],
  ['over several lines',                        'interface A {\n  readonly a: (\n    x: number,\n  ) => string\n  readonly b?:\n    | ((x: number) => void)\n    | undefined\n}', ['a', 'b']],
  ['by another name',                           'type F = (x: number) => void\ntype G = F\ninterface A {\n  a: F\n  b?: G | undefined\n}', ['a', 'b']],
  ['data that holds functions is another part', 'interface A {\n  a: { b(): void }\n  c: readonly (() => void)[]\n  d: Map<string, () => void>\n}', []],
  ['each of several behind a generic type',     'interface A {\n  a: Readonly<Record<string, number>>\n  b(): void\n  c: Set<string>\n  d(): void\n}', ['b', 'd']],
  ['what is extended counts where it stands',   'interface B {\n  b(): void\n}\ninterface A extends B {\n  a(): void\n}', ['a']],
  ['comments and texts say nothing',            "interface A {\n  /** a(): void { */\n  readonly a: '() => void' | 'b' // b(): void\n}", []],
]
for (const [sentence, source, functions] of cases) {
  test(`counted or not: ${sentence}`, () => {
    const found = interfacesIn(source, functionTypes([source])).find(({ name }) => name === 'A')
    assert.deepEqual(found?.functions, functions)
  })
}
