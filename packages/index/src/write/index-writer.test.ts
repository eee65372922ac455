import assert from 'node:assert/strict'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { IndexReader } from '../read/index-reader.ts'
import type { IndexView } from '../read/index-reader.ts'
import { IndexWriter } from './index-writer.ts'
import { testFolder } from '../testing/sample-index.ts'
import { pagesIn, samplePage } from '../testing/sample-pages.ts'

type Command =
  | { readonly kind: 'put'; readonly key: number }
  | { readonly kind: 'remove'; readonly key: number }
  | { readonly kind: 'merge'; readonly steps: number }
  | { readonly kind: 'commit' | 'mergeAll' | 'reopen' | 'giveUp' }

const key = fc.nat({ max: 12 })
const commands = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), key }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), key }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), steps: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('commit' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('mergeAll' as const, 'reopen', 'giveUp') }) },
  ),
  { maxLength: 40 },
)

/** Small merges, and often. */
const choose = (segments: readonly unknown[]): number[] => (segments.length < 2 ? [] : [0, 1])

/** A writer, and what should be in its index. */
class Trial implements Disposable {
  readonly dir: string
  #writer: IndexWriter
  #merge: Generator<void, void> | undefined
  #version = 0
  #position = 0
  /** Versions by key: as of the last commit, and now. */
  #committed = new Map<number, string>()
  #now = new Map<number, string>()
  /** Versions put since the last commit: a merge may write them before. */
  #put = new Set<string>()

  constructor(dir: string) {
    this.dir = dir
    this.#writer = new IndexWriter(dir)
  }

  run(command: Command): void {
    switch (command.kind) {
      case 'put': {
        const version = `w${++this.#version}`
        this.#writer.put(samplePage(command.key, version))
        this.#now.set(command.key, version)
        this.#put.add(version)
        return
      }
      case 'remove':
        this.#writer.remove(command.key)
        this.#now.delete(command.key)
        return
      case 'commit':
        this.#writer.commit(++this.#position)
        this.#committed = new Map(this.#now)
        this.#put.clear()
        return
      case 'merge':
        this.#merge ??= this.#writer.merge(choose)
        for (let left = command.steps; left > 0; left--) if (this.#merge?.next().done === true) this.#merge = undefined
        return
      case 'giveUp':
        this.#merge?.return()
        this.#merge = undefined
        return
      case 'mergeAll':
        return this.#writer.mergeAll()
      case 'reopen':
        this.#reopen()
    }
  }

  /** What was not committed is lost, or was written by a merge; the source brings it again. */
  #reopen(): void {
    this.#writer[Symbol.dispose]()
    this.#merge = undefined
    this.#writer = new IndexWriter(this.dir)
    assert.equal(this.#writer.position, this.#position)
    using reader = new IndexReader(this.dir)
    this.#now = new Map([...pagesIn(reader.view, 'w')].map(([page, [version = '']]) => [page, version]))
  }

  check({ position, documents, refused, ...view }: IndexView, isCommitted: boolean): void {
    assert.deepEqual([refused, position], [[], this.#position])
    const found = pagesIn({ ...view, position, documents, refused }, 'w')
    assert.equal(documents, found.size)
    for (const [page, version] of this.#committed) {
      const words = found.get(page) ?? []
      assert.equal(words.length, 1, `page ${page} has one version`)
      assert.ok(words[0] === version || this.#put.has(words[0] as string))
    }
    for (const [page, [version = '']] of found)
      assert.ok(this.#committed.get(page) === version || this.#put.has(version))
    if (isCommitted) assert.deepEqual(new Map([...found].map(([page, [version]]) => [page, version])), this.#committed)
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]()
  }
}

test('whatever is put, removed, committed and merged in whatever order, a reader sees the last commit', (t) => {
  const dir = testFolder(t)
  let count = 0
  fc.assert(
    fc.property(commands, (all) => {
      using trial = new Trial(join(dir, String(count++)))
      using reader = new IndexReader(trial.dir)
      for (const command of all) {
        trial.run(command)
        reader.refresh()
        trial.check(reader.view, command.kind === 'commit')
      }
    }),
    { numRuns: 60 },
  )
})

test('a copy of the folder at any moment opens clean, for readers and for a writer, and nothing unnamed is left', (t) => {
  const dir = testFolder(t)
  const copy = join(dir, 'copy')
  let count = 0
  fc.assert(
    fc.property(commands, (all) => {
      using trial = new Trial(join(dir, String(count++)))
      for (const command of all) {
        trial.run(command)
        rmSync(copy, { recursive: true, force: true })
        cpSync(trial.dir, copy, { recursive: true })
        using writer = new IndexWriter(copy)
        using reader = new IndexReader(copy)
        trial.check(reader.view, command.kind === 'commit')
        assert.equal(writer.documents, reader.view.documents)
        const named = reader.view.segments.map(({ name }) => `${name}.seg`)
        assert.deepEqual(
          readdirSync(copy)
            .filter((file) => file.endsWith('.seg'))
            .toSorted(),
          named.toSorted(),
        )
      }
    }),
    { numRuns: 12 },
  )
})

test('a page put twice before a commit has its last version only', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (const version of ['w1', 'w2', 'w3']) writer.put(samplePage(1, version))
  writer.commit(1)
  using reader = new IndexReader(dir)
  assert.deepEqual(pagesIn(reader.view, 'w'), new Map([[1, ['w3']]]))
})

test('commits while a merge is under way are kept, and so is what they remove', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (let page = 0; page < 3_000; page++) {
    writer.put(samplePage(page, `w${page}`))
    if (page % 1_000 === 999) writer.commit(page)
  }
  let steps = 0
  for (const _ of writer.merge((segments) => (segments.length >= 3 && steps === 0 ? [0, 1, 2] : []))) {
    writer.remove(steps)
    writer.put(samplePage(5_000 + steps, 'w0new'))
    writer.commit(10_000 + steps++)
  }
  assert.ok(steps > 2)
  using reader = new IndexReader(dir)
  const pages = pagesIn(reader.view, 'w')
  assert.equal(reader.view.position, 10_000 + steps - 1)
  assert.equal(pages.size, 3_000)
  for (let step = 0; step < steps; step++) {
    assert.equal(pages.has(step), false)
    assert.deepEqual(pages.get(5_000 + step), ['w0new'])
  }
})

test('a merge that is overtaken by a merge of everything is given up', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (let page = 0; page < 2_400; page++) {
    writer.put(samplePage(page, `w${page}`))
    if (page % 800 === 799) writer.commit(page)
  }
  const slow = writer.merge((segments) => (segments.length < 2 ? [] : [0, 1]))
  slow.next()
  writer.mergeAll()
  assert.equal(slow.next().done, true)
  assert.equal(writer.segments, 1)
  using reader = new IndexReader(dir)
  assert.equal(pagesIn(reader.view, 'w').size, 2_400)
  assert.deepEqual(readdirSync(dir).filter((file) => file.endsWith('.seg')).length, 1)
})

test('documents are written when memory is full, and belong to the next commit', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir, { memoryBytes: 1 })
  const text = 'some words of a page '.repeat(3_000)
  for (let page = 0; page < 25; page++) writer.put(samplePage(page, `w${page} ${text}`))
  using reader = new IndexReader(dir)
  assert.ok(writer.segments > 0)
  assert.equal(reader.view.documents, 0)
  writer.commit(25)
  reader.refresh()
  assert.equal(reader.view.documents, 25)
})

test('a commit that changes nothing writes nothing; one that only goes on is remembered', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  writer.commit(0)
  assert.deepEqual(readdirSync(dir), [])
  writer.commit(7)
  using again = new IndexWriter(dir)
  assert.equal(again.position, 7)
})

test('words of an overlong page that were left out are counted', (t) => {
  using writer = new IndexWriter(testFolder(t))
  writer.put(samplePage(1, 'word', { title: 'title '.repeat(600) }))
  assert.equal(writer.cutWords, 600 - 512)
})

test('terms are right also when there are more of them than are remembered', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir, { memoryBytes: 1 })
  const [pages, words] = [16, 10_000]
  for (let page = 0; page < pages; page++) {
    const text = Array.from({ length: words }, (_, i) => `w${page * words + i}`).join(' ')
    writer.put(samplePage(page, `${text} w0`))
  }
  writer.commit(pages)
  using reader = new IndexReader(dir)
  const found = pagesIn(reader.view, 'w')
  for (let page = 0; page < pages; page++) {
    const expected = new Set(['w0', ...Array.from({ length: words }, (_, i) => `w${page * words + i}`)])
    assert.deepEqual(new Set(found.get(page)), expected)
  }
})

test('a document that fails on its way in leaves nothing behind, and those before and after it are whole', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  const broken = {
    ...samplePage(2, 'broken'),
    // Asked for when most of the words are in.
    get anchors(): never {
      throw new TypeError('anchors is not iterable')
    },
  }
  writer.put(samplePage(1, 'first'))
  assert.throws(() => writer.put(broken), TypeError)
  writer.put(samplePage(3, 'third'))
  writer.commit(1)
  assert.equal(writer.documents, 2)
  writer.put(samplePage(2, 'second'))
  writer.mergeAll()
  assert.equal(writer.documents, 3)
})
