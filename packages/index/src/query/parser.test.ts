import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { parseQuery } from './parser.ts'
import { MAX_QUERY_CHARS, MAX_QUERY_WORDS, MAX_READ_WORDS, showQuery, type QueryNode } from './query.ts'

const now = Date.UTC(2026, 10, 15, 12)
const word = (text: string): QueryNode => ({ kind: 'word', text })
const phrase = (text: string): QueryNode => ({ kind: 'phrase', text })
const all = (...of: QueryNode[]): QueryNode => ({ kind: 'all', of })
const any = (...of: QueryNode[]): QueryNode => ({ kind: 'any', of })
const not = (of: QueryNode): QueryNode => ({ kind: 'not', of })
const [a, b, c] = [word('a'), word('b'), word('c')]

const trees: [sentence: string, query: string, tree: QueryNode | undefined][] = [
  ['a word', 'crawler', word('crawler')],
  ['all words are wanted', 'a b c', all(a, b, c)],
  ['AND says the same', 'a AND b', all(a, b)],
  ['in upper case only', 'a and b', all(a, word('and'), b)],
  ['OR binds tighter than words side by side', 'a OR b c', all(any(a, b), c)],
  ['but not as tight as AND', 'a AND b OR c', any(all(a, b), c)],
  ['parentheses hold together', '(a b) OR c', any(all(a, b), c)],
  ['a minus excludes', 'a -b', all(a, not(b))],
  ['NOT does too', 'a NOT b', all(a, not(b))],
  ['so does AND NOT', 'a AND NOT b', all(a, not(b))],
  ['twice is not at all', 'a NOT NOT b', all(a, b)],
  ['a group is excluded whole', 'a -(b c)', all(a, not(all(b, c)))],
  ['excluding what is excluded asks for one of it', 'a -(-b -c)', all(a, any(b, c))],
  ['a phrase', '"polite  robots"', phrase('polite robots')],
  ['in curly marks', '“polite robots”', phrase('polite robots')],
  ['in other countries’ marks', '„a b“ «b c»', all(phrase('a b'), phrase('b c'))],
  ['an excluded phrase', 'a -"b c"', all(a, not(phrase('b c')))],
  ['a prefix', 'crawl*', { kind: 'prefix', text: 'crawl' }],
  ['a zone', 'title:crawler', { kind: 'zone', zone: 'title', of: { kind: 'word', text: 'crawler' } }],
  ['by the name others give it', 'intitle:"a b"', { kind: 'zone', zone: 'title', of: { kind: 'phrase', text: 'a b' } }],
  ['a prefix in a zone', 'url:craw*', { kind: 'zone', zone: 'url', of: { kind: 'prefix', text: 'craw' } }],
  ['an excluded zone', 'a -heading:b', all(a, not({ kind: 'zone', zone: 'heading', of: { kind: 'word', text: 'b' } }))],
  [
    'a zone goes into parentheses',
    'anchor:(a -b)',
    all(
      { kind: 'zone', zone: 'anchor', of: { kind: 'word', text: 'a' } },
      not({ kind: 'zone', zone: 'anchor', of: { kind: 'word', text: 'b' } }),
    ),
  ],
  ['a compound is one raw word', 'java.util.HashMap', word('java.util.HashMap')],
  ['so is an underscore', 'foo_bar', word('foo_bar')],
  ['a hyphen inside of a word', 'e-mail', word('e-mail')],
  ['an address of a machine', '127.0.0.1', word('127.0.0.1')],
  ['an address of a person', 'bob@example.org', word('bob@example.org')],
  ['an option of a program', 'tar --verbose', all(word('tar'), word('verbose'))],
  ['a question', "what's new?", all(word("what's"), word('new'))],
  ['plus signs', 'C++', word('C++')],
  ['a hash', 'c#', word('c#')],
  ['a dot', '.NET', word('.NET')],
  ['a sign between words', 'a & b', all(a, b)],
  ['a lone minus', 'a - b', all(a, b)],
  ['a minus before nothing', 'a -? b', all(a, b)],
  ['a call', 'foo(bar)', word('foo(bar)')],
  ['a call with blanks', 'foo(a, b)', all(word('foo'), a, b)],
  ['a call with a phrase', 'foo("a b")', all(word('foo'), phrase('a b'))],
  ['an inch', '5" disk', all(word('5'), word('disk'))],
  ['a smile', 'a :) b', all(a, b)],
  ['a frown', 'a :( b', all(a, b)],
  ['a name with colons', 'url::parse', word('url::parse')],
  ['a drive', 'c:\\windows', word('c:\\windows')],
  ['only punctuation', '?! ... "" ()', undefined],
  ['nothing', '  ', undefined],
  ['other scripts', 'краулер 検索', all(word('краулер'), word('検索'))],
  [
    'a pasted address',
    'https://a.example/b?c#d',
    { kind: 'zone', zone: 'url', of: { kind: 'phrase', text: 'a.example/b?c' } },
  ],
  ['characters that turn the writing', 'a\u202Eb', word('ab')],
  ['control characters', 'a\u0000b', all(a, b)],
]
for (const [sentence, query, tree] of trees) {
  test(`${sentence}: ${query}`, () => {
    const parsed = parseQuery(query, now)
    assert.deepEqual(parsed.tree, tree)
    assert.deepEqual(parsed.problems, [])
  })
}

const problems: [sentence: string, query: string, name: string, shown: string][] = [
  ['an open quotation mark', 'a "new york', 'quote-open', 'a "new york"'],
  ['an open parenthesis that matters', 'c (a OR b', 'parenthesis-open', 'c (a OR b)'],
  ['OR without a right side', 'Portland OR', 'operator-alone', 'Portland'],
  ['OR without a left side', '(OR a) b', 'operator-alone', 'a b'],
  ['two operators', 'a OR AND b', 'operator-alone', 'a b'],
  ['NOT without anything', 'a NOT', 'operator-alone', 'a'],
  ['only what not to find', '-a -b', 'only-not', ''],
  ['only where not to look', '-site:a.example', 'only-not', '-site:a.example'],
  ['an excluded word beside an OR', 'a OR -b', 'not-in-or', 'a'],
  ['a prefix of one letter', 'a* b', 'prefix-too-short', 'a b'],
  ['a star at the beginning', '*crawl', 'star-misplaced', 'crawl'],
  ['a star in the middle', 'a*b', 'star-misplaced', '"a b"'],
  ['a zone before a blank', 'title: a', 'zone-empty', 'title a'],
  ['a zone before nothing', 'title:"" a', 'zone-empty', 'a'],
  ['a zone in another', 'title:(a url:b)', 'zone-in-zone', 'title:a url:b'],
  ['a filter without a value', 'a site:', 'filter-bad', 'a'],
  ['a filter with a bad value', 'a since:yesterday', 'filter-bad', 'a'],
  ['a filter beside words in an OR', 'a OR site:b.example', 'filter-in-or', 'a site:b.example'],
  ['different filters in an OR', 'a (type:pdf OR lang:de)', 'filter-in-or', 'a type:pdf lang:de'],
  ['a filter excluded together with words', 'a -(b site:b.example)', 'filter-in-not', 'a -b -site:b.example'],
  ['a long query', 'word '.repeat(500), 'query-too-long', 'word '.repeat(MAX_QUERY_CHARS / 5).trim()],
  ['very many words', 'a '.repeat(300), 'too-many-words', 'a '.repeat(MAX_READ_WORDS).trim()],
  ['many excluded words', `b ${'-a '.repeat(40)}`, 'too-many-words', `b ${'-a '.repeat(MAX_QUERY_WORDS).trim()}`],
  ['many words in parentheses', `b (${'a '.repeat(40)})`, 'too-many-words', `b ${'a '.repeat(MAX_QUERY_WORDS).trim()}`],
  [
    'many alternatives',
    Array(40).fill('a').join(' OR '),
    'too-many-words',
    Array(MAX_QUERY_WORDS).fill('a').join(' OR '),
  ],
  ['many words in a zone', `title:(${'a '.repeat(40)})`, 'too-many-words', 'title:a '.repeat(MAX_QUERY_WORDS).trim()],
  ['a phrase of many', `"${'a '.repeat(40)}"`, 'too-many-words', `"${'a '.repeat(MAX_QUERY_WORDS).trim()}"`],
  ['a compound of many', 'a.'.repeat(40), 'too-many-words', `"${'a.'.repeat(MAX_QUERY_WORDS).slice(0, -1)}"`],
  [
    'a sentence without spaces, with marks in it,',
    '北"a".'.repeat(40),
    'too-many-words',
    `"${'北 a .'.repeat(MAX_QUERY_WORDS / 2).slice(0, -2)}"`,
  ],
  ['deep parentheses', `${'(b OR (a '.repeat(12)}c${'))'.repeat(12)}`, 'too-deep', ''],
  ['many filters', 'a ' + Array.from({ length: 40 }, (_, at) => `site:s${at}`).join(' '), 'too-many-filters', ''],
]
for (const [sentence, query, name, shown] of problems) {
  test(`${sentence} is a problem, and the rest is searched: ${query.slice(0, 40)}`, () => {
    const parsed = parseQuery(query, now)
    assert.ok(
      parsed.problems.some((problem) => problem.name === name),
      JSON.stringify(parsed.problems),
    )
    assert.ok(parsed.problems.every(({ message }) => message.length < 400 && message.endsWith('.')))
    if (shown !== '') assert.equal(showQuery(parsed), shown)
  })
}

test('a long question is read whole: the index says which of its words are searched', () => {
  const { tree, problems: none } = parseQuery('a '.repeat(MAX_READ_WORDS), now)
  assert.deepEqual(none, [])
  assert.deepEqual(tree, all(...Array<QueryNode>(MAX_READ_WORDS).fill(a)))
})

test('in paragraphs of capitals OR, AND and NOT are words; in a line of them, or in other scripts, they are not', () => {
  const long = 'WORD '.repeat(MAX_QUERY_WORDS)
  const { tree } = parseQuery(`${long}A OR B AND NOT C`, now)
  assert.ok(tree?.kind === 'all' && tree.of.every(({ kind }) => kind === 'word'))
  assert.deepEqual(
    tree.of.slice(-7).map((one) => (one.kind === 'word' ? one.text : '')),
    ['A', 'or', 'B', 'and', 'not', 'C'].toSpliced(0, 0, 'WORD'),
  )
  for (const text of ['PARIS OR LONDON', `${long}paris OR LONDON`, `${'検索 '.repeat(40)}OR 索引`])
    assert.ok(JSON.stringify(parseQuery(text, now).tree).includes('"any"'), text)
})

test('filters count wherever they stand, and several of a kind are alternatives', () => {
  const {
    tree,
    filters,
    problems: none,
  } = parseQuery('(site:a.example OR site:b.example) a -type:pdf lang:de since:7d', now)
  assert.deepEqual(tree, a)
  assert.deepEqual(none, [])
  assert.deepEqual(filters, {
    only: { sites: [{ host: 'a.example' }, { host: 'b.example' }], types: [], languages: ['de'] },
    except: { sites: [], types: ['pdf'], languages: [] },
    since: now - 7 * 86_400_000,
  })
})

test('excluding alternatives excludes each', () => {
  const { filters, problems: none } = parseQuery('a -(site:a.example OR site:b.example)', now)
  assert.deepEqual(none, [])
  assert.equal(filters.except.sites.length, 2)
})

test('the later of two dates counts', () => {
  assert.equal(parseQuery('since:2026-01-31 since:2025', now).filters.since, Date.UTC(2026, 0, 31))
})

// oxfmt-ignore
const pieces = fc.constantFrom(
  'a', 'word', 'e-mail', 'C++', 'foo(bar)', '検索', '𝒳𝒴', "what's", '"', '“', '”', '(', ')', ' ', ' ', ' ', '-', '--', '*', 'AND', 'OR', 'NOT',
  ' OR ', ' AND ', ' NOT ', 'title:', 'url:', 'heading:', 'site:', 'a.example', 'a.example:80/b(c', 'site:"a.example/b)c"', '-site:b.example', 'type:pdf', 'type:',
  'image/*', 'lang:de-AT', 'since:3m', '-since:1d', 'http://a.example/b', '?', ':', '&', '.', '/', '%', '#', '\n', '\u{1F600}', '\uD800', '\u202E',
)
const queries = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

test('the canonical form means the same and has no problem left', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const parsed = parseQuery(query, now)
      const shown = showQuery(parsed)
      if (shown.length > MAX_QUERY_CHARS) return
      const again = parseQuery(shown, now + 1)
      assert.deepEqual(
        { tree: again.tree, filters: again.filters },
        { tree: parsed.tree, filters: parsed.filters },
        shown,
      )
      if (parsed.tree !== undefined) assert.deepEqual(again.problems, [], shown)
      assert.equal(showQuery(again), shown)
    }),
    { numRuns: 5_000 },
  )
})

test('every tree keeps what query.ts promises', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const { tree } = parseQuery(query, now)
      if (tree === undefined) return
      assert.notEqual(tree.kind, 'not')
      keepsPromises(tree)
    }),
    { numRuns: 3_000 },
  )
})

function keepsPromises(node: QueryNode): void {
  if (node.kind === 'all' || node.kind === 'any') {
    assert.ok(node.of.length >= 2)
    assert.ok(node.of.every((part) => part.kind !== node.kind))
    if (node.kind === 'any') assert.ok(node.of.every((part) => part.kind !== 'not'))
    else assert.ok(node.of.some((part) => part.kind !== 'not'))
    node.of.forEach(keepsPromises)
  } else if (node.kind === 'not') {
    assert.notEqual(node.of.kind, 'not')
    keepsPromises(node.of)
  } else {
    const leaf = node.kind === 'zone' ? node.of : node
    assert.match(leaf.text, /[\p{L}\p{N}]/u)
  }
}

test('a megabyte is read as quickly as a line', () => {
  const started = processorMs()
  for (const unit of ['(', '"', 'a ', '-', 'title:', 'a(', 'NOT ', '-(', 'site:', '*'])
    parseQuery(unit.repeat(1_000_000 / unit.length), now)
  assert.ok(processorMs() - started < 1_000)
})
