import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LenientXml } from './lenient-xml.ts'
import { xmlAttributes, xmlText } from './xml-text.ts'

/** Text and attribute `a` of the one element of a document. */
function read(document: string): { text: string; a: string | undefined; problems: string[] } {
  let [text, a] = ['', undefined as string | undefined]
  const problems: string[] = []
  const events = {
    open: (_: string, attribute: (name: string) => string | undefined) => (a = attribute('a')),
    text: (more: string) => (text += more),
    close: () => {},
  }
  const xml = new LenientXml(events, (problem) => problems.push(problem))
  xml.write(document)
  xml.end()
  return { text, a, problems }
}

test('any text is read back as it was, between tags and in attributes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const property = fc.property(fc.oneof(text, fc.string()), (value) => {
    // oxlint-disable-next-line no-control-regex -- what XML 1.0 §2.2 has no place for
    const expected = value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    const document = `<e${xmlAttributes({ a: value, b: undefined })}>${xmlText(value)}</e>`
    assert.deepEqual(read(document), { text: expected, a: expected, problems: [] })
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('half of a character becomes a mark of replacement', () => {
  assert.equal(xmlText('a\ud800b<'), 'a\ufffdb&lt;')
})
