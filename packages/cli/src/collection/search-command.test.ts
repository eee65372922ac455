import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SearchResult } from '@comity/index'
import { crawlSample } from '../testing/search-fixture.ts'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const [dir, bare] = [folder.at('crawled'), folder.at('bare')]
let origin: string
before(async () => {
  origin = await crawlSample(dir)
  await crawlSample(bare, false)
})

interface Answer {
  readonly query: string
  readonly results: readonly (Omit<SearchResult, 'snippet' | 'at'> & {
    readonly snippet: string
    readonly marks: readonly [number, number][]
    readonly at: string
  })[]
  readonly matches: number
  readonly suggestion?: string
}

async function search(...words: string[]): Promise<Answer> {
  const ended = await comityHere(['search', dir, ...words, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  return lastJson(ended) as unknown as Answer
}

test('people read the best pages with their words in place', async () => {
  const { code, stdout, stderr } = await comityHere(['search', dir, 'devours', 'salmon'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    / 1 {2}The otter\n {5}http:\/\/127\.0\.0\.1:\d+\/otter\n {5}An otter swims in the river and devours salmon/,
  )
  assert.match(stdout, /1 page has it, [\d.]+ ms\n$/)
  assert.ok(!stdout.includes('\u001b'), 'no colours without a terminal')
})

test('a program reads results with URL, title, score and snippet, best first', async () => {
  const { query, results, matches } = await search('salmon')
  assert.equal(query, 'salmon')
  assert.equal(matches, 3)
  const [first] = results as [(typeof results)[0]]
  assert.ok(results.every(({ score }, i) => i === 0 || score <= results[i - 1]!.score))
  for (const name of ['url', 'title', 'score', 'snippet'] as const) assert.ok(first[name], name)
  const [start, end] = first.marks[0] ?? [0, 0]
  assert.equal(first.snippet.slice(start, end).toLowerCase(), 'salmon')
  assert.ok(new Date(first.at).getTime() > 0)
})

test('limit, offset, ranking and folding do what they say', async () => {
  const all = await search('salmon')
  const second = await search('salmon', '--limit', '1', '--offset', '1')
  assert.deepEqual(
    second.results.map(({ url }) => url),
    [all.results[1]!.url],
  )
  const folded = await search('"twins share"')
  assert.deepEqual([folded.results.length, folded.results[0]?.folded], [1, 1])
  assert.equal((await search('"twins share"', '--unfolded')).results.length, 2)
  for (const rank of ['idf', 'hf', 'hf-idf', 'bm25', 'default'])
    assert.equal((await search('salmon', '--rank', rank)).matches, 3, rank)
})

test('conditions narrow, and a word that is spelt wrong gets a suggestion', async () => {
  const paths = async (...words: string[]): Promise<string[]> =>
    (await search(...words)).results.map(({ url }) => url.slice(origin.length))
  assert.deepEqual(await paths('title:otter'), ['/otter'])
  assert.deepEqual(await paths('anchor:otters'), ['/otter'])
  assert.deepEqual(await paths('"on one leg"'), ['/heron'])
  assert.deepEqual((await paths('salmon', 'NOT', 'otter')).includes('/otter'), false)
  assert.equal((await search('samlon')).suggestion, 'salmon')
  const { stdout } = await comityHere(['search', dir, 'samlon'])
  assert.match(stdout, /No page has that\. These are for salmon:\n\n +1 /)
  const answer = lastJson(await comityHere(['search', dir, 'samlon', '--json'])) as {
    results: []
    corrected: { results: [] }
  }
  assert.deepEqual([answer.results.length, answer.corrected.results.length > 0], [0, true])
})

test('what a stranger wrote does not reach the terminal as a command', async () => {
  const { stdout } = await comityHere(['search', dir, 'wicked'])
  assert.match(stdout, /Evil/)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
})

const wrong: [words: () => string[], code: number, message: RegExp][] = [
  [() => [], 2, /DIR is missing/],
  [() => [dir], 2, /WORDS is missing/],
  [() => [folder.at('nowhere'), 'x'], 1, /There is no collection at/],
  [() => [bare, 'x'], 1, /has no index yet\. Make it: comity index \S+bare/],
  [() => [dir, 'x', '--rank', 'bm52'], 2, /--rank "bm52" is none of .* Did you mean bm25\?/],
  [() => [dir, 'x', '--limit', '101'], 2, /--limit "101" is more than 100/],
]
for (const [words, code, message] of wrong) {
  test(`${message.source} is said`, async () => {
    const ended = await comityHere(['search', ...words()])
    assert.equal(ended.stdout, '')
    assert.match(ended.stderr, message)
    assert.equal(ended.code, code)
  })
}

test('an index whose list is damaged is named, with what to do', async () => {
  const broken = folder.at('broken')
  await crawlSample(broken)
  writeFileSync(join(broken, 'index', 'index.json'), 'nonsense')
  const { code, stderr } = await comityHere(['search', broken, 'otter'])
  assert.equal(code, 1)
  assert.match(stderr, /index\.json: it is not what was written\. Make the index anew .*comity index DIR --anew/)
  assert.doesNotMatch(stderr, /should not have happened/)
  const mended = await comityHere(['index', broken, '--anew', '--json'])
  assert.equal(mended.code, 0, mended.stderr)
  assert.equal((await comityHere(['search', broken, 'otter'])).code, 0)
})

test('synonyms and pinned pages of a file count, and its bad lines are named and counted', async () => {
  const hints = folder.at('hints.txt')
  writeFileSync(hints, `# what people call it\nlutrine, otter\nalone\nsalmon => ${origin}/otter\nx => y => z\n`)
  const ended = await comityHere(['search', dir, 'lutrine', '--hints', hints, '--json'])
  assert.match(
    ended.stderr,
    /hints\.txt: 2 lines are left out\.\n {2}line 3 has one word alone.+\n {2}line 5 has two arrows/,
  )
  const answer = lastJson(ended) as unknown as Answer & { widened: unknown }
  assert.deepEqual(answer.widened, [{ words: 'lutrine', by: ['otter'] }])
  assert.ok(answer.results.length > 0)
  const pinned = lastJson(await comityHere(['search', dir, 'salmon', '--hints', hints, '--json'])) as unknown as Answer
  assert.deepEqual([pinned.results[0]?.url, pinned.results[0]?.pinned], [`${origin}/otter`, true])
  const shown = await comityHere(['search', dir, 'lutrine', '--hints', hints])
  assert.match(shown.stdout, /^Asked for lutrine or otter\.$/m)
  writeFileSync(hints, 'alone\n')
  assert.equal((await comityHere(['search', dir, 'otter', '--hints', hints])).code, 2)
  assert.equal((await comityHere(['search', dir, 'otter', '--hints', folder.at('no-such.txt')])).code, 2)
})
