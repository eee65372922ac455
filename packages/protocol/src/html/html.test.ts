import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { createHtmlReader, readHtml, type HtmlLink, type HtmlPage } from './html.ts'

const hrefs = (html: string): string[] => readHtml(html).links.map(({ href }) => href)
const link = (href: string, kind: HtmlLink['kind'], anchor = '', rel = ''): HtmlLink => ({ href, kind, rel, anchor })

const links: [sentence: string, html: string, expected: HtmlLink[]][] = [
  [
    'an anchor is a page link with its text',
    '<a href="x"> A <b>bold</b>\n word </a>',
    [link('x', 'page', 'A bold word')],
  ],
  ['an anchor without href is no link', '<a name=x>here</a>', []],
  ['an empty href leads to the page itself', '<a href="">top</a>', [link('', 'page', 'top')]],
  [
    'a picture speaks for an anchor by its alt',
    '<a href=x><img src=i alt="Home page"></a>',
    [link('x', 'page', 'Home page'), link('i', 'image', 'Home page')],
  ],
  [
    'an anchor ends where the next begins',
    '<a href=x>one<a href=y>two',
    [link('x', 'page', 'one'), link('y', 'page', 'two')],
  ],
  ['blocks in an anchor are words of one line', '<a href=x><div>a</div><div>b</div></a>', [link('x', 'page', 'a b')]],
  [
    'an anchor is cut at its limit',
    `<a href=x>${'ab '.repeat(100)}</a>`,
    [link('x', 'page', 'ab '.repeat(67).slice(0, 200).trim())],
  ],
  ['an area is a page link named by its alt', '<area href=x alt=North>', [link('x', 'page', 'North')]],
  ['rel is lower-case', '<a href=x rel="NoFollow UGC">y</a>', [link('x', 'page', 'y', 'nofollow ugc')]],
  ['frames are frames', '<iframe src=a></iframe><frame src=b>', [link('a', 'frame'), link('b', 'frame')]],
  [
    'a srcset gives all its candidates',
    '<img src=a srcset="b 1x, c,d 2x,,">',
    ['a', 'b', 'c,d'].map((at) => link(at, 'image')),
  ],
  ['an input is a picture only by its type', '<input type=IMAGE src=a><input type=text src=b>', [link('a', 'image')]],
  [
    'a video has a poster and a file',
    '<video src=v poster=p><source src=s><track src=t></video>',
    [link('p', 'image'), link('v', 'media'), link('s', 'media'), link('t', 'media')],
  ],
  [
    'audio, embed and object are media',
    '<audio src=a></audio><embed src=b><object data=c></object>',
    [link('a', 'media'), link('b', 'media'), link('c', 'media')],
  ],
  [
    'stylesheets, icons and scripts are told apart',
    '<link rel=stylesheet href=s><link rel="shortcut icon" href=i><script src=j></script>',
    [link('s', 'style', '', 'stylesheet'), link('i', 'image', '', 'shortcut icon'), link('j', 'script')],
  ],
  [
    'a feed is an alternate with its type',
    '<link rel=alternate type="application/RSS+xml" href=f>',
    [{ ...link('f', 'alternate', '', 'alternate'), type: 'application/rss+xml' }],
  ],
  [
    'next is an alternate, preload is nothing',
    '<link rel=next href=2><link rel=preload href=p>',
    [link('2', 'alternate', '', 'next')],
  ],
  ['data URLs lead nowhere', '<img src=" DATA:image/png;base64,AAAA"><a href=data:,x>y</a>', []],
  ['an empty src stands for nothing', '<img src=""><script src></script>', []],
  [
    'a template holds nothing yet',
    '<template><a href=x>y</a><template></template><a href=z></template><a href=w>v</a>',
    [link('w', 'page', 'v')],
  ],
  [
    'but in a drawing it is an element like any other',
    '<svg><template><a href=x>y</a></svg><a href=w>v</a>',
    [link('x', 'page', 'y'), link('w', 'page', 'v')],
  ],
  ['noscript counts', '<noscript><img src=x></noscript>', [link('x', 'image')]],
]
for (const [sentence, html, expected] of links) {
  test(sentence, () => assert.deepEqual(readHtml(html).links, expected))
}

test('a URL is decoded, trimmed, and freed of tabs and newlines', () => {
  assert.deepEqual(hrefs('<a href=" \n a&amp;b\tc\nd&#x20;e \0">'), ['a&bcd e \ufffd'])
  assert.deepEqual(hrefs('<a href="&#128512;?x=1&copy=2">'), ['\u{1f600}?x=1&copy=2'])
})

const texts: [sentence: string, html: string, expected: string][] = [
  ['white space folds, no-break space too', ' a \n\t b&nbsp; c ', 'a b c'],
  ['blocks and line breaks make lines', '<p>a</p> <p>b<br>c<div>d</div>e', 'a\nb\nc\nd\ne'],
  ['inline elements make nothing', 'f<b>o</b>o', 'foo'],
  ['cells are words apart', '<table><tr><td>a<td>b<tr><td>c', 'a b\nc'],
  ['scripts and styles are not text', 'a<script>b</script><style>c</style>d', 'ad'],
  ['pictures count by their alt', 'a<img alt="b &lt; c">d', 'a b < c d'],
  ['the title is not text', '<title>t</title>x', 'x'],
  ['a textarea holds text', '<textarea><b>x</textarea>y', '<b>x\ny'],
  ['a lone < is text', 'a < b <3', 'a < b <3'],
  ['NUL is dropped', 'a\0b', 'ab'],
  ['surrogates stay together', 'a&#x1f600;\u{1f600}', 'a\u{1f600}\u{1f600}'],
]
for (const [sentence, html, expected] of texts) {
  test(`text: ${sentence}`, () => assert.equal(readHtml(html).text, expected))
}

const facts: [sentence: string, html: string, expected: Partial<HtmlPage>][] = [
  ['the first title counts', '<title> a &amp;\n <b> </title><title>c</title>', { title: 'a & <b>' }],
  ["a drawing's title is not the page's", '<svg><title>x</title></svg><title>y</title>', { title: 'y' }],
  [
    'headings have levels, and end where the next starts',
    '<h1>a <i>b</i></h1><h2>c<h3>d</h2>e<h4></h4>',
    {
      headings: [
        { level: 1, text: 'a b' },
        { level: 2, text: 'c' },
        { level: 3, text: 'd' },
      ],
    },
  ],
  [
    'lang, base and canonical are said once',
    '<html lang=de><html lang=en><base href=/a/><base href=/b/><link rel=canonical href=c>',
    {
      lang: 'de',
      base: '/a/',
      canonical: 'c',
    },
  ],
  [
    'robots are spoken to by name',
    '<meta name=ROBOTS content="NoIndex, follow"><meta name=googlebot content=none><meta name=author content=x>',
    {
      robots: [
        { agent: 'robots', content: 'NoIndex, follow' },
        { agent: 'googlebot', content: 'none' },
      ],
    },
  ],
  [
    'a refresh is a fact and a link',
    '<meta http-equiv=Refresh content="5; URL=\'n.html\'">',
    {
      refresh: { seconds: 5, href: 'n.html' },
      links: [link('n.html', 'refresh')],
    },
  ],
]
for (const [sentence, html, expected] of facts) {
  test(sentence, () => assert.deepEqual({ ...readHtml(html), ...expected }, readHtml(html)))
}

test('a canonical in the body is not believed', () => {
  assert.equal(readHtml('<body><p>comment<link rel=canonical href=evil>').canonical, undefined)
})

const capabilityLists: [sentence: string, html: string, list: string | undefined][] = [
  ['a page names a capability list of its site', '<head><link rel="resourcesync" href="/c.xml">', '/c.xml'],
  ['among other relations', '<link rel="index ResourceSync" href=/c.xml>', '/c.xml'],
  ['once', '<link rel=resourcesync href=/c.xml><link rel=resourcesync href=/d.xml>', '/c.xml'],
  ['not in the body, where a visitor may speak', '<body><link rel=resourcesync href=/c.xml>', undefined],
  ['not without a place', '<link rel=resourcesync>', undefined],
]
for (const [sentence, html, list] of capabilityLists) {
  test(sentence, () => {
    const page = readHtml(html)
    assert.equal(page.capabilityList, list)
    assert.deepEqual(page.links, [], 'it is no page to crawl')
  })
}

const RSS = 'type="application/rss+xml"'
const feedLinks: [sentence: string, html: string, feeds: string[] | undefined][] = [
  ['a page links to a feed', `<head><link rel="alternate" ${RSS} href="/feed">`, ['/feed']],
  [
    'each kind, whatever else is said',
    '<link rel="Alternate home" type="Application/ATOM+xml; charset=utf-8" href=a><link rel=alternate type=application/feed+json href=b>',
    ['a', 'b'],
  ],
  ['the same twice is one', `<link rel=alternate ${RSS} href=a><link rel=alternate ${RSS} href=a>`, ['a']],
  [
    'four, and no more',
    Array.from({ length: 9 }, (_, i) => `<link rel=alternate ${RSS} href=${i}>`).join(''),
    ['0', '1', '2', '3'],
  ],
  [
    'another language or another rendering is none',
    '<link rel=alternate hreflang=de href=/de><link rel=alternate type=text/html href=/m><link rel=alternate type=application/json href=/wp-json>',
    undefined,
  ],
  [
    'XML or JSON where the address says that it is one',
    '<link rel=alternate type=application/json href=/feed.json><link rel=alternate type=text/xml href="/index.php?type=rss2"><link rel=alternate type=application/xml href=/atom/>',
    ['/feed.json', '/index.php?type=rss2', '/atom/'],
  ],
  [
    'and where it does not it is none',
    '<link rel=alternate type=text/xml href=/opensearch.xml><link rel=alternate type=application/json href=/feedback.json><link rel=alternate type=text/xml href=/atomic.xml>',
    undefined,
  ],
  ['nor is what is related in another way', `<link rel=next ${RSS} href=/n>`, undefined],
  ['not in the body, where a visitor may speak', `<body><p>x<link rel=alternate ${RSS} href=/feed>`, undefined],
  ['not without a place', `<link rel=alternate ${RSS}>`, undefined],
]
for (const [sentence, html, feeds] of feedLinks) {
  test(`feeds: ${sentence}`, () => assert.deepEqual(readHtml(html).feeds, feeds))
}

test('an empty page has nothing', () => {
  const nothing = { title: '', headings: [], text: '', robots: [], links: [], overflow: { links: 0, text: 0 } }
  assert.deepEqual(readHtml(''), nothing)
})

test('limits keep what fits and count the rest', () => {
  const page = readHtml('<title>abcdef</title><h1>headline</h1><a href=1>one</a> two <a href=2>three</a>', {
    maxLinks: 1,
    maxTitle: 3,
    maxText: 5,
    maxHeadings: 1,
    maxAnchor: 2,
  })
  assert.equal(page.title, 'abc')
  assert.deepEqual(page.headings, [{ level: 1, text: 'hea' }])
  assert.equal(page.text, 'headl')
  assert.deepEqual(page.links, [link('1', 'page', 'on')])
  assert.deepEqual(page.overflow, { links: 1, text: 'ine\none two three'.length })
})

test('a URL past its limit is left out, not cut', () => {
  const page = readHtml(`<a href="${'x'.repeat(9_000)}">a</a><a href=b>c</a>`)
  assert.deepEqual(page.links, [link('b', 'page', 'c')])
  assert.equal(page.overflow.links, 1)
})

test('a reader that was ended refuses more', () => {
  const reader = createHtmlReader()
  reader.end()
  assert.throws(() => reader.write('x'), /new reader/)
  assert.throws(() => reader.end(), /ended before/)
})

test('two readers at once do not mix', () => {
  const [a, b] = [createHtmlReader(), createHtmlReader()]
  a.write('<a href=1>o')
  b.write('<a href=2>t')
  a.write('ne</a>')
  b.write('wo</a>')
  assert.deepEqual([a.end().links, b.end().links], [[link('1', 'page', 'one')], [link('2', 'page', 'two')]])
})

// oxfmt-ignore
const nasty = [
  '<', '>', '</', '<!', '<!--', '-->', '--!>', '<!-->', '-', '!', '<?', '<![CDATA[', ']]>', '"', "'", '=', '/', ' ', '\n',
  '\0', '&', '&amp', '&amp;', '&#', '&#x41;', '&#0', '&notit;', ';', 'a', 'word', '\u{1f600}', '\ud83d', '\u00e9', '<a href=',
  '<a href="u">', '</a>', '<A HREF=\'v\' href=w>', '<img alt="', '<img srcset="a 1x, b">', '<script>', '</script>', '<script',
  '</script ', '<style>', '</style>', '<title>', '</title>', '<textarea>', '</textarea', '<iframe src=f>', '</iframe>', '<xmp>',
  '<svg>', '</svg>', '<desc>', '<template>', '</template>', '<h1>', '</h2>', '<p>', '<br/>', '<td>', '<base href=b>',
  '<meta name=robots content=x>', '<meta http-equiv=refresh content="1;url=r">', '<link rel=alternate href=l>', '<plaintext>',
]
const soup = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...nasty) }, fc.string()), { maxLength: 40 })
const small = { maxLinks: 3, maxTitle: 4, maxText: 12, maxAnchor: 3, maxHeadings: 2, maxAttribute: 5 }

test('no soup of tags makes it throw, and limits hold', () => {
  fc.assert(
    fc.property(soup, (parts) => {
      const page = readHtml(parts.join(''), small)
      assert.ok(page.links.length <= 3 && page.title.length <= 4 && page.text.length <= 12 && page.headings.length <= 2)
      assert.ok(page.links.every(({ href, anchor }) => href.length <= 5 && anchor.length <= 3))
      assert.ok(!/^\s|\s$|[ \t]{2}/.test(page.text))
    }),
    { numRuns: 1_000 },
  )
})

test('how a page is cut into chunks makes no difference', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  fc.assert(
    fc.property(soup, sizes, fc.boolean(), (parts, steps, limited) => {
      const html = parts.join('')
      const limits = limited ? small : {}
      const reader = createHtmlReader(limits)
      for (let at = 0, turn = 0; at < html.length; turn++) {
        const step = steps[turn % steps.length]!
        reader.write(html.slice(at, at + step))
        at += step
      }
      assert.deepEqual(reader.end(), readHtml(html, limits))
    }),
    { numRuns: 1_000 },
  )
})

// oxfmt-ignore
const heavy = [
  '<', '<a ', '<a href=x>', '<a href="', '<!--', '<!', '</', '&', '&#1', '&a', '<script>', '<title>', '<div>', '<svg>', '<h1>',
  '<template>', 'a="', '-', '<!-- -', '<style></', '<img srcset="a,', ' ', '\u4e00', '<![CDATA[', '<a b=',
]
for (const token of heavy) {
  test(`a megabyte of ${JSON.stringify(token)} takes time in proportion, whole and in chunks`, () => {
    const html = token.repeat(Math.ceil(1_000_000 / token.length))
    const start = processorMs()
    readHtml(html)
    const reader = createHtmlReader()
    for (let at = 0; at < html.length; at += 1_000) reader.write(html.slice(at, at + 1_000))
    reader.end()
    // A quadratic reader takes minutes; this one some tens of milliseconds, so a slow machine passes too.
    assert.ok(processorMs() - start < 3_000)
  })
}

test('ten megabytes of title and a million links stay within their limits', () => {
  const page = readHtml(`<title>${'t '.repeat(5_000_000)}</title>${'<a href=x>y</a>'.repeat(1_000_000)}`)
  assert.equal(page.title.length, 999)
  assert.equal(page.links.length, 50_000)
  assert.equal(page.overflow.links, 950_000)
})
