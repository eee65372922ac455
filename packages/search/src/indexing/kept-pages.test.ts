import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { testFolder } from '@comity/collection/testing'
import { TermDictionary } from '@comity/index'
import { KeptPages } from './kept-pages.ts'
import type { TermsRead } from './kept-pages.ts'

const LIMIT = { timeout: 60_000 }

function read(dictionary: TermDictionary, bytes: number): TermsRead {
  const line = new Uint8Array(bytes).fill(bytes % 251)
  return { dictionary, terms: { language: 'en', title: 1, text: bytes, cut: 2, line, from: 0, terms: '' } }
}

const pages = fc.array(
  fc.record({
    page: fc.nat({ max: 5_000 }),
    version: fc.constantFrom('a:0', 'b:17'),
    bytes: fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(100_000, 300_000)),
    closes: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('what was kept last of a page is read as it was, in its version alone, whatever was closed since', LIMIT, (t) => {
  fc.assert(
    fc.property(pages, (steps) => {
      using kept = new KeptPages(testFolder(t))
      const last = new Map<number, { version: string; read: TermsRead }>()
      let dictionary = new TermDictionary()
      for (const [i, { page, version, bytes, closes }] of steps.entries()) {
        dictionary.add({ terms: `term${i}` })
        const one = read(dictionary, bytes)
        kept.keep(page, version, one)
        last.set(page, { version, read: one })
        if (!closes) continue
        kept.close(dictionary)
        dictionary = new TermDictionary()
      }
      for (const [page, { version, read: one }] of last) {
        const again = kept.read(page, version)
        assert.deepEqual(again?.dictionary.texts, one.dictionary.texts)
        assert.deepEqual({ ...again?.terms, line: undefined }, { ...one.terms, line: undefined })
        assert.equal(Buffer.compare(again.terms.line, one.terms.line), 0)
        assert.equal(kept.read(page, 'c:1'), undefined)
      }
      assert.equal(kept.read(5_001, 'a:0'), undefined)
    }),
    { numRuns: 40 },
  )
})

test('beyond its limit, and where nothing can be written, nothing is kept and nothing fails', (t) => {
  const dictionary = new TermDictionary(['a'])
  using small = new KeptPages(testFolder(t), 1_000)
  small.keep(1, 'a:0', read(dictionary, 400))
  small.keep(2, 'a:0', read(dictionary, 800))
  small.keep(3, 'a:0', read(dictionary, 400))
  const isKept = (page: number): boolean => small.read(page, 'a:0') !== undefined
  assert.deepEqual([1, 2, 3].map(isKept), [true, false, true])
  const dir = testFolder(t)
  mkdirSync(join(dir, 'read-pages', 'in the way'), { recursive: true })
  using barred = new KeptPages(dir)
  for (let page = 0; page < 4; page++) barred.keep(page, 'a:0', read(dictionary, 300_000))
  for (let page = 0; page < 4; page++) assert.equal(barred.read(page, 'a:0'), undefined)
})

test('its file is nobody else’s, and is gone with it', (t) => {
  const dir = testFolder(t)
  {
    using kept = new KeptPages(dir)
    kept.keep(1, 'a:0', read(new TermDictionary(['a']), 300_000))
    // Windows lets no file go that is open.
    assert.deepEqual(readdirSync(dir), process.platform === 'win32' ? ['read-pages'] : [])
  }
  assert.deepEqual(readdirSync(dir), [])
})
