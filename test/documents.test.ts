/** The documents keep up with the code: paths, links, commands, and the tables of codes, outcomes and events. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { EVENT_NAMES, OUTCOMES } from '@comity/ingest'
import { EXCLUSION_REASONS } from '@comity/frontier'
import { REFUSAL_REASONS } from '@comity/site/internal'
import { flagsOf } from '../packages/cli/src/command.ts'
import { EVERYWHERE } from '../packages/cli/src/everywhere.ts'
import { loadCommands } from '../packages/cli/src/commands.ts'
import { reference } from '../packages/cli/src/terminal/help-text.ts'
import type { FactKind } from '@comity/collection'
import { codeIn, files, packages, read, root, rowsIn, sources as modules } from './repository-tree.ts'

const commands = await loadCommands()

const documents = files.filter((path) => path.endsWith('.md'))
const codeOf = (path: string): string[] => codeIn(read(path))

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?<target>[^)\s]+)\)/g)].flatMap(({ groups }) => {
      const [target = '', heading] = (groups?.['target'] ?? '').split('#')
      if (/^(?:https?|mailto):/.test(target)) return []
      const file = target === '' ? path : join(dirname(path), target)
      const isThere = existsSync(join(root, file)) && (heading === undefined || headingsOf(file).includes(heading))
      return isThere ? [] : [`${path}: ${groups?.['target']}`]
    }),
  )
  assert.deepEqual(broken, [])
})

/** Headings as GitHub makes anchors of them. */
const headingsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (?<text>.+)$/gm)].map(({ groups }) =>
    (groups?.['text'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )

test('every path and every source file named in a document exists', () => {
  const names = new Set(files.map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const broken = documents.flatMap((path) =>
    codeOf(path)
      .flatMap((code) => code.match(/[\w.*/-]+/g) ?? [])
      .filter((word) => {
        const start = /^(?:packages|docs|examples|bench|test|\.ci)\//.test(word)
        if (start) return globSync(word.replace(/\/$/, ''), { cwd: root }).length === 0
        return /^[a-z0-9-]+\.(?:ts|md)$/.test(word) && !names.has(word)
      })
      .map((word) => `${path}: ${word}`),
  )
  assert.deepEqual(broken, [])
})

test('every source file named in a comment exists', () => {
  const broken = files
    .filter((path) => /^(?:packages|test|bench|examples)\/.+\.ts$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm)].flatMap(([line]) =>
        [...line.matchAll(/`(?<name>[\w./-]+\.ts)`/g)].flatMap(({ groups }) => {
          const name = groups?.['name'] ?? ''
          return files.some((file) => file === name || file.endsWith(`/${name}`)) ? [] : [`${path}: ${name}`]
        }),
      ),
    )
  assert.deepEqual(broken, [])
})

test('every npm script named in a document exists', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const named = documents.flatMap(codeOf).flatMap((code) => code.match(/npm (?:start|test\b|run [\w:-]+)/g) ?? [])
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter((command) => !((command.split(' ').at(-1) ?? '') in scripts)),
    [],
  )
})

/** Flags by command; every switch can be turned off too, and some are taken everywhere. */
const everywhere = EVERYWHERE.rows.flatMap(([name]) => name.match(/--[a-z]+/g) ?? [])
const flagsByCommand = new Map(
  commands.map((command) => [
    command.name,
    new Set([...everywhere, ...flagsOf(command).flatMap(({ name }) => [`--${name}`, `--no-${name}`])]),
  ]),
)

test('docs/commands.md is what the flag tables say', () => {
  const made = reference(commands).trimEnd()
  assert.equal(read('docs/commands.md').trimEnd(), made, 'run: npx comity help --markdown > docs/commands.md')
})

test('every comity command and flag named in a document exists', () => {
  const broken = documents.flatMap((path) =>
    codeOf(path).flatMap((code) => {
      const [, name] = /\bcomity (?<name>[a-z]+)/.exec(code) ?? []
      const flags = code.replace(/#.*$/, '').match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
      // A flag by itself belongs to any command; those of other programs stand behind their names.
      const isOurs = name !== undefined || code.startsWith('--')
      const known = name === undefined ? [...flagsByCommand.values()] : [flagsByCommand.get(name) ?? new Set<string>()]
      const wrong = isOurs ? flags.filter((flag) => !known.some((table) => table.has(flag))) : []
      const strange = name === undefined || flagsByCommand.has(name) ? [] : [name]
      return [...strange, ...wrong].map((word) => `${path}: ${word} in \`${code.trim()}\``)
    }),
  )
  assert.deepEqual(broken, [])
})

test('every package says in its README what it is for, and where things are', () => {
  for (const name of packages) {
    const readme = read(`packages/${name}/README.md`)
    assert.match(readme, /\*\*Useful for\*\*[\s\S]*\*\*Not useful for\*\*/, name)
    const told = readme
      .slice(readme.indexOf('## Where things are'))
      .matchAll(/`(?<path>[a-z0-9-]+(?:\/[a-z0-9-]+)*\.ts)`/g)
    const paths = [...told].map(({ groups }) => `packages/${name}/src/${groups?.['path']}`)
    assert.ok(paths.length > 0, name)
    assert.deepEqual(
      paths.filter((path) => !files.includes(path)),
      [],
    )
  }
})

/** Where a folder is not said to be, nobody looks. */
test('every folder of a package stands in its README', () => {
  for (const name of packages) {
    const readme = read(`packages/${name}/README.md`)
    const folders = files.flatMap(
      (path) => new RegExp(`^packages/${name}/src/(?<folder>[^/]+)/`).exec(path)?.groups?.['folder'] ?? [],
    )
    const untold = [...new Set(folders)].filter((folder) => !readme.includes(`\`${folder}/`))
    assert.deepEqual(
      untold.filter((folder) => folder !== 'testing'),
      [],
      name,
    )
  }
})

test('ARCHITECTURE.md calls a file by its name', () => {
  const links = [...read('ARCHITECTURE.md').matchAll(/\[([\w-]+)\]\(packages\/[^)]*\/([\w-]+)\.ts\)/g)]
  assert.ok(links.length > 50)
  assert.deepEqual(
    links.filter(([, label, name]) => label !== name).map(([link]) => link),
    [],
  )
})

test('ARCHITECTURE.md is a map that can be read at one sitting', () => {
  assert.ok(Buffer.byteLength(read('ARCHITECTURE.md')) <= 14_000)
})

test('no word stands in the glossary twice', () => {
  const words = rowsIn(read('docs/glossary.md')).map(([word = '']) => word.toLowerCase())
  assert.ok(words.length > 60)
  assert.deepEqual(
    words.filter((word, at) => words.indexOf(word) !== at),
    [],
  )
})

test('docs/outcomes.md lists every outcome with its meaning, and no other', () => {
  const expected = Object.entries(OUTCOMES).map(([name, { disposition, siteTrouble, sentence }]) => [
    `\`${name}\``,
    disposition,
    siteTrouble ? 'rests' : '',
    sentence,
  ])
  const rows = rowsIn(read('docs/outcomes.md')).filter((row) => row.length === 4 && row[0]?.startsWith('`'))
  assert.deepEqual(rows, expected)
  const reasons = rowsIn(read('docs/outcomes.md')).filter((row) => row.length === 2 && row[0]?.startsWith('`'))
  assert.deepEqual(
    reasons.map(([name]) => name),
    EXCLUSION_REASONS.map((reason) => `\`${reason}\``),
  )
})

test('docs/publish.md lists every reason of a proxy to refuse, and no other', () => {
  const listed = rowsIn(read('docs/publish.md'))
    .filter(([, status = '']) => /^(?:\d{3}|none)$/.test(status))
    .map(([first = '']) => first.slice(1, -1))
  assert.deepEqual(listed.toSorted(), REFUSAL_REASONS.toSorted())
})

test('docs/errors.md lists every error code, and no other', () => {
  const sources = files.filter((path) => /^packages\/[^/]+\/src\/(?:.*\/)?(?:errors|[\w-]+-error)\.ts$/.test(path))
  const thrown = sources
    .flatMap((path) => read(path).match(/'[A-Z][A-Z_]+[A-Z]'/g) ?? [])
    .map((code) => code.slice(1, -1))
  const listed = rowsIn(read('docs/errors.md')).flatMap(([first = '']) => /^`([A-Z_]+)`$/.exec(first)?.[1] ?? [])
  assert.deepEqual(listed.toSorted(), [...new Set(thrown)].toSorted())
})

test('docs/hooks.md lists every event, and no other', () => {
  const listed = rowsIn(read('docs/hooks.md')).flatMap(([first = '']) => /^`(comity:[a-z-]+)`$/.exec(first)?.[1] ?? [])
  assert.deepEqual(listed.toSorted(), [...EVENT_NAMES].toSorted())
})

test('docs/collection-format.md lists the facts that a collection remembers, and their fields', async () => {
  const kept = new Map<string, readonly string[]>()
  const keepers = modules.filter((path) => /\bfactKind\(/.test(read(path)))
  for (const path of keepers) {
    const made: string[] = [...read(path).matchAll(/\bfactKind\('([^']+)'/g)].map(([, name = '']) => name)
    const exported = Object.values<unknown>(await import(join(root, path)))
    const inTables = exported.filter(isTable).flatMap((table) => Object.values(table))
    for (const kind of [...exported, ...inTables].filter(isFactKind)) kept.set(kind.name, kind.fields)
    assert.deepEqual(
      made.filter((name) => !kept.has(name)),
      [],
      `${path} exports the facts it keeps`,
    )
  }
  const listed = rowsIn(read('docs/collection-format.md')).flatMap(([fact = '', , fields = '', more]) => {
    const name = /^`(\w+)`$/.exec(fact)?.[1]
    const isFact = name !== undefined && more === undefined && /^(?:none|(?:`\w+` ?)+)$/.test(fields)
    return isFact ? [[name, codeIn(fields)] as const] : []
  })
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(kept))
})

function isFactKind(value: unknown): value is FactKind<unknown> {
  return isTable(value) && typeof value['name'] === 'string' && typeof value['isOne'] === 'function'
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
