/** The tests keep rules of their own: they wait for what happens and not for the clock, and each says something that can be wrong. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { files, isTest, read } from './repository-tree.ts'
import { closing, codeOf } from './source-marks.ts'

/** With comments and texts blanked out: what a child is given to run is a text. */
const codes: ReadonlyMap<string, string> = new Map(
  files
    .filter((path) => /^(?:packages|test)\/.+\.ts$/u.test(path) && (isTest(path) || path.startsWith('test/')))
    .map((path) => [path, codeOf(read(path))]),
)
const tests = [...codes].filter(([path]) => /\.(?:test|suite)\.ts$/u.test(path))

test('the rules below look at all tests', () => {
  assert.ok(tests.length > 600, `${tests.length} files`)
})

/** A timer that is set, or waited for. Those of `mock.timers` are set by the source, not by the test. */
const TIMER = /(?<![.\w])(?:setTimeout|setInterval)\(/u
const SLEEP = /^import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'/mu
const setsTimer = ([path, code]: readonly [string, string]): boolean => TIMER.test(code) || SLEEP.test(read(path))

/** A process is the subject: when it is killed or spoken to is a moment by the clock. */
const isWholeProgram = (path: string): boolean =>
  path.startsWith('test/') || /from '(?:node:child_process|[^']*\/spawned-comity\.ts)'/u.test(read(path))

/** Those of the packages that set timers, under the reason why no event and no fake clock will do. */
const realTimers: Readonly<Record<string, string>> = {
  'packages/crawler/src/fetch/connection.test.ts': 'servers that drip, and one that breaks off when it was heard',
  'packages/repository/src/http/server-fuzz.test.ts': 'a limit: whoever hangs is named with what was asked',
  'packages/repository/src/open-repository.test.ts': 'a whole crawl, asked over and over how far it is',
  'packages/repository/src/testing/sample-repository.ts': 'LMDB renews the snapshot of a reader by a timer of its own',
  'packages/site/src/post.test.ts': 'servers that drip',
  'packages/site/src/sources/page-sources.test.ts': 'keeps the process alive where nothing else does',
  'packages/site/src/testing/slow-and-flooding.suite.ts': 'visitors that drip',
  'packages/site/src/testing/smuggling-judge-fixture.ts': 'a limit: whoever hangs is named with what was heard',
  'packages/testbed/src/testing/raw-client.ts': 'a limit: a server that says nothing is a result',
}

test('no test of a package waits for the real clock, unless a whole program is its subject', () => {
  const found = [...codes].filter(setsTimer).flatMap(([path]) => (isWholeProgram(path) ? [] : [path]))
  assert.deepEqual(
    found,
    Object.keys(realTimers).toSorted(),
    'wait for an event, with untilSo of @comity/protocol/testing, or with mock.timers',
  )
})

test('how much work something is at most is said in time of the processor, not by the clock', () => {
  const found = tests.filter(
    ([path, code]) => /\b(?:performance|Date)\.now\(\) - [\w.]+ </u.test(code) && !isWholeProgram(path),
  )
  assert.deepEqual(
    found.map(([path]) => path),
    [],
    'processorMs of @comity/protocol/testing',
  )
})

/** The text of each function of a file by its name, up to the next that stands as far left. */
function functionsOf(code: string): Map<string, string> {
  const begun =
    /^(?<indent>[ \t]*)(?:export )?(?:(?:async )?function\*? (?<name>\w+)|const (?<made>\w+)\b[^\n]*(?:=>|=[ \t]*$))/gmu
  return new Map(
    [...code.matchAll(begun)].map(({ index, groups }) => {
      const rest = code.slice(index + groups!['indent']!.length + 1)
      const end = rest.search(
        new RegExp(`^${groups!['indent']!}(?:const|async|function|test|for|export|class)\\b`, 'mu'),
      )
      return [groups!['name'] ?? groups!['made']!, end < 0 ? rest : rest.slice(0, end)]
    }),
  )
}

const calls = (code: string, names: Iterable<string>): boolean =>
  [...names].some((name) => new RegExp(`(?<![.\\w])${name}\\b`, 'u').test(code))

/** `assert`, and the functions of a file that assert, themselves or by another of them or of what they import of tests. */
function assertersOf(path: string): Set<string> {
  const all = functionsOf(codes.get(path)!)
  const asserters = new Set([
    'assert',
    'fc.assert',
    ...importedBy(path)
      .filter(([from, name]) => asserts(from, name))
      .map(([, name]) => name),
  ])
  for (let before = 0; before < asserters.size;) {
    before = asserters.size
    for (const [name, text] of all) if (calls(text, asserters)) asserters.add(name)
  }
  return asserters
}

const importedBy = (path: string): [from: string, name: string][] =>
  [...read(path).matchAll(/^import \{(?<names>[^}]*)\} from '(?<from>\.[^']+)'/gmu)].flatMap(({ groups }) =>
    groups!['names']!.split(',').map((name): [string, string] => [join(dirname(path), groups!['from']!), name.trim()]),
  )

const asserts = (path: string, name: string): boolean =>
  codes.has(path) && calls(functionsOf(codes.get(path)!).get(name) ?? '', ['assert', 'fc.assert'])

/** Tests that are handed a function which asserts, from a table or as an argument. */
const HANDED = /(?<![.\w])(?:run|check)\b/u
const lineAt = (code: string, at: number): number => code.slice(0, at).split('\n').length

test('every test asserts something', () => {
  const mute = tests.flatMap(([path, code]) => {
    const asserters = assertersOf(path)
    return [...code.matchAll(/(?<![.\w])(?:t\.)?(?:test|it|says)\(/gu)].flatMap(({ index, 0: begun }) => {
      const body = code.slice(index, closing(code, index + begun.length - 1))
      return calls(body, asserters) || HANDED.test(body) ? [] : [`${path}:${lineAt(code, index)}`]
    })
  })
  assert.deepEqual(mute, [])
})

test('what is asserted of each file of a folder is asserted of some', () => {
  const loops = tests.flatMap(([path, code]) =>
    [...code.matchAll(/^(?<indent> *)for \(const [^\n]* of (?:readdirSync|globSync)\(.*$/gmu)].flatMap((loop) => {
      const { 0: line, index, groups } = loop
      const end = line.endsWith('{') ? code.indexOf(`\n${groups!['indent']!}}`, index) : index + line.length
      return /\bassert\b/u.test(code.slice(index, end)) ? [`${path}:${lineAt(code, index)}`] : []
    }),
  )
  assert.deepEqual(loops, [], 'give the list a name, and assert that it is not empty')
})
