/** API pages are made of declarations: what is exported, by whatever way, with its words, and nothing else. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiPage, declarationsIn } from '../../packaging/api-page.ts'
import { packages, read, root } from '../repository-tree.ts'

const FILES: ReadonlyMap<string, string> = new Map([
  [
    '/x/index.d.ts',
    "export { open as begin } from './open.js';\nexport type { Kind } from './open.js';\nexport { OpenError } from './errors.js';\n",
  ],
  [
    '/x/open.d.ts',
    `import type { Held } from './held.js';
import { Other } from 'node:fs';
/**
 * Opens it.
 *
 * Twice is harmless.
 */
export declare function open(path: string): Held;
export declare function open(path: number): Held;
/** What it may be. */
export type Kind = {
    readonly kind: 'one';
}
/** Nothing is there. */
 | {
    readonly kind: 'none';
};
export interface Unlisted {
    readonly a: Other;
}
`,
  ],
  [
    '/x/held.d.ts',
    '/** Held by you. */\nexport interface Held {\n    /** Of bytes. */\n    readonly size: number;\n}\n',
  ],
  [
    '/x/errors.d.ts',
    "export type Code = 'GONE';\nexport declare class OpenError extends Error {\n    readonly code: Code;\n}\n",
  ],
])
const readFile = (path: string): string => FILES.get(path) ?? assert.fail(path)
const page = apiPage(
  {
    name: '@x/x',
    description: 'It opens.',
    ways: [{ specifier: '@x/x', path: '/x/index.d.ts' }],
    errors: new Map([
      ['GONE', '| `GONE` | it went | wait |'],
      ['OTHER', '| `OTHER` | never | - |'],
    ]),
    examples: [],
    readme: 'README.md',
  },
  readFile,
)
const sections = page.split(/^(?=##)/m).map((text) => text.trim().split('\n')[0])

test('a page lists what is exported, under the name that it has for others, and then what that speaks of', () => {
  assert.deepEqual(sections.slice(1), [
    '## import from `@x/x`',
    '### Kind',
    '### OpenError',
    '### begin',
    '## Errors',
    '## Also spoken of',
    '### Code',
    '### Held',
  ])
})

test('words, overloads and members of unions are kept together', () => {
  assert.match(
    page,
    /### begin\n\nOpens it\.\n\nTwice is harmless\.\n\n```ts\nfunction open\(path: string\): Held;\nfunction open\(path: number\): Held;\n```/,
  )
  assert.match(page, /'one';\n\}\n\/\*\* Nothing is there\. \*\/\n \| \{\n {4}readonly kind: 'none';\n\};\n```/)
  assert.doesNotMatch(page, /Unlisted|OTHER/)
})

test('a name is of one file, and what another package has is not followed', () => {
  const { taken, exported } = declarationsIn('/x/open.d.ts', readFile)
  assert.deepEqual([...taken.keys()], ['Held'])
  assert.deepEqual(new Set(exported), new Set(['open', 'Kind', 'Unlisted']))
})

test('every package that can be imported has a page, and docs/api.md leads there', () => {
  const importable = packages.filter((name) => read(`packages/${name}/package.json`).includes('"exports"'))
  const about = read('docs/api.md')
  assert.deepEqual(
    importable.filter((name) => !existsSync(join(root, `api/${name}.md`)) || !about.includes(`](../api/${name}.md)`)),
    [],
  )
})
