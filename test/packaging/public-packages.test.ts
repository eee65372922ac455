/** What is made of the sources for those who install packages, tried on pieces: manifests, paths in code, maps, READMEs, types. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentFaults } from '../../packaging/gate/tarballs.ts'
import { lineMappings, readVlq, writeVlq } from '../../packaging/line-map.ts'
import { withNamedFiles } from '../../packaging/named-files.ts'
import { publicManifest } from '../../packaging/public-manifest.ts'
import type { Manifest, RootManifest } from '../../packaging/public-manifest.ts'
import { publicReadme } from '../../packaging/public-readme.ts'
import { reachedTypes } from '../../packaging/reached-types.ts'
import { packages, read, root } from '../repository-tree.ts'

const common = JSON.parse(read('package.json')) as RootManifest
const manifests = packages.map((name): [string, Manifest] => [
  name,
  JSON.parse(read(`packages/${name}/package.json`)) as Manifest,
])

test('all packages have one version', () => {
  assert.equal(new Set(manifests.map(([, { version }]) => version)).size, 1)
})

for (const [folder, manifest] of manifests) {
  test(`${folder} is published with what npm, Node and TypeScript ask for, and without its source`, () => {
    const published = publicManifest(manifest, common, `packages/${folder}`)
    for (const name of ['description', 'license', 'repository', 'engines', 'files', 'exports', 'keywords', 'homepage'])
      assert.ok(published[name], name)
    const text = JSON.stringify(published)
    assert.doesNotMatch(text, /src\/|\.ts"(?<!\.d\.ts")|testing/)
    // Siblings are asked for by the very version.
    assert.doesNotMatch(text, /"@comity\/[a-z]+":"\^/)
  })
}

test('every package says in its README what it is, with a first program', () => {
  const mute = packages.filter((name) => {
    const readme = publicReadme(read(`packages/${name}/README.md`), {
      folder: `packages/${name}`,
      blobs: 'https://x.example',
    })
    return !/^```(?:ts|sh)\n/m.test(readme)
  })
  assert.deepEqual(mute, [])
})

const folder = join(root, 'packages/cli')
const source = join(folder, 'src/main.ts')
// oxfmt-ignore
const paths: readonly [sentence: string, code: string, wanted: string][] = [
  ['a source beside',                        "new URL('./version.ts', import.meta.url)",        "new URL('./version.js', import.meta.url)"],
  ['an import in a declaration',             "export { run } from './run-comity.ts'",           "export { run } from './run-comity.js'"],
  ['a name that is no file here',            "'order.ts'",                                      "'order.ts'"],
  ['a comment',                              " * see './version.ts'",                           " * see './version.ts'"],
  ['a file of the package',                  "new URL('../package.json', import.meta.url)",     "new URL('../package.json', import.meta.url)"],
  ['a file outside, which comes along',      "new URL('../../../LICENSE', import.meta.url)",    "new URL('./outside/LICENSE', import.meta.url)"],
  ['a folder outside, of which one is named', 'new URL(`../../../examples/agents/${name}.js`, import.meta.url)', 'new URL(`./outside/examples/agents/${name}.js`, import.meta.url)'],
]
for (const [sentence, code, wanted] of paths) {
  test(`paths in code that is compiled: ${sentence}`, () => {
    const { code: found, outside } = withNamedFiles(code, { source, folder, root: './outside' })
    assert.equal(found, wanted)
    assert.equal(outside.length, wanted.includes('outside') ? 1 : 0)
  })
}

test('a path that leads nowhere is told when it is built', () => {
  const code = "new URL('../../../nowhere.css', import.meta.url)"
  assert.throws(() => withNamedFiles(code, { source, folder, root: './outside' }), /main\.ts names .*nowhere\.css/)
})

test('numbers of a map are read as they were written', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 28), max: 2 ** 28 }), (n) => assert.deepEqual(readVlq(writeVlq(n)), [n])),
  )
})

test('a line map leads each line where the whole map leads its first place', () => {
  const places = fc.array(fc.array(fc.tuple(fc.nat(20), fc.nat(500), fc.nat(80)), { maxLength: 4 }), { maxLength: 20 })
  fc.assert(
    fc.property(places, (lines) => {
      let [line, column] = [0, 0]
      const mappings = lines.map((some) =>
        some.map(([at, to, place]) => {
          const text = [at, 0, to - line, place - column].map(writeVlq).join('')
          ;[line, column] = [to, place]
          return text
        }),
      )
      const short = new SourceMap({
        version: 3,
        sources: ['a.ts'],
        sourcesContent: [],
        names: [],
        file: '',
        sourceRoot: '',
        mappings: lineMappings(mappings.map((some) => some.join(',')).join(';')),
      })
      for (const [at, some] of lines.entries()) {
        const found = short.findEntry(at, 0)
        if (some.length > 0) assert.equal('originalLine' in found && found.originalLine, some[0]![1])
      }
    }),
  )
})

test('a README leads out of its package to the repository, and leaves the map of the source there', () => {
  const text =
    '# x\n\n[docs](../../docs/a.md) [web](https://e.example/)\n\n## Where things are\n\n- `a.ts`\n\n## More\n\nEnd.\n'
  assert.equal(
    publicReadme(text, { folder: 'packages/x', blobs: 'https://r.example/v1' }),
    '# x\n\n[docs](https://r.example/v1/docs/a.md) [web](https://e.example/)\n\n## More\n\nEnd.\n',
  )
})

test('types are kept that a public way leads to, and no others', () => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-types-'))
  try {
    writeFileSync(join(dir, 'index.d.ts'), "export type { A } from './a.js'\n")
    writeFileSync(join(dir, 'a.d.ts'), "export interface A { b: import('./b.js').B }\n")
    writeFileSync(join(dir, 'b.d.ts'), 'export type B = string\n')
    const found = reachedTypes([join(dir, 'index.d.ts')])
    assert.deepEqual(
      [...found].toSorted(),
      ['a', 'b', 'index'].map((name) => join(dir, `${name}.d.ts`)),
    )
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('a tarball without its license, or with tests, is told', () => {
  assert.deepEqual(
    contentFaults({ files: ['package.json', 'README.md', 'LICENSE', 'lib/a.js', 'lib/a.d.ts'] }, ['lib/a.js']),
    [],
  )
  const faults = contentFaults(
    {
      files: ['package.json', 'README.md', 'lib/a.test.js', 'lib/testing/b.js', 'src/c.ts'],
    },
    [],
  )
  assert.deepEqual(faults.length, 4)
})

test('what was built and is not packed is told, whether or not a trial would miss it', () => {
  const whole = ['package.json', 'README.md', 'LICENSE', 'lib/a.js']
  assert.deepEqual(contentFaults({ files: whole }, [...whole, 'lib/a-worker.js']), [
    'lib/a-worker.js was built, and is not packed',
  ])
})
