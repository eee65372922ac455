import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributeNames, elementNames } from './html-names.ts'
import { HtmlScanner, type HtmlSink } from './scanner.ts'
import { TO_TAG } from './html-text.ts'

/** Tokens as strings: `<a`, `</a`, text as it stands; runs of text are joined. Unknown elements are `<?`. */
function tokens(html: string): string[] {
  const found: string[] = []
  const sink: HtmlSink = {
    text(start, end, how) {
      const tag = (how & TO_TAG) === 0 ? -1 : scanner.codes.indexOf(0x3c, start)
      const stop = tag < 0 || tag > end ? end : tag
      const text = String.fromCharCode(...scanner.codes.subarray(start, stop))
      if (found.at(-1)?.startsWith('"') === true) found.push(`${found.pop()!}${text}`)
      else found.push(`"${text}`)
      return stop
    },
    open: (element) => void found.push(`<${elementNames.names[element] || '?'}`),
    close: (element) => void found.push(`</${elementNames.names[element] || '?'}`),
  }
  const scanner = new HtmlScanner(sink)
  scanner.write(html)
  scanner.end()
  return found
}

// From the states of the HTML standard's tokenizer.
const cases: [sentence: string, html: string, expected: string[]][] = [
  ['names are read in any case', '<DiV></dIv>', ['<div', '</div']],
  ['an element we do not know is still a tag', '<x-y></x-y>', ['<?', '</?']],
  ['a quoted value may hold >', '<p title="a>b" class=\'c>d\'>', ['<p']],
  ['a quote inside a bare value is part of it', '<p title=a"b>c', ['<p', '"c']],
  ['a quote in a name is part of it', '<p "a>b', ['<p', '"b']],
  ['= may start a name', '<p ="a>b', ['<p', '"b']],
  ['a value may be missing', '<p a=>b', ['<p', '"b']],
  ['an end tag may have attributes', '</p a=">">b', ['</p', '"b']],
  ['</> is nothing', 'a</>b', ['"ab']],
  ['</ before no letter is a comment', 'a</ x>b', ['"ab']],
  ['< before no letter is text', 'a<1>b', ['"a<1>b']],
  ['a comment', 'a<!-- <p> - -- -> -->b', ['"ab']],
  ['a comment that ends with --!>', 'a<!-- x --!>b', ['"ab']],
  ['a comment that ends as it begins', 'a<!-->b<!--->c', ['"abc']],
  ['dashes of the beginning do not end it twice', 'a<!--->b-->c', ['"ab-->c']],
  ['<!--!> is not over', 'a<!--!>b', ['"a']],
  ['a doctype', '<!DOCTYPE html PUBLIC "-//W3C//DTD">a', ['"a']],
  ['CDATA outside a drawing is a comment to the first >', 'a<![CDATA[ b > c ]]>', ['"a c ]]>']],
  ['CDATA in a drawing is text', '<svg><![CDATA[a > b]]></svg>', ['<svg', '"a > b', '</svg']],
  ['a processing instruction is a comment', '<?xml version="1.0"?>a', ['"a']],
  ['a title holds no tags', '<title><p></p></titles></TITLE >a', ['<title', '"<p></p></titles>', '</title', '"a']],
  ['a style is silent to its end', '<style>a<b></styl></style>c', ['<style', '</style', '"c']],
  ['an xmp shows what it holds', '<xmp>a<b>&amp;</xm></XMP>c', ['<xmp', '"a<b>&amp;</xm>', '</xmp', '"c']],
  ['a listing is like pre', '<listing>a<b>c</listing>', ['<listing', '"a', '<b', '"c', '</listing']],
  ['a script is silent to its end', '<script>"</scrip>"</script>a', ['<script', '</script', '"a']],
  ['a script in a comment still ends', '<script><!-- </script>a', ['<script', '</script', '"a']],
  [
    'a script in a script in a comment does not',
    '<script><!-- <script> </script> --> x</script>a',
    ['<script', '</script', '"a'],
  ],
  ['<!--> in a script escapes nothing', '<script><!--> <script> </script>a', ['<script', '</script', '"a']],
  ['a script inside a drawing may be closed at once', '<svg><script/><p>a', ['<svg', '<script', '<p', '"a']],
  ['a script outside may not', '<script/><p>a', ['<script']],
  ['plaintext is for ever', '<plaintext><p>a</plaintext>', ['<plaintext', '"<p>a</plaintext>']],
  ['a block ends a drawing', '<svg><p><script/>a', ['<svg', '<p', '<script']],
  ['HTML goes on in a foreignObject', '<svg><foreignObject><style/>a', ['<svg', '<foreignobject', '<style']],
  ['a tag cut by the end is dropped', 'a<p class="x', ['"a']],
  ['< and </ at the end are text', 'a</', ['"a</']],
  ['a comment cut by the end is dropped', 'a<!-- b', ['"a']],
  ['a title cut by the end is a title', '<title>a</titl', ['<title', '"a</titl']],
]
for (const [sentence, html, expected] of cases) {
  test(sentence, () => assert.deepEqual(tokens(html), expected))
}

test('of two attributes with one name the first counts', () => {
  let value = ''
  const sink: HtmlSink = {
    text: (_, end) => end,
    open: () => {
      const { starts, ends } = scanner.attributes
      const href = attributeNames.idOf('href')
      value = String.fromCharCode(...scanner.codes.subarray(starts[href], ends[href]))
    },
    close: () => undefined,
  }
  const scanner = new HtmlScanner(sink)
  scanner.write('<a x=1 HREF = b href="c">')
  scanner.end()
  assert.equal(value, 'b')
})
