import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRobotsRdf } from '@comity/protocol'
import fc from 'fast-check'
import { paperRobotsRdf } from './rdf.ts'

const base = 'http://www.example.com/'
const page = (name: string): { url: string; modifiedAt: number } => ({ url: `${base}${name}.html`, modifiedAt: 0 })

test('a page takes what Figure 6.5 takes: 118 bytes around two URLs', () => {
  const [one, two] = [[page('one')], [page('one'), page('two')]].map((pages) => paperRobotsRdf(pages, base).length)
  assert.equal(two! - one!, 118 + 2 * page('two').url.length)
})

test('it begins and ends as it is printed', () => {
  const text = paperRobotsRdf([{ url: `${base}one.html`, modifiedAt: Date.UTC(2004, 9, 1, 12, 5) }], base)
  assert.match(
    text,
    /^<\?xml version="1\.0"\?>\n<rdf:rdf\n {2}xmlns:rdf="http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns"\n/,
  )
  assert.match(text, /<dc:modified>2004-10-01T12:05\+00:00<\/dc:modified>\n {2}<\/item>\n<\/rdf:rdf>\n$/)
})

test('our reader has every page and its minute out of it', () => {
  const pages = fc.uniqueArray(
    fc.record({
      url: fc.webPath().map((path) => new URL(`.${path}?a&b`, base).href),
      modifiedAt: fc.integer({ min: 0, max: 30_000_000 }).map((minutes) => minutes * 60_000),
    }),
    { selector: ({ url }) => url, maxLength: 20 },
  )
  fc.assert(
    fc.property(pages, (all) => {
      const { pages: read, complete } = readRobotsRdf(Buffer.from(paperRobotsRdf(all, base)), `${base}robots.rdf`)
      assert.equal(complete, true)
      assert.deepEqual(
        read.map(({ url, modifiedAt }) => ({ url, modifiedAt })),
        all.map(({ url, modifiedAt }) => ({ url, modifiedAt })),
      )
    }),
  )
})
