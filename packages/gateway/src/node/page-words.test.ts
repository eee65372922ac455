import { shippedText } from '@comity/index'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import test from 'node:test'
import { mayArchive, pageWords, pdfWords } from './page-words.ts'
import type { SeenPage } from './page-words.ts'

function page(body: string, fields: Record<string, string> = {}): SeenPage {
  const headers = Object.entries({ 'Content-Type': 'text/html; charset=utf-8', ...fields })
  const bytes = Buffer.from(body)
  return { url: 'http://a.example/dir/page', at: 5_000, headers, body: bytes, digest: hash('sha256', bytes, 'hex') }
}

test('a page becomes its words, its title, its language and its links with their words', () => {
  const shipped = pageWords(
    page(
      '<html lang=de><title>Der Titel</title><h1>Kopf</h1><p>Ein Text <a href="other?utm_source=x#top">dorthin</a> <a href=other></a>',
    ),
    'comity',
  )
  assert.equal(shipped.title, 'Der Titel')
  assert.equal(shipped.language, 'de')
  assert.equal(shipped.type, 'text/html')
  assert.match(shipped.digest, /^sha-256:[0-9a-f]{64}$/)
  assert.equal(shippedText(shipped), 'Kopf Ein Text dorthin')
  assert.deepEqual(shipped.links, [{ url: 'http://a.example/dir/other', anchor: 'dorthin' }])
})

const linkCases: [what: string, body: string, fields: Record<string, string>, links: string[]][] = [
  ['a base changes where links lead', '<base href="/up/"><a href=x>x</a>', {}, ['http://a.example/up/x']],
  ['pictures and styles are no links', '<img src=a.png><link rel=stylesheet href=a.css>', {}, []],
  [
    'a link that is not to be followed is none',
    '<a rel="ugc nofollow" href=x>x</a><a href=y>y</a>',
    {},
    ['http://a.example/dir/y'],
  ],
  ['a page that wants none of them followed has none', '<meta name=robots content=nofollow><a href=x>x</a>', {}, []],
  ['or says so in a field', '<a href=x>x</a>', { 'X-Robots-Tag': 'nofollow' }, []],
  ['a link to itself says nothing', '<a href="#top">x</a><a href="page">x</a>', {}, []],
]
for (const [what, body, fields, links] of linkCases) {
  test(what, () => {
    assert.deepEqual(
      pageWords(page(body, fields), 'comity').links.map(({ url }) => url),
      links,
    )
  })
}

test('plain text has words and nothing else', () => {
  const shipped = pageWords(page('one <a href=x>two', { 'Content-Type': 'Text/Plain' }), 'comity')
  assert.equal(shipped.type, 'text/plain')
  assert.deepEqual(shipped.links, [])
  assert.match(shippedText(shipped), /one a href x two/)
})

test('a PDF file is read by its reader; one that cannot be read is none', async () => {
  const reading = { kind: 'ok', title: 'T', text: 'words of it', pages: 1, isCut: false } as const
  const shipped = await pdfWords(page('', { 'Content-Type': 'application/pdf' }), {
    read: () => Promise.resolve(reading),
  })
  assert.equal(shipped?.title, 'T')
  const bad = { kind: 'bad', reason: 'locked', message: '' } as const
  assert.equal(await pdfWords(page(''), { read: () => Promise.resolve(bad) }), undefined)
})

test('a page that wants no copies of itself says so in its head or in a field', () => {
  assert.ok(mayArchive(page('<p>x'), 'comity'))
  assert.equal(mayArchive(page('<meta name=robots content="noarchive">'), 'comity'), false)
  assert.equal(mayArchive(page('<p>x', { 'X-Robots-Tag': 'noarchive' }), 'comity'), false)
})
