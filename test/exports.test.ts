/** What is exported is asked for: by another file, by another package, or by whoever reads the documents. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { files, packages, read } from './repository-tree.ts'

const code = files.filter((path) => path.endsWith('.ts'))
const texts = new Map(code.map((path) => [path, read(path)]))
const wordsOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []

interface Names {
  readonly kind: string
  readonly from: string
  /** As they are called where they come from, and here. */
  readonly names: readonly (readonly [own: string, here: string])[]
}

const namesIn = (list: string): Names['names'] =>
  Array.from(list.matchAll(/(?:type )?(?<own>[\w$]+)(?: as (?<here>[\w$]+))?/g), ({ groups }) => {
    const { own = '', here = own } = groups ?? {}
    return [own, here]
  })

/** Statements that take names from other files, or hand them on. */
const STATEMENT = /^(?<kind>import|export)(?: type)? \{(?<names>[^}]*)\} from '(?<from>[^']+)'/gm
const given: ReadonlyMap<string, readonly Names[]> = new Map(
  [...texts].map(([path, text]) => [
    path,
    Array.from(text.matchAll(STATEMENT), ({ groups }) => ({
      kind: groups!['kind']!,
      from: groups!['from']!,
      names: namesIn(groups?.['names'] ?? ''),
    })),
  ]),
)

/** Names that are imported from this, anywhere. Who imports at run time may use whatever word it has. */
function importedFrom(specifier: string): ReadonlySet<string> {
  const named = [...given.values()].flat().filter(({ kind, from }) => kind === 'import' && from === specifier)
  const quoted = `'${specifier}'`
  const loaders = [...texts].flatMap(([path, text]) => (text.includes(`import(${quoted})`) ? [path] : []))
  // What is loaded may be handed on: a package that may be missing is loaded in one place.
  const handed = [...given].flatMap(([path, all]) =>
    all.some(({ from }) => loaders.includes(join(dirname(path), from))) ? [path] : [],
  )
  const loaded = [...loaders, ...handed].flatMap((path) => wordsOf(texts.get(path)!))
  return new Set([...named.flatMap(({ names }) => names.map(([own]) => own)), ...loaded])
}

/** Not in there: the change log, which tells of names that are no more, and what is made of the names themselves. */
const documented = new Set(
  files
    .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.startsWith('api/'))
    .flatMap((path) => wordsOf(read(path))),
)

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (?<name>[\w$]+)/gm

/** All that is said of a name where it is declared: up to the next thing at the margin. */
function declarationOf(path: string, name: string): string {
  const text = texts.get(path) ?? ''
  const at = [...text.matchAll(DECLARATION)].find(({ groups }) => groups?.['name'] === name)?.index
  return at === undefined ? '' : text.slice(at).split(/\n(?:\/\*\*|export |(?:async )?function|const |class )/, 1)[0]!
}

/** A fact of collections is held against the document of their format, which asks every module for its own. */
const isFactKind = (path: string, name: string): boolean => declarationOf(path, name).includes('FactKind<')

for (const name of packages) {
  test(`each name that ${name} lists is used elsewhere, documented, an error, or a type that such a one needs`, () => {
    const index = `packages/${name}/src/index.ts`
    if (!texts.has(index)) return
    const listed = given
      .get(index)!
      .flatMap(({ from, names }) =>
        names.map(([own, here]) => ({ here, about: new Set(wordsOf(declarationOf(join(dirname(index), from), own))) })),
      )
    const used = importedFrom(`@comity/${name}`)
    const isWanted = ({ here }: { here: string }): boolean =>
      used.has(here) || documented.has(here) || /Error(?:Code)?$/.test(here)
    let { wanted = [], rest = [] } = Object.groupBy(listed, (one) => (isWanted(one) ? 'wanted' : 'rest'))
    for (let before = -1; before !== rest.length;) {
      before = rest.length
      const said = wanted.reduce((all, { about }) => all.union(about), new Set<string>())
      wanted = wanted.concat(rest.filter(({ here }) => said.has(here)))
      rest = rest.filter(({ here }) => !said.has(here))
    }
    assert.deepEqual(
      rest.map(({ here }) => here),
      [],
    )
  })
}

test('no file exports what no other file takes', () => {
  const taken = new Set(
    [...given].flatMap(([path, all]) =>
      all.flatMap(({ from, names }) => names.map(([own]) => `${join(dirname(path), from)} ${own}`)),
    ),
  )
  // Modules that are loaded whole or at run time, as workers and tables of cases are: which names is not seen here.
  const loaded = new Set(
    [...texts].flatMap(([path, text]) =>
      Array.from(text.matchAll(/(?:import\(|import \* as \w+ from |new URL\()'(?<from>\.[^']+)'/g), ({ groups }) =>
        join(dirname(path), groups!['from']!),
      ),
    ),
  )
  const ours = /^packages\/.+(?<!\.test|\.d)\.ts$/
  const idle = [...texts].flatMap(([path, text]) =>
    loaded.has(path) || !ours.test(path)
      ? []
      : [...text.matchAll(DECLARATION)]
          .map(({ groups }) => groups!['name']!)
          .filter((name) => !taken.has(`${path} ${name}`) && !isFactKind(path, name))
          .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(idle, [])
})
