/**
 * API page: what a package promises by its types, name by name, as one page that can be read and compared. It is made of the declarations
 * that the build has written, which say all that is promised and nothing else: a change of the surface is a change of the page.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Declaration {
  readonly name: string
  /** What is said of it, in words. */
  readonly about: string
  readonly code: string
  readonly path: string
}

/** One file of declarations. */
interface DeclarationFile {
  readonly declared: ReadonlyMap<string, Declaration>
  /** Names that come from another file, as they are called here, with what they are called there. */
  readonly taken: ReadonlyMap<string, { readonly path: string; readonly own: string }>
  readonly exported: readonly string[]
}

export type ReadText = (path: string) => string

const BEGINS = /^(?:export|declare|interface|type|import|abstract|class|const|function|\/\*\*)/
const NAMED = /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (?<name>[\w$]+)/
const HANDED = /^(?<kind>import|export)(?: type)? \{(?<names>[^}]*)\}(?: from ['"](?<from>[^'"]+)['"])?/

/** Pieces of a file, each from a margin to the next. */
function pieces(text: string): string[] {
  const found: string[][] = []
  for (const line of text.split('\n')) {
    if (BEGINS.test(line) || found.length === 0) found.push([])
    found.at(-1)!.push(line)
  }
  return found.reduce<string[]>((all, lines) => {
    const piece = lines.join('\n').trimEnd()
    // A member of a union may have its comment at the margin, too: what follows is no beginning then.
    if (/^\/\*\*[\s\S]*?\*\/\s*\S/.test(piece) && all.length > 0) all.push(`${all.pop()!}\n${piece}`)
    else all.push(piece)
    return all
  }, [])
}

/** The words of a comment, without its frame. */
const wordsOf = (comment: string): string =>
  comment
    .replaceAll(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()

export function declarationsIn(path: string, read: ReadText): DeclarationFile {
  const declared = new Map<string, Declaration>()
  const taken = new Map<string, { path: string; own: string }>()
  const exported: string[] = []
  let about = ''
  for (const piece of pieces(read(path))) {
    if (piece.startsWith('/**')) {
      about = wordsOf(piece)
      continue
    }
    const handed = HANDED.exec(piece)?.groups
    const name = NAMED.exec(piece)?.groups?.['name']
    if (handed !== undefined) {
      const { kind, names = '', from } = handed
      for (const [, own = '', here = own] of names.matchAll(/(?:type )?([\w$]+)(?: as ([\w$]+))?/g)) {
        if (from?.startsWith('.') === true)
          taken.set(here, { path: join(dirname(path), from.replace(/\.js$/, '.d.ts')), own })
        if (kind === 'export') exported.push(here)
      }
    } else if (name !== undefined) {
      // Overloads stand one below the other.
      const before = declared.get(name)
      const code = before === undefined ? piece : `${before.code}\n${piece}`
      declared.set(name, { name, about: [before?.about, about].filter(Boolean).join('\n\n'), code, path })
      if (piece.startsWith('export ')) exported.push(name)
    }
    about = ''
  }
  return { declared, taken, exported }
}

/** Declarations by path and name, each file read once. */
class Surface {
  readonly #read: ReadText
  readonly #files = new Map<string, DeclarationFile>()

  constructor(read: ReadText) {
    this.#read = read
  }

  file(path: string): DeclarationFile {
    const file = this.#files.get(path) ?? declarationsIn(path, this.#read)
    this.#files.set(path, file)
    return file
  }

  /** Where a name that this file knows is declared; undefined for what comes from another package, or from the language. */
  find(path: string, name: string): Declaration | undefined {
    const { declared, taken } = this.file(path)
    const elsewhere = taken.get(name)
    return declared.get(name) ?? (elsewhere && this.find(elsewhere.path, elsewhere.own))
  }

  /** What these speak of, and what that speaks of, without those themselves. */
  spokenOf(some: readonly Declaration[]): Declaration[] {
    const known = new Set(some)
    for (const { code, path } of known)
      for (const [word] of code.matchAll(/\b[A-Z_a-z$][\w$]*/g)) {
        const found = this.find(path, word)
        if (found !== undefined) known.add(found)
      }
    return [...known].slice(some.length)
  }
}

/** A way into a package: how it is imported, and its declarations. */
export interface PublicWay {
  readonly specifier: string
  readonly path: string
}

export interface ApiPageParts {
  readonly name: string
  readonly description: string
  /** Without those that are for siblings alone. */
  readonly ways: readonly PublicWay[]
  /** Rows of `docs/errors.md`, by code. */
  readonly errors: ReadonlyMap<string, string>
  /** Links to programs that use it. */
  readonly examples: readonly string[]
  readonly readme: string
}

const MADE = '<!-- Made by `npm run api`; see docs/api.md. -->'

export function apiPage(parts: ApiPageParts, read: ReadText = (path) => readFileSync(path, 'utf8')): string {
  const { name, description, ways, errors, examples, readme } = parts
  const surface = new Surface(read)
  const lists = ways.map(({ specifier, path }) => ({
    specifier,
    found: [...new Set(surface.file(path).exported)].toSorted().map((here) => {
      const found = surface.find(path, here)
      const { about = '', code = '' } = found ?? {}
      return { name: here, about, code, path }
    }),
  }))
  const all = ways.flatMap(({ path }) => surface.file(path).exported.flatMap((here) => surface.find(path, here) ?? []))
  const unique = [...new Set(all)]
  const others = surface.spokenOf(unique).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const text = [...unique, ...others].map(({ code }) => code).join('\n')
  const codes = [...errors].filter(([code]) => new RegExp(`['"]${code}['"]`).test(text))
  return [
    MADE,
    `# ${name}`,
    `_${description}_`,
    [`[What it is for](${readme})`, ...examples].join(' · '),
    ...lists.flatMap(({ specifier, found }) => [`## import from \`${specifier}\``].concat(found.map(section))),
    ...(codes.length === 0
      ? []
      : [
          '## Errors',
          `| code | thrown when | what to do |\n| --- | --- | --- |\n${codes.map(([, row]) => row).join('\n')}`,
        ]),
    ...(others.length === 0
      ? []
      : ['## Also spoken of', 'Not exported by name; what is exported is made of these.', ...others.map(section)]),
  ]
    .join('\n\n')
    .concat('\n')
}

const section = ({ name, about, code }: Declaration): string =>
  [`### ${name}`, about, code === '' ? '' : `\`\`\`ts\n${code.replaceAll(/^export (?:declare )?/gm, '')}\n\`\`\``]
    .filter((part) => part !== '')
    .join('\n\n')
