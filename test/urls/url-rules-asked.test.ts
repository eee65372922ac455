/**
 * Who asks what makes two URLs one page says by which rules: those of the collection that it is about. Where the usual ones are meant
 * nothing of a collection may hang on it, which is found by looking for calls that name none.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf } from '../source-marks.ts'
import { read, sources } from '../repository-tree.ts'

/** Where no collection has a say, and why. */
const usual: ReadonlyMap<string, string> = new Map([
  ['packages/protocol/src/url/plain-host.ts', 'a host, of which no rules say anything'],
  ['packages/agent/src/host/services.ts', 'a site and whoever runs its agent again must see the same links'],
  ['packages/gateway/src/node/page-reading.ts', 'a gateway: its repository applies rules of its own to what it sends'],
  ['packages/gateway/src/privacy/host-pattern.ts', 'a gateway, and a doubt whether there is a session in an address'],
  ['packages/cli/src/gateway/fetch.ts', 'a gateway'],
  ['packages/lab/src/webs/graph/draft.ts', 'webs of the lab, made up or published by others'],
  ['packages/lab/src/webs/graph/webkb.ts', 'the same'],
  ['packages/lab/src/webs/served/paths.ts', 'the same'],
  ['packages/crawler/src/options.ts', 'what holds where nothing is stated'],
  ['packages/crawler/src/run/stated-url-rules.ts', 'what a statement of one site leaves unsaid of the others'],
  ['packages/crawler/src/check/site-check.ts', 'a check of a site has no collection'],
  ['packages/collection/src/rows/kept-url-rules.ts', 'what a new collection begins with'],
  ['packages/collection/src/forget/sent.ts', 'a site, of which no rules say anything'],
  ['packages/repository/src/repository.ts', 'a site, of which no rules say anything'],
  ['packages/cli/src/cluster/whole-inspect.ts', 'a site, of which no rules say anything'],
  [
    'packages/search/src/hints/hints-file.ts',
    'whether it is an address at all; each collection looks it up by its own',
  ],
  ['packages/cli/src/collection/forget-command.ts', 'a complaint before a collection is opened'],
  ['packages/cli/src/collection/url-rules-note.ts', 'what is told is what differs from them'],
  ['packages/cli/src/crawl/options.ts', 'what a config file leaves unsaid'],
])

/** How many arguments name the rules. */
const CALLS: ReadonlyMap<string, number> = new Map([
  ['canonicalUrl', 3],
  ['createLinkResolver', 2],
])

/** Arguments of the call whose bracket opens at `at`. */
function argumentsAt(code: string, at: number): number {
  let [depth, count] = [0, 1]
  for (let i = at; i < code.length; i++) {
    if ('([{'.includes(code[i]!)) depth++
    else if (')]}'.includes(code[i]!)) depth--
    else if (code[i] === ',' && depth === 1 && /\S/.test(code.slice(i + 1, i + 40).replace(/^\s*\)/, ''))) count++
    if (depth === 0) return count
  }
  return count
}

function asksByUsualRules(source: string): boolean {
  const code = codeOf(source).replaceAll(/^import [^;]*? from .*$/gmu, '')
  if (/\bdefaultUrlRules\b|\b(?:canonicalUrl|createLinkResolver)\b(?!\()/u.test(code)) return true
  return Array.from(CALLS).some(([name, most]) =>
    [...code.matchAll(new RegExp(String.raw`(?<!function )\b${name}(?=\()`, 'gu'))].some(
      ({ index }) => argumentsAt(code, index + name.length) < most,
    ),
  )
}

const isTold = (path: string): boolean =>
  /^packages\/[^/]+\/src\//u.test(path) &&
  !/\.test\.ts$|\/testing\/|\.d\.ts$/u.test(path) &&
  path !== 'packages/protocol/src/url/url-rules.ts' &&
  path !== 'packages/protocol/src/url/canonical-url.ts' &&
  path !== 'packages/protocol/src/url/link-resolver.ts' &&
  path !== 'packages/protocol/src/index.ts'

test('who asks for a collection asks by its URL rules', () => {
  const found = sources.filter((path) => isTold(path) && asksByUsualRules(read(path)))
  assert.deepEqual(
    found.filter((path) => !usual.has(path)),
    [],
    'name the rules: `collection.urlRules()`, or those of the run',
  )
  assert.deepEqual(
    [...usual.keys()].filter((path) => !found.includes(path)),
    [],
    'what is listed and not needed any more',
  )
})

const cases: [sentence: string, source: string, isUsual: boolean][] = [
  ['one argument', 'canonicalUrl(withScheme(typed, x))', true],
  ['a base, and no rules', 'const a = canonicalUrl(told, url)', true],
  ['rules', 'canonicalUrl(told, undefined, this.#options.urlRules)', false],
  ['rules on lines of their own', 'canonicalUrl(\n  f({ a, b }),\n  undefined,\n  rules,\n)', false],
  ['a base on a line of its own', 'canonicalUrl(\n  told,\n  url,\n)', true],
  ['handed on', 'urls.map((one) => canonicalUrl(one))', true],
  ['handed on as it is', 'urls.map(canonicalUrl)', true],
  ['links', 'createLinkResolver(base)', true],
  ['links with rules', 'createLinkResolver(baseOf(page, url), rules)', false],
  ['in a comment', '// canonicalUrl(x)', false],
  ['the usual rules by name', 'f({ ...defaultUrlRules })', true],
]
for (const [sentence, source, isUsual] of cases) {
  test(`a call that names no rules is found: ${sentence}`, () => assert.equal(asksByUsualRules(source), isUsual))
}
