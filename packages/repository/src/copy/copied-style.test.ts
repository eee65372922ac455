import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copiedStyle } from './copied-style.ts'

const resolve = (address: string): string | undefined => URL.parse(address, 'https://a.example/s.css')?.href
const copied = (css: string): string =>
  copiedStyle(css, resolve)
    .map((piece) =>
      typeof piece === 'string' ? piece : `${piece.before}[${piece.kind} ${piece.urls[0]}]${piece.after}`,
    )
    .join('')

const picture = 'url("[picture https://a.example/x.png]")'
const cases: [sentence: string, css: string, copy: string][] = [
  [
    'rules stay',
    'a::before { content: "x\\"y"; width: calc(1px + (2px)) }',
    'a::before { content: "x\\"y"; width: calc(1px + (2px)) }',
  ],
  [
    'an address is a place for a picture',
    'a { background: url(x.png) no-repeat }',
    `a { background: ${picture} no-repeat }`,
  ],
  [
    'a zero is none, also behind a backslash',
    'a\0b { content: "\\\0"; c\\\0: d }',
    'a\ufffdb { content: "\\\ufffd"; c\\\ufffd: d }',
  ],
  ['no name brings a tag', 'a\\<b, @\\<c { \\<d: \\<e("\\<f") }', 'a\\3c b, @\\3c c { \\3c d: \\3c e("\\3c f") }'],
  ['in quotes too', "a { background: url( 'x.png' ) }", `a { background: ${picture} }`],
  ['however it is spelled', 'a { background: U\\72 L(x\\.png) }', `a { background: ${picture} }`],
  [
    'and where a string is one',
    'a { background: image-set("x.png" 1x) }',
    'a { background: image-set(url("[picture https://a.example/x.png]") 1x) }',
  ],
  [
    'an import is a place for a sheet',
    '@import "b.css" screen; a {}',
    '@media screen{[sheet https://a.example/b.css]} a {}',
  ],
  ['however it is spelled, too', '@\\69mport url(b.css);', '[sheet https://a.example/b.css]'],
  ['one that has conditions is left out', '@import "b.css" supports(display: grid); a {}', ' a {}'],
  ['a part of the page stays', 'a { filter: url(#f) }', 'a { filter: url("#f") }'],
  [
    'a picture of its own stays, in one piece',
    'a { background: url("data:image/svg+xml,<svg a=\'1\'>") }',
    'a { background: url("data:image/svg+xml,%3Csvg%20a=%271%27%3E") }',
  ],
  [
    'nothing else of its own does',
    'a { background: url(data:text/html,x) }',
    'a { background: url("[picture data:text/html,x]") }',
  ],
  ['no string is markup', 'a { content: "</style><script>" }', 'a { content: "\\3c /style>\\3c script>" }'],
  [
    'nothing is',
    'a </style><script> b { } @media (400px<width<=900px) {}',
    'a < /style>< script> b { } @media (400px< width<=900px) {}',
  ],
  ['comments are empty', 'a/* url(x) </style> */b', 'a/**/b'],
  ['a string that never ends is none', 'a { content: "x\n; color: red }', 'a { content:  \n; color: red }'],
]
for (const [sentence, css, copy] of cases) {
  test(`copied style: ${sentence}`, () => {
    assert.equal(copied(css), copy)
  })
}
