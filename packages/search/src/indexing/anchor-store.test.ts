import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AnchorStore } from './anchor-store.ts'

function storeOf(links: readonly (readonly [page: number, anchor: string])[]): AnchorStore {
  const store = new AnchorStore()
  for (const [page, anchor] of links) store.add(page, anchor)
  return store
}

test('a page is called what the links to it say, each text once', () => {
  const store = storeOf([
    [7, ' Crawling '],
    [7, 'a crawler'],
    [7, 'Crawling'],
    [8, 'other'],
  ])
  assert.deepEqual(store.textsOf(7), ['Crawling', 'a crawler'])
  assert.deepEqual(store.textsOf(8), ['other'])
  assert.deepEqual([store.textsOf(6), store.textsOf(99_999)], [[], []])
})

test('an empty text is no name, neither is a whole paragraph', () => {
  const store = storeOf([
    [0, ''],
    [0, ' \n '],
    [0, 'x'.repeat(121)],
  ])
  assert.deepEqual(store.textsOf(0), [])
  assert.deepEqual([...store.outdated(true)], [])
})

test('of many texts those stay that many links have', () => {
  const store = new AnchorStore()
  const often = ['home', 'start', 'main page']
  for (let i = 0; i < 1_000; i++) for (const text of [...often, `only once ${i}`]) store.add(3, text)
  const texts = store.textsOf(3)
  assert.equal(texts.length, 4)
  for (const text of often) assert.ok(texts.includes(text), text)
})

test('a page is worth doing again when it is called otherwise and its links have doubled', () => {
  const store = storeOf([[5, 'one']])
  assert.deepEqual([...store.outdated(false)], [5], 'never indexed with any')
  store.noted(5)
  assert.deepEqual([...store.outdated(true)], [])
  store.add(5, 'one')
  assert.deepEqual([...store.outdated(true)], [], 'called the same, by more')
  store.add(5, 'two')
  assert.deepEqual([[...store.outdated(false)], [...store.outdated(true)]], [[5], [5]])
  store.noted(5)
  store.add(5, 'three')
  assert.deepEqual([[...store.outdated(false)], [...store.outdated(true)]], [[], [5]], 'three links were four ago')
})

test('another book takes the notes over: only what says something else by now is outdated', () => {
  const links = [
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ] as const
  const first = storeOf(links)
  for (const [page] of links) first.noted(page)
  const again = storeOf([[9, 'new'], ...links.toReversed(), [2, 'zwei']])
  again.recall(first.notes)
  assert.deepEqual([...again.outdated(true)], [2, 9])
  assert.deepEqual([...again.outdated(false)], [9], 'page 2 can wait')
  const gone = storeOf([[1, 'one']])
  gone.recall(first.notes)
  assert.deepEqual([...gone.outdated(true)], [2, 3], 'nobody calls them anything any more')
  assert.equal(new AnchorStore().notes.length, 0)
})

test('up to four texts, the order in which links are seen changes nothing', () => {
  const link = fc.tuple(fc.nat({ max: 5_000 }), fc.constantFrom('a', 'b', 'c', 'd'))
  const shuffled = fc
    .array(link)
    .chain((links) =>
      fc.tuple(fc.constant(links), fc.shuffledSubarray(links, { minLength: links.length, maxLength: links.length })),
    )
  fc.assert(
    fc.property(shuffled, ([links, others]) => {
      const [one, two] = [storeOf(links), storeOf(others)]
      for (const [page] of links) {
        assert.deepEqual(one.textsOf(page), two.textsOf(page))
        one.noted(page)
      }
      two.recall(one.notes)
      assert.deepEqual([...two.outdated(true)], [])
    }),
  )
})
