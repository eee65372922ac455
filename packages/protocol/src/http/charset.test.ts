import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText, headerCharset, sniffCharset, type Charset } from './charset.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')

const meta = '<meta charset=gbk>'
const [HTML, XHTML] = ['text/html', 'application/xhtml+xml']

const cases: [
  sentence: string,
  body: string,
  contentType: string | undefined,
  label: string,
  source: Charset['source'],
][] = [
  [
    'a byte order mark wins over all',
    '\xef\xbb\xbf<meta charset=koi8-r>',
    'text/html; charset=iso-8859-2',
    'utf-8',
    'bom',
  ],
  ['UTF-16 has two marks', '\xfe\xff\0a', undefined, 'utf-16be', 'bom'],
  ['and the other', '\xff\xfea\0', undefined, 'utf-16le', 'bom'],
  ['the header wins over the page', '<meta charset=koi8-r>', 'text/html; charset="ISO-8859-2"', 'iso-8859-2', 'header'],
  ['an unknown header leaves it to the page', '<meta charset=koi8-r>', 'text/html; charset=nonsense', 'koi8-r', 'meta'],
  ['latin1 means windows-1252', 'x', 'text/plain;charset=latin1', 'windows-1252', 'header'],
  ['meta charset', '<head><META CharSet = "Shift_JIS" >', undefined, 'shift_jis', 'meta'],
  ['meta http-equiv', '<meta http-equiv="Content-Type" content="text/html; charset=gbk">', undefined, 'gbk', 'meta'],
  [
    'content before http-equiv',
    '<meta content="text/html;charset=\'big5\'" http-equiv=content-type>',
    undefined,
    'big5',
    'meta',
  ],
  ['content without http-equiv is no word', '<meta content="text/html; charset=gbk">', undefined, 'utf-8', 'guess'],
  ['a page readable as ASCII is not UTF-16', '<meta charset=utf-16>', undefined, 'utf-8', 'meta'],
  ['x-user-defined means windows-1252', '<meta charset=x-user-defined>', undefined, 'windows-1252', 'meta'],
  ['a meta in a comment is none', '<!-- <meta charset=gbk> --><meta charset=big5>', undefined, 'big5', 'meta'],
  ['a meta in a value is none', '<a title="<meta charset=gbk>"><meta charset=big5>', undefined, 'big5', 'meta'],
  ['an unknown meta leaves it to the next', '<meta charset=nonsense><meta charset=big5>', undefined, 'big5', 'meta'],
  [
    'among the first bytes one that nobody knows hides the other',
    '<meta charset=x http-equiv=content-type content="text/html; charset=gbk">',
    undefined,
    'utf-8',
    'guess',
  ],
  ['the first of two attributes counts', '<meta charset=gbk charset=big5>', undefined, 'gbk', 'meta'],
  ['an XML declaration', '<?xml version="1.0" encoding="iso-8859-5"?><html>', undefined, 'iso-8859-5', 'meta'],
  ['a meta behind the first 1,024 bytes', `${' '.repeat(1_020)}<meta charset=gbk>`, undefined, 'gbk', 'late-meta'],
  ['in XML the declaration counts', `<?xml version="1.0" encoding="koi8-r"?>${meta}\xf0\xd2`, XHTML, 'koi8-r', 'meta'],
  ['in a page that has both the meta does', `<?xml version="1.0" encoding="koi8-r"?>${meta}`, HTML, 'gbk', 'meta'],
  ['XML without a declaration is UTF-8', `<html>${meta}gr\xc3\xbc\xc3\x9fe`, XHTML, 'utf-8', 'guess'],
  ['wherever its meta stands', `<!--${' '.repeat(1_020)}-->${meta}gr\xc3\xbc\xc3\x9fe`, XHTML, 'utf-8', 'guess'],
  ['unless it cannot be', `<html>${meta}gr\xfc\xdfe`, XHTML, 'gbk', 'meta'],
  ['a meta that a feed quotes is not of the feed', `<rss><![CDATA[${meta}]]>`, 'application/rss+xml', 'utf-8', 'guess'],
  ['nor one that a script writes of the script', `write('${meta}gr\xc3\xbc')`, 'text/javascript', 'utf-8', 'guess'],
  ['nor one in a text about pages of the text', `${meta} gr\xc3\xbc`, 'text/plain', 'utf-8', 'guess'],
  ['nor one in data', `{"a":"${meta}gr\xc3\xbc"}`, 'application/json', 'utf-8', 'guess'],
  ['valid UTF-8 is UTF-8', 'gr\xc3\xbc\xc3\x9fe', undefined, 'utf-8', 'guess'],
  ['UTF-8 cut in a character still is', 'gr\xc3\xbc\xe2\x82', undefined, 'utf-8', 'guess'],
  ['a Western language is windows-1252', 'gr\xfc\xdfe', undefined, 'windows-1252', 'guess'],
  ['another is what it was written in', '\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2!', undefined, 'koi8-r', 'guess'],
  ['and what is none is windows-1252', '\x89\x8d\x01\x02\x03\xff\x04', undefined, 'windows-1252', 'guess'],
  ['nothing is UTF-8', '', undefined, 'utf-8', 'guess'],
]
for (const [sentence, body, contentType, label, source] of cases) {
  test(sentence, () => assert.deepEqual(sniffCharset(bytesOf(body), contentType), { label, source }))
}

const texts: [sentence: string, body: string, contentType: string | undefined, text: string][] = [
  ['ASCII', 'plain', undefined, 'plain'],
  ['UTF-8 without its mark', '\xef\xbb\xbf\xe2\x82\xac', undefined, '€'],
  ['windows-1252 signs', '\x80\x93\xe4', 'text/html; charset=iso-8859-1', '€“ä'],
  ['UTF-16', '\xff\xfea\0\xac\x20', undefined, 'a€'],
  ['ISO-2022-JP although it looks like ASCII', '\x1b$B$"\x1b(B', 'text/html; charset=iso-2022-jp', 'あ'],
  ['what is no UTF-8 becomes U+FFFD', 'a\xffb', 'text/html; charset=utf-8', 'a\ufffdb'],
]
for (const [sentence, body, contentType, text] of texts) {
  test(`decodes ${sentence}`, () => assert.equal(decodeText(bytesOf(body), contentType).text, text))
}

test('the beginning of a body is read in the charset of all of it', () => {
  const body = bytesOf(`<p>plain</p><!-- ${'x'.repeat(1_100)} --><meta charset=iso-2022-jp>`)
  assert.deepEqual(decodeText(body, undefined, 8), {
    text: '<p>plain',
    charset: { label: 'iso-2022-jp', source: 'late-meta' },
  })
})

test('the charset of a header may be quoted, spaced, or absent', () => {
  assert.equal(headerCharset('text/html ; x=y ; CHARSET = utf-8 ; z'), 'utf-8')
  assert.equal(headerCharset("text/html;charset='utf-8'"), 'utf-8')
  assert.equal(headerCharset('text/html'), undefined)
  assert.equal(headerCharset(undefined), undefined)
})

test('UTF-8 comes back as it was written', () => {
  const words = fc.string({ unit: 'binary' }).filter((text) => !text.includes('<') && !text.startsWith('\ufeff'))
  fc.assert(fc.property(words, (text) => decodeText(Buffer.from(text)).text === text))
})

test('no bytes and no header make it throw', () => {
  const head = fc.constantFrom(
    '<meta ',
    'charset',
    '=',
    '"',
    "'",
    '>',
    '<!--',
    '-->',
    '/',
    ' ',
    'utf-8',
    '<',
    'http-equiv',
  )
  fc.assert(fc.property(fc.array(head), fc.string(), (parts, type) => void sniffCharset(bytesOf(parts.join('')), type)))
  fc.assert(fc.property(fc.uint8Array(), fc.string(), (bytes, type) => void decodeText(bytes, type)))
})
