import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { ATTACKS } from '../testing/attacks-fixture.ts'
import { copyFaults } from '../testing/copy-check.ts'
import { copiedHtml } from './copied-html.ts'
import type { CopyPiece } from './copy-piece.ts'

const place = { url: 'https://a.example/dir/page', linkTo: (url: string): string => `/page/copy?url=${url}` }
/** What is wanted in brackets. */
const written = (pieces: readonly CopyPiece[]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : `${piece.before}[${piece.urls.join(' ')}]${piece.after}`))
    .join('')
const copied = (page: string): string => written(copiedHtml(page, place))

const cases: [sentence: string, page: string, copy: string][] = [
  [
    'plain markup stays',
    '<!DOCTYPE html><p class=a>one <b>two</b> &amp; 3 < 4',
    '<!DOCTYPE html><p class="a">one <b>two</b> &amp; 3 &lt; 4',
  ],
  [
    'a link leads to a copy',
    '<a href="../x?a=1&amp;b=2#c" target=t ping=//p>x</a>',
    '<a href="/page/copy?url=https://a.example/x?a=1&amp;b=2#c" target="_top" rel="noreferrer">x</a>',
  ],
  ['a part of the page is where it was', '<a href="#part">x</a>', '<a href="#part">x</a>'],
  [
    'a first base counts, and goes',
    '<base href=/b/><base href=//evil.example/><a href=c>',
    '<a href="/page/copy?url=https://a.example/b/c" target="_top" rel="noreferrer">',
  ],
  [
    'a link that runs, or mails, leads nowhere',
    '<a href="java\tscript:x()">a</a><a href=mailto:a@b>b</a><a href=data:text/html,x>c</a>',
    '<a>a</a><a>b</a><a>c</a>',
  ],
  [
    'a picture is wanted by every name it has',
    '<img srcset="b.png 2x, c.png 3x" src=a.png alt=A>',
    '<img src="[https://a.example/dir/a.png https://a.example/dir/b.png https://a.example/dir/c.png]" alt="A">',
  ],
  ['a picture of its own stays', '<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'],
  ['a drawing of its own does not', '<img src="data:image/svg+xml,<svg onload=x()>">', '<img>'],
  [
    'a style sheet is wanted',
    '<link rel="preload StyleSheet" media=print href=/s.css>',
    '<style media="print">[https://a.example/s.css]</style>',
  ],
  [
    'other links, bases and refreshs go',
    '<link rel=preconnect href=//x><link rel=icon href=i><meta http-equiv=refresh content="0;url=//x"><meta charset=utf-7>',
    '',
  ],
  [
    'how wide it is stays',
    '<meta name=viewport content="width=device-width"><meta name=viewport content="&quot;><script>">',
    '<meta name="viewport" content="width=device-width">',
  ],
  ['what runs goes with its words', '<p onclick=x()>a<script>b</p></script ><SCRIPT/>c</script>d', '<p>ad'],
  ['frames go with theirs', '<iframe src=//x>a</iframe>b<object data=//x><embed src=x>c</object>', 'bc'],
  ['a form stays and leads nowhere', '<form action=//x method=post><button formaction=//y>a', '<form><button>a'],
  [
    'styles keep what they are',
    '<style>a > b { color: red }</style><p style="color: red">',
    '<style>a > b { color: red }</style><p style="color: red">',
  ],
  [
    'styles ask for nothing but what is held',
    '<p style=\'background: url("a.png")\'>',
    '<p style="background: url(&quot;[https://a.example/dir/a.png]&quot;)">',
  ],
  [
    'no markup hides in a style',
    '<svg><style><img src=//x onerror=y></style>',
    '<svg><style>< img src=//x onerror=y></style>',
  ],
  [
    'nor in a title',
    '<svg><title><img src=//x></title><textarea><a></textarea>',
    '<svg><title>&lt;img src=//x></title><textarea>&lt;a></textarea>',
  ],
  ['a comment is none of the page', 'a<!-- <b> --!>b<!-->c<!--d', 'abc'],
  [
    'a drawing keeps its shapes alone',
    '<svg viewBox="0 0 1 1" onload=x()><path d=M0 fill=red filter="u\\72l(//x)"/><use href="#a"/><use xlink:href="//x#a"/><animate attributeName=href to=//x /><foreignObject><a xlink:href=//x>',
    '<svg viewbox="0 0 1 1"><path d="M0" fill="red"><use href="#a"><use><a href="/page/copy?url=https://x/" target="_top" rel="noreferrer">',
  ],
  ['an element of its own is kept as a name', '<my-card onfoo=1>a</my-card><x>b</x>', '<my-card>a</my-card>b'],
  [
    'what a page says of itself cannot end its value',
    "<p title='\"><script>x</script>'>",
    '<p title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;">',
  ],
  ['a tag that never ends is none', 'a<p title="b', 'a'],
  ['nothing behind plaintext is markup', '<plaintext><b>', '<pre>&lt;b></pre>'],
]
for (const [sentence, page, copy] of cases) {
  test(`copied HTML: ${sentence}`, () => {
    assert.equal(copied(page), copy)
  })
}

const scraps = fc.constantFrom(
  ...ATTACKS,
  ...cases.map(([, page]) => page),
  ...'< > " \' = / <! <!-- --> ]]> <![CDATA[ </style> </title> <style> <title> <textarea> <xmp> <svg> <math> <noscript> <a href= <p style=" url( @import \\ & &#x'.split(
    ' ',
  ),
)

test('copied HTML: whatever a page is, its copy begins no tag and leads nowhere that is not on the lists', () => {
  const pages = fc.array(fc.oneof(scraps, fc.string({ maxLength: 12 })), { maxLength: 12 })
  fc.assert(
    fc.property(pages, (parts) => {
      const copy = copiedHtml(parts.join(''), place)
      assert.deepEqual(
        copyFaults(copy.map((piece) => (typeof piece === 'string' ? piece : piece.otherwise)).join('')),
        [],
      )
    }),
    { numRuns: 2_000 },
  )
})

test('copied HTML: what never ends costs time in proportion to its length', () => {
  const hard = [
    '<',
    '<a ',
    '<!--',
    '<!',
    '</',
    '<p a="',
    '<p ="',
    '<style>',
    '<style>"',
    '<style>/*',
    '<style>url(',
    '<style>@import ',
    '<style>\\',
    '<script',
    '<a href=x ',
    '&',
    '<svg fill="',
    '<p style="((((',
  ]
  for (const part of hard) {
    const began = processorMs()
    copied(part.repeat(Math.ceil(400_000 / part.length)))
    assert.ok(processorMs() - began < 2_500, `${part} takes ${Math.round(processorMs() - began)} ms`)
  }
})
