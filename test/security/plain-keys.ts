/**
 * Plain keys: where the source asks an object for something by a text that could be any text, `table[name]` or `name in
 * table`. Objects have a parent that answers to `constructor` and `toString`, so a stranger who may choose the text gets
 * a function where a word was meant to be.
 *
 * The compiler says which texts could be any: each key is handed to a function that takes every type but `string`, in a
 * copy of the source that only the compiler reads. A number, a symbol and a union of literals pass; so does `Map.get`,
 * which has no parent to ask.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, keysIn, membersIn } from '../source-marks.ts'
import type { Place } from '../source-marks.ts'
import { root } from '../repository-tree.ts'

/** Fails to compile for whatever `string` is part of; what a type parameter stands for is not known, and fails too. */
const KEYED =
  'declare function keyed<const Key extends PropertyKey>(key: Key & (string extends Key ? never : unknown)): Key\n'

const SCOPE = '@comity'

/** `path:line` of all such places, in sources by their paths, as the compiler of this repository sees them from this folder. */
export function plainKeys(texts: ReadonlyMap<string, string>, folder: string): string[] {
  for (const [path, text] of texts) write(join(folder, path), marked(text))
  write(join(folder, 'keyed.d.ts'), KEYED)
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  const files = ['keyed.d.ts', ...texts.keys()]
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }
  write(join(folder, 'tsconfig.json'), JSON.stringify(config))
  linkPackages(texts, folder)
  return judged(folder)
}

/** What is installed is found as ever. Of our packages those that are here are the copies: the compiler would read both. */
function linkPackages(texts: ReadonlyMap<string, string>, folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, SCOPE), { recursive: true })
  for (const name of readdirSync(from)) if (name !== SCOPE) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, SCOPE))) {
    const place = join('packages', name)
    const isHere = texts.has(`${place}/src/index.ts`)
    if (isHere) write(join(folder, place, 'package.json'), readFileSync(join(root, place, 'package.json'), 'utf8'))
    symlinkSync(join(isHere ? folder : root, place), join(to, SCOPE, name))
  }
}

function judged(folder: string): string[] {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 } as const
  // Several checkers would each look up what the others know already.
  const flags = ['--pretty', 'false', '--singleThreaded']
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, ...flags], options)
  // Of all that the compiler has against the copy, only what concerns a key: it knows less of what was asked before.
  const found = stdout.matchAll(
    /^(?<path>[^\n(]+)\((?<line>\d+),\d+\): error TS2345: [^\n]*'(?:never|[^\n']*string extends [^\n]*)'/gmu,
  )
  const places = [...found].map(({ groups }) => `${groups!['path']!.replaceAll('\\', '/')}:${groups!['line']}`)
  return [...new Set(places)].toSorted()
}

/** With each key in a call of `keyed`; lines stay where they are. */
export function marked(source: string): string {
  const code = codeOf(source)
  let text = source
  for (const { at, what } of [...keysIn(code), ...membersIn(code)].flatMap(insertions).toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + what + text.slice(at)
  return text
}

const insertions = ({ from, to }: Place): { at: number; what: string }[] => [
  { at: from, what: 'keyed(' },
  { at: to, what: ')' },
]

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
