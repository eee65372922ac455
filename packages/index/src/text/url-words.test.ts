import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { urlText } from './url-words.ts'

const cases: [sentence: string, url: string, text: string][] = [
  ['www and the ending are left out', 'https://www.example.org/', 'example'],
  ['other labels stay', 'https://docs.example.com/guide', 'docs example guide'],
  ['a country has two endings', 'https://www.example.co.uk/', 'example'],
  ['a short name keeps itself', 'https://co.uk/', 'co'],
  ['a name of one label stays', 'http://localhost:8080/a', 'localhost a'],
  ['an address stays whole', 'http://127.0.0.1/x', '127.0.0.1 x'],
  ['punycode is read', 'https://xn--bcher-kva.example/', 'bücher'],
  ['the path is words', 'https://e.org/release-notes/v1.2/big_news', 'e release-notes v1.2 big_news'],
  ['a page has no ending', 'https://e.org/about.html', 'e about'],
  ['nor is an index a word', 'https://e.org/blog/index.php', 'e blog'],
  ['other files keep theirs', 'https://e.org/paper.pdf', 'e paper.pdf'],
  ['escapes are decoded', 'https://e.org/%C3%A9t%C3%A9%20now', 'e été now'],
  ['broken escapes do no harm', 'https://e.org/a%zz%ff', 'e a%zz\ufffd'],
  ['query and fragment are left out', 'https://e.org/a?b=c#d', 'e a'],
  ['what is no URL has no words', 'nonsense', ''],
]
for (const [sentence, url, text] of cases) test(sentence, () => assert.equal(urlText(url), text))

test('any text is read without an error, and a long path only as far as it tells', () => {
  fc.assert(fc.property(fc.webUrl(), fc.string({ unit: 'binary' }), (url, tail) => void urlText(url + tail)))
  assert.ok(urlText(`https://e.org/${'a/'.repeat(500_000)}`).length < 2_000)
})
