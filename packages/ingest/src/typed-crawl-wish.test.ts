import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { typeByEnding } from '@comity/protocol'
import { askableTypes, followedKinds, isMediaTypeCrawl, isWanted, mayBeWanted } from './media-type-wish.ts'
import type { TypeWish } from './media-type-wish.ts'

const wish = (...words: string[]): TypeWish => ({
  kinds: words.filter((word) => !word.includes('/')) as TypeWish['kinds'],
  types: words.filter((word) => word.includes('/')),
})

const TYPED: [words: string[], isTyped: boolean][] = [
  [['page'], false],
  [['text/html'], false],
  [['text/*'], false],
  [['page', 'application/pdf'], false],
  [['image'], true],
  [['image/*', 'application/pdf'], true],
  [['application/*'], true],
  [[], false],
]
for (const [words, isTyped] of TYPED) {
  test(`a crawl for "${words.join(',')}" ${isTyped ? 'wants no HTML' : 'keeps HTML'}`, () => {
    assert.equal(isMediaTypeCrawl(wish(...words)), isTyped)
  })
}

const ANSWERS: [words: string[], type: string | undefined, path: string, wanted: boolean][] = [
  [['image/*'], 'image/png', '/x', true],
  [['image/*'], 'IMAGE/PNG; q=1', '/x', true],
  [['image/png'], 'image/jpeg', '/x.png', false],
  [['application/pdf'], 'application/pdf', '/x', true],
  [['application/pdf'], 'application/octet-stream', '/x.pdf', true],
  [['application/pdf'], undefined, '/x.pdf', true],
  [['application/pdf'], 'application/msword', '/x.pdf', false],
  [['document'], 'application/msword', '/x', true],
  [['image'], 'text/html', '/x.png', false],
  [['text/html'], 'application/xhtml+xml', '/x', true],
  [['page'], undefined, '/x', true],
]
for (const [words, type, path, wanted] of ANSWERS) {
  test(`of ${words.join(',')}, ${type ?? 'no type'} at ${path} is ${wanted ? '' : 'not '}wanted`, () => {
    assert.equal(isWanted(wish(...words), type, `https://a.example${path}`), wanted)
  })
}

test('an ending says whether a link is wanted, or says nothing', () => {
  const pdf = wish('application/pdf')
  assert.equal(mayBeWanted(pdf, 'https://a.example/x.pdf'), true)
  assert.equal(mayBeWanted(pdf, 'https://a.example/x.PDF?download=1'), true)
  assert.equal(mayBeWanted(pdf, 'https://a.example/x.doc'), false)
  assert.equal(mayBeWanted(pdf, 'https://a.example/x.html'), false)
  assert.equal(mayBeWanted(pdf, 'https://a.example/x'), undefined)
})

test('links are followed to what is wanted and to pages that may lead there, and no further', () => {
  assert.deepEqual(followedKinds(wish('application/pdf')), ['page', 'document'])
  assert.deepEqual(followedKinds(wish('image')), ['page', 'image'])
  assert.deepEqual(followedKinds(wish('page')), ['page'])
  assert.deepEqual(followedKinds(wish('page', 'image')), ['page', 'image'])
  assert.ok(followedKinds(wish('application/*')).includes('data'))
})

test('whoever is asked by type is asked for all that is wanted, or for everything', () => {
  assert.deepEqual(askableTypes(wish('image/*', 'application/pdf')), ['image/*', 'application/pdf'])
  assert.deepEqual(askableTypes(wish('image', 'application/pdf')), ['application/pdf', 'image/*'])
  assert.equal(askableTypes(wish('document')), undefined)
})

test('what an ending promises is wanted when it comes, whatever the wish and the URL', () => {
  const words = fc.subarray(['image/*', 'application/pdf', 'document', 'text', 'video/mp4', 'image'])
  const endings = fc.constantFrom('pdf', 'png', 'html', 'txt', 'mp4', 'doc', 'php', '')
  fc.assert(
    fc.property(words, fc.webPath(), endings, (chosen, path, ending) => {
      const url = `https://a.example${path}.${ending}`
      const type = typeByEnding(url)
      if (type !== undefined) assert.equal(mayBeWanted(wish(...chosen), url), isWanted(wish(...chosen), type, url))
    }),
  )
})

test('no string makes an ending throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void typeByEnding(text)))
})
