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
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, keysIn, membersIn } from '../source-marks.ts'
import type { Place } from '../source-marks.ts'
import { root } from '../repository-tree.ts'

/** Fails to compile for whatever `string` is part of; what a type parameter stands for is not known, and fails too. */
const KEYED =
  'declare function keyed<const Key extends PropertyKey>(key: Key & (string extends Key ? never : unknown)): Key\n'

/** `path:line` of all such places, in sources by their paths, as the compiler of this repository sees them from this folder. */
export function plainKeys(texts: ReadonlyMap<string, string>, folder: string): string[] {
  for (const [path, text] of texts) write(join(folder, path), marked(text))
  write(join(folder, 'keyed.d.ts'), KEYED)
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  const files = ['keyed.d.ts', ...texts.keys()]
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }
  write(join(folder, 'tsconfig.json'), JSON.stringify(config))
  // What packages import of each other is found as ever, and is the source as it stands.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return judged(folder)
}

function judged(folder: string): string[] {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 } as const
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], options)
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
