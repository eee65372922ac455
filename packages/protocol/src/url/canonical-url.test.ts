import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl } from './canonical-url.ts'
import { missing, sharedData } from '../testing/shared-data.ts'
import { defaultUrlRules } from './url-rules.ts'

const cases: [sentence: string, raw: string, expected: string | undefined][] = [
  ['scheme and host are in lower case', 'HTTP://Example.COM/A', 'http://example.com/A'],
  ['a missing path is a slash', 'http://a.example', 'http://a.example/'],
  ['the fragment goes', 'http://a.example/x#y', 'http://a.example/x'],
  ['the default port goes', 'https://a.example:443/', 'https://a.example/'],
  ['another port stays', 'https://a.example:80/', 'https://a.example:80/'],
  ['dot segments are resolved', 'http://a.example/a/./b/../c', 'http://a.example/a/c'],
  ['escaped dot segments too', 'http://a.example/a/%2e%2E/c', 'http://a.example/c'],
  ['userinfo goes', 'http://me:secret@a.example/', 'http://a.example/'],
  ['an empty query goes', 'http://a.example/x?', 'http://a.example/x'],
  ['a query that was all tracking goes with its mark', 'http://a.example/x?utm_id=1', 'http://a.example/x'],
  ['a tracking parameter is known through its escapes', 'http://a.example/?%75tm_id=1', 'http://a.example/'],
  ['the dot at the end of a host goes', 'http://a.example.:8080/', 'http://a.example:8080/'],
  ['what is left without its dots may be an address', 'http://0x7f.1..', 'http://127.0.0.1/'],
  ['a host of dots is no host', 'http://../', undefined],
  ['names of other scripts are written in punycode', 'http://Bücher.example/ü', 'http://xn--bcher-kva.example/%C3%BC'],
  ['octets have one spelling', 'http://a.example/%7eu/%c3%a9?q=%7E%2f', 'http://a.example/~u/%C3%A9?q=~%2F'],
  ['a session id that hid a dot segment', 'http://a.example/a/..;jsessionid=1/b', 'http://a.example/b'],
  ['double slashes and the last slash stay', 'http://a.example//x//', 'http://a.example//x//'],
  ['blanks around it go', '  http://a.example/\n', 'http://a.example/'],
  ['mail is not the Web', 'mailto:a@a.example', undefined],
  ['nor is a script', 'javascript:void(0)', undefined],
  ['nor a file', 'file:///etc/passwd', undefined],
  ['a relative link needs a base', 'x.html', undefined],
  ['a URL that cannot be parsed is none', 'http://a b/', undefined],
  ['a very long URL is none', `http://a.example/${'x'.repeat(8_000)}`, undefined],
  ['a long fragment does not make it long', `http://a.example/#${'x'.repeat(8_000)}`, 'http://a.example/'],
]
for (const [sentence, raw, expected] of cases) {
  test(sentence, () => assert.equal(canonicalUrl(raw), expected))
}

test('a relative link is resolved against its base', () => {
  assert.equal(canonicalUrl('../c?d', 'http://a.example/a/b/'), 'http://a.example/a/c?d')
  assert.equal(canonicalUrl('//b.example/x', 'https://a.example/'), 'https://b.example/x')
})

test('the longest URL is a setting', () => {
  assert.equal(canonicalUrl('http://a.example/123', undefined, { ...defaultUrlRules, maxLength: 19 }), undefined)
  assert.equal(
    canonicalUrl('http://a.example/12', undefined, { ...defaultUrlRules, maxLength: 19 }),
    'http://a.example/12',
  )
})

function assertIdempotent(raw: string, base?: string): void {
  const once = canonicalUrl(raw, base)
  if (once !== undefined) assert.equal(canonicalUrl(once), once, raw)
}

// oxfmt-ignore
const nasty = fc.constantFrom(
  '%', '%2', '%25', '%2e', '%2E', '%32', '%65', '%00', '%ff', '.', '..', '/', '//', '\\', '?', '&', '=', '#', ';', '@',
  ':', '[', ']', ' ', '\t', 'a', 'Z', '0x', '7', 'ü', '。', '\ud800', ';jsessionid=1', 'sid=0123456789abcdef', 'utm_x=1',
  '(S(4hqa0555fwsecu455xqckv45))', '/(', "'", '|', '^', '&amp;', 'xn--', '-', '+', '*', '~', '%7E', '%2F', '%3B', '%3F',
)

test('a canonical URL is its own canonical URL, whatever it was made of', () => {
  const tails = fc.array(nasty, { maxLength: 14 }).map((parts) => parts.join(''))
  const heads = fc.constantFrom('http://a.example/', 'http://', 'https://a.example', 'http://a.example/x?')
  fc.assert(
    fc.property(heads, tails, (head, tail) => assertIdempotent(head + tail)),
    { numRuns: 5_000 },
  )
})

test('no text, however odd, makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true, withFragments: true })),
      (text) => assertIdempotent(text, 'http://a.example/b'),
    ),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})

/** Every string in a JSON file, keys as well: the tables have many shapes and all their texts are worth a try. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key].concat(textsOf(inner)))
}

for (const folder of ['conformance/urlcanon', 'conformance/wpt-url']) {
  test(`all that stands in ${folder} has a stable canonical form`, (t) => {
    const path = sharedData(folder)
    if (path === undefined) return missing(t, folder)
    const files = ['urltestdata.json', folder.endsWith('urlcanon') ? 'semantic_precise.json' : 'IdnaTestV2.json']
    if (folder.endsWith('urlcanon'))
      files.push('aggressive.json', 'surt.json', 'supplemental_whatwg.json', 'idempotence.json')
    else
      files.push('toascii.json', 'percent-encoding.json', 'IdnaTestV2-removed.json', 'urltestdata-javascript-only.json')
    for (const file of files) {
      for (const text of textsOf(JSON.parse(readFileSync(join(path, file), 'utf8')))) {
        for (const raw of [text, `http://${text}/`, `http://a.example/${text}`, `http://a.example/?${text}`])
          assertIdempotent(raw)
      }
    }
    return undefined
  })
}

interface WptCase {
  readonly input: string
  readonly base: string | null
  readonly href?: string
}

test('the Web Platform’s table parses as browsers parse it, up to our own rules', (t) => {
  const path = sharedData('conformance/wpt-url/urltestdata.json')
  if (path === undefined) return missing(t, 'conformance/wpt-url')
  const table: readonly (string | WptCase)[] = JSON.parse(readFileSync(path, 'utf8'))
  let compared = 0
  for (const row of table) {
    if (typeof row === 'string' || (row.href !== undefined && !/^https?:/.test(row.href))) continue
    assert.equal(
      canonicalUrl(row.input, row.base ?? undefined),
      row.href === undefined ? undefined : canonicalUrl(row.href),
      row.input,
    )
    compared++
  }
  assert.ok(compared > 400, `${compared} rows`)
  return undefined
})

test('dot segments are resolved as the table of urlcanon resolves them', (t) => {
  const path = sharedData('conformance/urlcanon/path_dots.json')
  if (path === undefined) return missing(t, 'conformance/urlcanon')
  const { special }: { special: Record<string, string> } = JSON.parse(readFileSync(path, 'utf8'))
  for (const [from, to] of Object.entries(special)) {
    // In that table a backslash is a path's own character; for http it is a slash, and the Web Platform's table wins.
    if (!from.includes('\\')) assert.equal(canonicalUrl(`http://a.example${from}`), `http://a.example${to}`)
  }
  return undefined
})

test('odd IPv4 addresses are read as the table of urlcanon reads them', (t) => {
  const path = sharedData('conformance/urlcanon/funky_ipv4.json')
  if (path === undefined) return missing(t, 'conformance/urlcanon')
  const table: Record<string, string | null> = JSON.parse(readFileSync(path, 'utf8'))
  for (const [from, to] of Object.entries(table)) {
    if (to !== null) assert.equal(canonicalUrl(`http://${from}/`), `http://${to}/`)
  }
  return undefined
})
