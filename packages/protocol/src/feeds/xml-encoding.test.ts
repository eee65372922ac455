import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRobotsRdf, createRobotsRdfReader } from './robots-rdf-reader.ts'
import { xmlDecoder } from './xml-encoding.ts'

const cases: readonly [what: string, bytes: Uint8Array, encoding: string, isKnown?: boolean][] = [
  ['a declaration', Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?>'), 'iso-8859-2'],
  ['a declaration behind a blank line', Buffer.from('\n<?xml version="1.0" encoding="windows-1251"?>'), 'windows-1251'],
  ['a byte order mark', Buffer.from('\ufeff<a/>', 'utf16le'), 'utf-16le'],
  ['the zeros of UTF-16', Buffer.from('<a/>', 'utf16le'), 'utf-16le'],
  ['nothing', Buffer.from('<a>\xe4</a>', 'latin1'), 'utf-8'],
  ['UTF-16 that cannot be, as it was read as ASCII,', Buffer.from('<?xml version="1.0" encoding="utf-16"?>'), 'utf-8'],
  ['a name that nobody knows', Buffer.from('<?xml version="1.0" encoding="klingon"?>'), 'utf-8', false],
]
for (const [what, bytes, encoding, isKnown = true] of cases) {
  test(`${what} says ${encoding}`, () => {
    const made = xmlDecoder(bytes)
    assert.deepEqual([made.decoder.encoding, made.isKnown], [encoding, isKnown])
  })
}

test('bytes that are no UTF-8 are read the same, in whichever pieces they come', () => {
  const text = `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${'<!-- long -->'.repeat(30)}<item><link>http://a.example/\xe4\xf6</link></item>`
  const bytes = Buffer.from(text, 'latin1')
  const url = 'http://a.example/robots.rdf'
  const pieces = createRobotsRdfReader(url)
  for (let at = 0; at < bytes.length; at += 7) pieces.write(bytes.subarray(at, at + 7))
  assert.deepEqual(pieces.end(), readRobotsRdf(bytes, url))
})
