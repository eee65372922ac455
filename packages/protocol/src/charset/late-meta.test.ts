import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText, sniffCharset } from '../http/charset.ts'
import { encodeLegacy } from '../testing/legacy-encoder.ts'

const words = 'Все люди рождаются свободными и равными'
const meta = '<meta charset=iso-8859-5>'
const filler = `<!-- ${'x'.repeat(1_100)} -->`
const page = (head: string): Uint8Array =>
  Buffer.concat([Buffer.from(`<!doctype html><html><head>${head}`), encodeLegacy(`<p>${words}`, 'iso-8859-5')])

const counts: [sentence: string, head: string][] = [
  ['behind a long comment', filler + meta],
  ['behind a long script', `<script>var a = '${'y'.repeat(1_100)}<meta charset=koi8-r>'</script>${meta}`],
  ['behind a long style', `<style>${'y'.repeat(2_000)}</style>${meta}`],
  ['far behind', `<!-- ${'x'.repeat(200_000)} -->${meta}`],
  ['across the first 1,024 bytes', `${' '.repeat(1_024 - 40)}${meta}`],
  ['by http-equiv', `${filler}<META content="text/html; Charset=ISO-8859-5" HTTP-EQUIV="Content-Type">`],
  ['with a reference in it', `${filler}<meta charset="iso&#45;8859-5">`],
  [
    'beside one that nobody knows',
    `${filler}<meta charset=nonsense http-equiv=content-type content="text/html; charset=iso-8859-5">`,
  ],
  ['behind one that nobody knows', `${filler}<meta charset=nonsense>${meta}`],
  ['before another', `${filler}${meta}<meta charset=koi8-r>`],
  ['behind a template that is a part of a drawing', `${filler}<svg><template></svg>${meta}`],
  ['in noscript, as no scripts run here', `${filler}<noscript>${meta}</noscript>`],
  ['in the body, as the standard has it', `${filler}</head><body><p>a</p>${meta}`],
  ['although an XML declaration names another', `<?xml version="1.0" encoding="koi8-r"?>${filler}${meta}`],
]
for (const [sentence, head] of counts) {
  test(`a late meta counts ${sentence}`, () => {
    const bytes = page(head.startsWith('<?xml') ? '' : head)
    const whole = head.startsWith('<?xml') ? Buffer.concat([Buffer.from(head), bytes]) : bytes
    assert.deepEqual(sniffCharset(whole), { label: 'iso-8859-5', source: 'late-meta' })
    assert.ok(decodeText(whole, 'text/html').text.endsWith(words))
  })
}

const other = '<meta charset=koi8-r>'
const ignored: [sentence: string, head: string][] = [
  ['in a comment', `${filler}<!-- ${other} -->`],
  ['in a comment that does not end', `${filler}<!-- ${other}`],
  ['in a script', `${filler}<script>"${other}"</script>`],
  ['in a style', `${filler}<style>${other}</style>`],
  ['in a title', `${filler}<title>${other}</title>`],
  ['in a text area', `${filler}<textarea>${other}</textarea>`],
  ['in a template', `${filler}<template><template></template>${other}</template>`],
  ['in a frame', `${filler}<iframe>${other}</iframe>`],
  ['in a value', `${filler}<a title="${other}">`],
  ['that is cut', `${filler}<meta charset=koi8-r`],
  ['without http-equiv', `${filler}<meta content="text/html; charset=koi8-r">`],
]
for (const [sentence, head] of ignored) {
  test(`a late meta does not count ${sentence}`, () => {
    assert.deepEqual(sniffCharset(page(`<title>${'a'.repeat(9)}</title>${head}`)).source, 'guess')
  })
}

test('what is said before counts for more', () => {
  const bytes = page(filler + other)
  assert.equal(sniffCharset(bytes, 'text/html; charset=iso-8859-5').source, 'header')
  assert.equal(sniffCharset(page(meta + filler + other)).source, 'meta')
})

test('a page readable as ASCII is not UTF-16, late or not', () => {
  assert.deepEqual(sniffCharset(page(`${filler}<meta charset=utf-16le>`)), { label: 'utf-8', source: 'late-meta' })
})

test('only a page has elements: a text about them, or a script that writes some, is no page', () => {
  for (const type of ['text/plain', 'text/javascript', 'application/json'])
    assert.deepEqual(sniffCharset(page(filler + other), type), { label: 'iso-8859-5', source: 'guess' })
})
