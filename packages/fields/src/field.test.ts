/** Fields of pages, by selectors: what is found, of which type, and what strangers' pages may not do. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import fc from 'fast-check'
import { attribute, FieldsError, items, link, list, number, pageReader, required, text } from './index.ts'
import type { Field, PageBytes } from './index.ts'

const page = (html: string | Uint8Array, more: PageBytes['headers'] = []): PageBytes => ({
  url: 'https://books.example/shelf/one',
  headers: [['Content-Type', 'text/html; charset=utf-8'], ...more],
  body: typeof html === 'string' ? Buffer.from(html) : html,
})

const SHELF = `<!doctype html><title>Shelf</title><h1>Tide <b>tables</b>
  <script>not said</script></h1>
<p class="price">£1,250.50</p><p class=empty> </p><img src=cover.png>
<table><tr><td class=n>1</td><td><a href="/b/1">One</a></td><tr><td class=n>2</td><td><a href="mailto:x@y.example">Two</a></td></table>`

// oxfmt-ignore
const cases: readonly [sentence: string, field: Field<unknown>, html: string, value: unknown][] = [
  ['a text in one line, without scripts',      text('h1'),                               SHELF, 'Tide tables'],
  ['the first that fits',                      text('td.n'),                             SHELF, '1'],
  ['none that fits',                           text('h2'),                               SHELF, undefined],
  ['one that says nothing',                    text('.empty'),                           SHELF, undefined],
  ['an attribute as it stands',                attribute('img', 'src'),                  SHELF, 'cover.png'],
  ['an attribute that is not there',           attribute('img', 'constructor'),          SHELF, undefined],
  ['an address, whole',                        link('img', 'src'),                       SHELF, 'https://books.example/shelf/cover.png'],
  ['an address as of the base',                link('a'),                                '<base href="//cdn.example/x/"><a href=y>z</a>', 'https://cdn.example/x/y'],
  ['an address that is not on the Web',        link('a'),                                '<a href="javascript:go()">z</a>', undefined],
  ['all that fit',                             list(text('td.n')),                       SHELF, ['1', '2']],
  ['all that say something',                   list(link('td a')),                       SHELF, ['https://books.example/b/1']],
  ['a tbody that nobody wrote',                text('table > tbody > tr:nth-child(2) > td'), SHELF, '2'],
  ['items, each by itself',                    list(items('tr', { n: number('.n'), name: text('a') })), SHELF, [{ n: 1, name: 'One' }, { n: 2, name: 'Two' }]],
  ['the item itself',                          list(items('td.n', { n: text(':scope') })), SHELF, [{ n: '1' }, { n: '2' }]],
  ['a number with a sign of money',            number('.price'),                         SHELF, 1250.5],
  ['a number as much of Europe writes it',     number('p', ','),                         '<p>nur 1.250,50 €', 1250.5],
  ['a number below zero',                      number('p'),                              '<p>−3 °C', -3],
  ['no number',                                number('p'),                              '<p>free', undefined],
]
for (const [sentence, field, html, value] of cases) {
  test(`a field finds ${sentence}`, () => {
    assert.deepEqual(pageReader({ field })(page(html)), { kind: 'read', values: { field: value } })
  })
}

test('values have the types of their fields', () => {
  const read = pageReader({ title: required(text('h1')), price: number('.price'), names: list(text('a')) })(page(SHELF))
  assert.ok(read.kind === 'read')
  const title: string = read.values.title
  const price: number | undefined = read.values.price
  const names: string[] = read.values.names
  assert.deepEqual([title, price, names], ['Tide tables', 1250.5, ['One', 'Two']])
})

test('a page without what is required is told with the names', () => {
  const read = pageReader({ title: required(text('h1')), author: required(text('.author')), price: number('i') })
  assert.deepEqual(read(page(SHELF)), { kind: 'incomplete', missing: ['author'] })
})

test('what is no selector throws when the field is made, by name', () => {
  assert.throws(
    () => text('a[href'),
    (error) => error instanceof FieldsError && error.code === 'SELECTOR_INVALID',
  )
})

test('a page is unpacked, and read in its own charset', () => {
  const body = gzipSync(Buffer.from('<meta charset=latin1><h1>caf\xe9</h1>', 'latin1'))
  const headers: PageBytes['headers'] = [
    ['content-type', 'text/html'],
    ['content-encoding', 'gzip'],
  ]
  assert.deepEqual(pageReader({ title: text('h1') })({ url: 'http://e.example/', headers, body }), {
    kind: 'read',
    values: { title: 'café' },
  })
})

const many = (n: number, piece: (i: number) => string): string => Array.from({ length: n }, (_, i) => piece(i)).join('')
// oxfmt-ignore
const unreadable: readonly [sentence: string, page: PageBytes, message: RegExp][] = [
  ['one that is no HTML',                        { ...page('{}'), headers: [['content-type', 'application/json']] }, /no HTML but application\/json/],
  ['one that is too long',                       page('x'.repeat(3 << 20)),                                          /more than 2097152 bytes/],
  ['one that unpacks to too much',               page(gzipSync(Buffer.alloc(50 << 20)), [['content-encoding', 'gzip']]), /more than 2097152 bytes/],
  ['one in an unknown coding',                   page('x', [['content-encoding', 'x-none']]),                        /coding is unknown/],
  ['one that is nested without end',             page('<div>'.repeat(400_000)),                                      /nested more than 512 deep/],
  ['one whose open formatting would multiply',   page(many(400, (i) => `<b i${i}>`) + '<p>x'.repeat(300_000)),       /more than 200000 elements/],
]
for (const [sentence, bytes, message] of unreadable) {
  test(`nobody holds ${sentence}`, () => {
    const read = pageReader({ title: text('h1') })(bytes)
    assert.ok(read.kind === 'unreadable', read.kind)
    assert.match(read.message, message)
  })
}

test('a tag with two hundred thousand attributes is read like another', () => {
  const read = pageReader({ last: attribute('a', 'z'), title: text('h1') })
  const html = `<a ${many(200_000, (i) => `x${i} `)} z=9></a><h1>End</h1>`
  assert.deepEqual(read(page(html)), { kind: 'read', values: { last: '9', title: 'End' } })
})

test('whatever the bytes are, there is an answer', () => {
  const read = pageReader({ title: required(text('h1')), links: list(link('a')), n: number('td') })
  const parts = fc.constantFrom(
    '<h1>',
    '<a href=',
    '"',
    '>',
    '<table>',
    '<td>',
    '12',
    '</',
    '<svg>',
    '<template>',
    '<select>',
    '&#0;',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'binary' }))), (some) => {
      assert.ok(['read', 'incomplete', 'unreadable'].includes(read(page(some.join(''))).kind))
    }),
  )
})
