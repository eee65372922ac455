import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LenientXml, type XmlProblem } from './lenient-xml.ts'

/** What a document tells, as text: `<a>` opened, `</a>` closed, all else text. */
function told(document: string, size = document.length): { seen: string; problems: XmlProblem[] } {
  let seen = ''
  const problems: XmlProblem[] = []
  const events = {
    open: (name: string, attribute: (name: string) => string | undefined) => {
      const href = attribute('href')
      seen += href === undefined ? `<${name}>` : `<${name} ${href}>`
    },
    text: (text: string) => (seen += text),
    close: (name: string) => (seen += `</${name}>`),
  }
  const xml = new LenientXml(events, (problem) => problems.push(problem))
  for (let at = 0; at < document.length; at += Math.max(1, size)) xml.write(document.slice(at, at + Math.max(1, size)))
  xml.end()
  return { seen, problems }
}

const cases: [sentence: string, document: string, seen: string, problems?: XmlProblem[]][] = [
  ['XML is read as XML', '<a><b>x &amp; y</b><c/></a>', '<a><b>x & y</b><c></c></a>'],
  ['CDATA is text', '<a>x<![CDATA[<&]]>y</a>', '<a>x<&y</a>'],
  ['comments are left out', '<a>x<!-- <b> -->y</a>', '<a>xy</a>'],
  ['an & alone is text', '<a><b>?x=1&y=2</b><b>z</b></a>', '<a><b>?x=1&y=2</b><b>z</b></a>', ['malformed-xml']],
  [
    'an & that swallows tags gives them back',
    '<a><b>?x&y</b><c>;</c></a>',
    '<a><b>?x&y</b><c>;</c></a>',
    ['malformed-xml'],
  ],
  ['an entity nobody knows stays', '<a>x&nbsp;y</a>', '<a>x&nbsp;y</a>', ['undefined-entity']],
  ['a stray < is text', '<a>x < y<b>z</b></a>', '<a>x < y<b>z</b></a>', ['malformed-xml']],
  ['tags that cross are told as they stand', '<a><b>x</a><c>y</c>', '<a><b>x</b><c>y</c>', ['malformed-xml']],
  ['a document that is cut is told so far', '<a><b>x</b><c>y', '<a><b>x</b><c>y', ['malformed-xml']],
  [
    'attributes are read after an error too',
    '<a>&<b href="x&amp;y" z=\'1\'/></a>',
    '<a>&<b x&y></b></a>',
    ['malformed-xml'],
  ],
  ['attributes without quotes are an error, not the end', '<a b=c><d>x</d></a>', '<a><d>x</d></a>', ['malformed-xml']],
  ['character references are read after an error', '<a>&x &#65;&#x42;&lt;</a>', '<a>&x AB<</a>', ['malformed-xml']],
  ['CDATA is read after an error', '<a>& <![CDATA[<b>]]]></a>', '<a>& <b>]</a>', ['malformed-xml']],
  ['two roots are one too many', '<a>x</a><b>y</b>', '<a>x</a><b>y</b>', ['malformed-xml']],
]
for (const [sentence, document, seen, problems = []] of cases) {
  test(sentence, () => {
    for (const size of [document.length, 7, 1]) assert.deepEqual(told(document, size), { seen, problems })
  })
}

test('entities that a document declares are not expanded', () => {
  const laughs = '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;">]><a>&m;</a>'
  assert.deepEqual(told(laughs), { seen: '<a>&m;</a>', problems: ['doctype-ignored', 'undefined-entity'] })
})

test('depth, attributes and entities without end are read by the scanner', () => {
  for (const document of ['<a>'.repeat(5_000), `<a ${'b="" '.repeat(5_000)}>`, `<a>${'&b;'.repeat(5_000)}</a>`]) {
    assert.ok(told(document).problems.includes('malformed-xml'))
  }
})

test('no text makes it throw, and pieces tell the same as the whole', () => {
  const word = fc.constantFrom(
    '<',
    '>',
    '&',
    ';',
    '<a>',
    '</a>',
    '<b/>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?x',
    '?>',
    'x',
    '"',
    ' ',
  )
  const soup = fc
    .array(fc.oneof(word, fc.string({ maxLength: 3 })), { maxLength: 30 })
    .map((words) => `<r>${words.join('')}`)
  const property = fc.property(soup, fc.integer({ min: 1, max: 9 }), (document, size) => {
    assert.equal(told(document, size).seen, told(document).seen)
  })
  fc.assert(property, {
    interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
    markInterruptAsFailure: false,
    numRuns: 1_000_000,
  })
})
