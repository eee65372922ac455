import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHtml } from '@comity/protocol'
import { ATTACKS } from '../testing/attacks-fixture.ts'
import { TemplateError } from './html-places.ts'
import { attributes, escapeHtml, html } from './html.ts'

test('text is escaped, markup of another template is not, and nothing is left for undefined and false', () => {
  const made = html`<p>${'a < b & "c"'} ${html`<b>${"d'e"}</b>`}${undefined}${false}${[1, html`<i>2</i>`, ['3']]}</p>`
  assert.equal(made.source, '<p>a &lt; b &amp; &quot;c&quot; <b>d&#39;e</b>1<i>2</i>3</p>')
})

test('attributes come and go', () => {
  const made = html`<input${attributes({ checked: true, hidden: false, title: 'a "b"', max: 3, lang: undefined })}>`
  assert.equal(made.source, '<input checked title="a &quot;b&quot;" max="3">')
})

const addresses: [address: string, written: string][] = [
  ['https://a.example/x?y=1&z=2', 'https://a.example/x?y=1&amp;z=2'],
  ['/page?key=1', '/page?key=1'],
  ['javascript:alert(1)', 'about:invalid'],
  ['data:text/html,x', 'about:invalid'],
  ['//evil.example/', 'about:invalid'],
]
for (const [address, written] of addresses) {
  test(`the address ${address} is written as ${written}`, () => {
    assert.equal(html`<a href="${address}">x</a>`.source, `<a href="${written}">x</a>`)
    assert.equal(html`<a${attributes({ href: address })}>x</a>`.source, `<a href="${written}">x</a>`)
  })
}

const wrong: [sentence: string, make: () => unknown][] = [
  ['markup as the value of an attribute', () => html`<p title="${html`<b>x</b>`}"></p>`],
  ['text between attributes', () => html`<p ${'onclick=x'}></p>`],
  ['attributes in text', () => html`<p>${attributes({ title: 'x' })}</p>`],
  ['an event handler', () => html`<p onclick="${'x'}"></p>`],
  ['an event handler by attributes()', () => attributes({ onclick: 'x' })],
  ['a style by attributes()', () => attributes({ style: 'x' })],
  ['a name of an attribute that ends it', () => attributes({ 'a b': 'x' })],
]
for (const [sentence, make] of wrong) {
  test(`${sentence} is refused`, () => assert.throws(make, TemplateError))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const decode = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
// What a browser makes of characters that no HTML may hold, we make of them before it.
const shown = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')

const pieces = fc.constantFrom(
  '<',
  '>',
  '"',
  "'",
  '&',
  '`',
  '=',
  '/',
  '!--',
  '-->',
  '</p>',
  '<script>',
  '&quot;',
  '\0',
  '\ud800',
  ' ',
)
const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.constantFrom(...ATTACKS),
)

test('no string can leave the place it was put in', () => {
  const whole = /^<p title="([^"<>]*)" data-x="([^"<>]*)">([^<>]*)<b>([^<>]*)<\/b><\/p>$/
  fc.assert(
    fc.property(strings, strings, strings, (a, b, c) => {
      const found = whole.exec(html`<p title="${a}" data-x="${b}">${c}<b>${[a, b]}</b></p>`.source)
      assert.ok(found)
      assert.deepEqual(found.slice(1).map(decode), [shown(a), shown(b), shown(c), shown(a) + shown(b)])
    }),
    { numRuns: 2_000 },
  )
})

test('a reader of pages sees one title and no link but ours, whatever they are called', () => {
  fc.assert(
    fc.property(strings, strings, (title, address) => {
      const source = html`<title>${title}</title><a href="/own">${title}</a>
        <p title="${address}"><a href="${address}">x</a></p>`.source
      const page = readHtml(source)
      const links = page.links.map(({ href }) => new URL(href, 'https://here.example/'))
      assert.equal(links[0]?.pathname, '/own')
      assert.ok(links.length <= 2)
      for (const { protocol } of links) assert.match(protocol, /^(?:https?|about):$/)
    }),
    { numRuns: 500 },
  )
})

test('escaping twice shows the escapes, not the text', () => {
  assert.equal(escapeHtml(escapeHtml('<')), '&amp;lt;')
})
