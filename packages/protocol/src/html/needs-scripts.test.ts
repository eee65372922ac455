import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs } from '../testing/processor-time.ts'
import { readHtml } from './html.ts'
import { needsScripts } from './needs-scripts.ts'

const judged = (html: string): boolean => needsScripts(html, readHtml(html))
const APP = '<script src=/app.js></script>'
const WORDS = 'A page says what it has to say in words that anybody can read, with or without a program. '

const cases: [sentence: string, html: string, needs: boolean][] = [
  [
    'the shell of a React application',
    `<!doctype html><title>Shop</title><link rel=icon href=/i.png><body>
<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${APP}`,
    true,
  ],
  ['an empty root, with no word about it', `<title>Shop</title><div id=app class=x></div>${APP}`, true],
  ['the empty element of Next', `<div id="__next"></div>${APP}`, true],
  ['the empty element of Gatsby', `<div id="___gatsby"> </div>${APP}`, true],
  [
    'an empty element of its own, as Angular has',
    `<app-root></app-root><script type=module src=/main.js></script>`,
    true,
  ],
  ['a root that says that it loads', `<div id=app>Loading…</div>${APP}`, true],
  ['a notice in another language', `<noscript>Bitte JavaScript einschalten</noscript><nav>Start</nav>${APP}`, true],
  ['a page that only a script writes', '<script>document.write(made())</script>', true],
  ['a shell whose analytics have a frame', `<noscript><iframe src=//t.example></iframe></noscript>${APP}`, true],
  ['a shell in capitals', '<DIV ID="Root"></DIV><SCRIPT SRC="/a.js"></SCRIPT>', true],

  ['a page with words', `${WORDS.repeat(3)}${APP}`, false],
  ['a page with words and a notice', `<noscript>Enable JavaScript</noscript>${WORDS.repeat(6)}${APP}`, false],
  ['a page drawn by the server and run by React', `<div id=root><h1>Shop</h1>${WORDS.repeat(3)}</div>${APP}`, false],
  ['an empty page without scripts', '<title>Nothing</title>', false],
  ['a page of one picture', `<img src=a.jpg alt="">${APP}`, false],
  ['a short page with somewhere to go', `<a href=/in>Come in</a>${APP}`, false],
  ['a frameset', `<frameset><frame src=a></frameset>${APP}`, false],
  ['a page with data and no script', '<script type="application/ld+json">{"a":1}</script>Hello', false],
  ['an empty script', '<script></script>Hello', false],
  [
    'a page that sends those without scripts elsewhere',
    `<noscript><meta http-equiv=refresh content="0;/plain"></noscript>${APP}`,
    false,
  ],
  ['a page whose empty element is for an advertisement', `<div id="ad-top"></div><p>${WORDS}</p>${APP}`, false],
  [
    'a page whose other self stands in noscript',
    `<noscript>${WORDS.repeat(9)}</noscript><div id=app></div>${APP}`,
    false,
  ],
]
for (const [sentence, html, needs] of cases)
  test(`${sentence} ${needs ? 'needs' : 'does not need'} scripts`, () => assert.equal(judged(html), needs))

test('however many tags are begun and not ended, looking at them ends soon', () => {
  const start = processorMs()
  for (const part of ['<noscript>', '<script ', '<div id=root>', '<x-y ', '<script>', '<noscript ', '<div id=-_-_-'])
    assert.equal(typeof judged(`${APP}${part.repeat(20_000)}`), 'boolean')
  assert.ok(processorMs() - start < 3_000)
})
