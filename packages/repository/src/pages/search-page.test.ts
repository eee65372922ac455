import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import { answer, models, request, results, statistics } from '../testing/pages-fixture.ts'
import type { SearchPageModel } from '../model/page-models.ts'
import { facetList, usedFacets } from './search-facets.ts'
import { renderSearchPage } from './search-page.ts'
import { breadcrumb, markedSnippet } from './search-result.ts'

const page = flat(renderSearchPage(models.search))
const render = (
  changes: Partial<SearchPageModel['answer'] & object>,
  asked: Partial<SearchPageModel['request']> = {},
): string =>
  renderSearchPage({ request: { ...request, ...asked }, answer: { ...answer, ...changes }, stock: statistics })

test('a result has its title, the way to it, the words marked, and its story', () => {
  assert.ok(
    page.includes('<a href="https://docs.example.org/archive/2020/politeness-0.html" rel="noreferrer nofollow">'),
  )
  assert.ok(page.includes('<mark>delay</mark>'))
  assert.ok(page.includes('<a href="/page?key=100">'))
  assert.equal(page.match(/<li class="result">/g)?.length, results.length)
})

test('facets add to the query, and what the query has can be taken away again', () => {
  assert.ok(page.includes('href="/search?q=crawler+delay+site:example.org+lang:de"'))
  assert.ok(page.includes('href="/search?q=crawler+delay"'))
})

test('a facet with one value is no choice, and a value with a space is quoted', () => {
  const facets = {
    sites: [{ value: 'a.example', pages: 3 }],
    types: [
      { value: 'a b', pages: 1 },
      { value: 'c', pages: 1 },
    ],
    languages: [],
  }
  const made = facetList(facets, (query) => `/search?q=${encodeURIComponent(query)}`, 'x').source
  assert.ok(!made.includes('a.example'))
  assert.ok(made.includes(`/search?q=${encodeURIComponent('x type:"a b"')}`))
})

test('a facet takes the place of the condition of its kind', () => {
  const facets = {
    sites: [],
    types: [],
    languages: [
      { value: 'de', pages: 1 },
      { value: 'en', pages: 2 },
    ],
  }
  const made = facetList(facets, (query) => `/search?q=${encodeURIComponent(query)}`, 'x lang:fr -lang:nl y').source
  assert.ok(made.includes(`/search?q=${encodeURIComponent('x -lang:nl y lang:de')}`))
})

test('conditions are found in the query wherever they stand', () => {
  const made = usedFacets('a -site:x title:"b c" d', (query) => `/?q=${query.replaceAll(' ', '_')}`)
  assert.ok(made !== false)
  assert.ok(made.source.includes('/?q=a_title:%22b_c%22_d'))
  assert.ok(made.source.includes('/?q=a_-site:x_d'))
  assert.equal(usedFacets('website:x', String), false)
})

const sums: [sentence: string, page: string, sum: RegExp][] = [
  ['a lower bound says so', render({}), /At least 1,204 pages found/],
  ['one page is one page', render({ matches: 1, isLowerBound: false }), /1 page found/],
  ['a later part says which', render({ isLowerBound: false }, { offset: 20 }), /21–28 of 1,204 pages found/],
]
for (const [sentence, shown, sum] of sums) test(sentence, () => assert.match(wordsOf(shown), sum))

test('the pager leads on from what is shown, and keeps how it was asked for', () => {
  const shown = render({}, { offset: 20, rank: 'hf', unfolded: true, query: 'x' })
  assert.match(shown, /rel="prev" href="\/search\?q=x&amp;rank=hf&amp;offset=10&amp;unfolded=1"/)
  assert.match(shown, /rel="next" href="\/search\?q=x&amp;rank=hf&amp;offset=28&amp;unfolded=1"/)
  assert.doesNotMatch(render({ matches: 8, isLowerBound: false }), /class="pager"/)
})

test('nothing found says what to try, and an end of the list is not nothing', () => {
  const none = { results: [], matches: 0, isLowerBound: false }
  assert.match(render(none), /No page has/)
  assert.match(render(none, { offset: 30 }), /no further results/)
})

test('what was not understood and what may have been meant are said', () => {
  assert.match(wordsOf(page), /“since:yesterday” is not a date/)
  assert.match(page, /Did you mean <a href="\/search\?q=crawler\+delay"><bdi>crawler delay<\/bdi><\/a>/)
})

const start = (index: object, more: object = {}): string =>
  wordsOf(
    renderSearchPage({
      request: { ...request, query: '' },
      stock: { ...statistics, ...more, index: { ...statistics.index, ...index } },
    }),
  )

test('what an operator said counts is told: other words that were asked for, and pages that stand first for it', () => {
  const widened = [{ words: 'pg', by: ['postgres', '<b>postgresql</b>'] }]
  const hinted = render({ widened, results: [{ ...results[0]!, pinned: true }, results[1]!] })
  assert.match(wordsOf(hinted), /Asked for pg or postgres or &lt;b&gt;postgresql&lt;\/b&gt;\./)
  assert.equal(hinted.match(/<li>pinned<\/li>/g)?.length, 1)
  assert.doesNotMatch(wordsOf(page), /Asked for|pinned/)
})

test('the empty form says what can be searched, and which parts of the index cannot', () => {
  assert.match(start({}), /41,230 pages of 3 sites can be searched/)
  assert.match(start({ documents: 0 }), /Nothing can be searched yet/)
  assert.match(start({ refused: ['7.seg'] }), /1 part of the index is damaged and left out: 7\.seg/)
  assert.match(
    start({}, { damaged: ['a.warc.gz at 12'] }),
    /1 thing in this collection cannot be read, .* such as a\.warc\.gz at 12\. comity repair/,
  )
})

test('marks out of order or out of the text are passed over, and no letter is lost', () => {
  const marks = fc.array(fc.tuple(fc.integer({ min: -3, max: 40 }), fc.integer({ min: -3, max: 40 })), { maxLength: 6 })
  fc.assert(
    fc.property(
      fc.string({ maxLength: 30 }).filter((text) => !/[&<>"']/.test(text)),
      marks,
      (text, some) => {
        const made = markedSnippet({ text, marks: some }).source
        assert.equal(made.replaceAll(/<\/?mark>/g, ''), text)
      },
    ),
  )
})

test('a long way is told by its ends', () => {
  assert.equal(wordsOf(breadcrumb('https://a.example/1/2/3/4/5/6/7.html').source), 'a.example › 1 › 2 › … › 6 › 7.html')
})
