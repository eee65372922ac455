import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { manuals } from '../testing/manuals-fixture.ts'
import type { PageEntry } from './page-entry.ts'
import { writeRobotsRdf } from './robots-rdf.ts'
import { readRobotsRdf } from './robots-rdf-reader.ts'

const base = 'https://a.example/'
const at = Date.UTC(2004, 9, 1, 10, 5)

function pagesAt(...paths: string[]): PageEntry[] {
  return paths.map((path) => ({ url: `${base}${path}`, modifiedAt: at, bytes: 5, type: 'text/html', accesses: 3 }))
}

test('a page is written as RSS 1.0 has it', () => {
  const [file] = writeRobotsRdf(pagesAt('a/one.html?x=1&y=2'), { base, extras: ['size', 'format', 'accesses'] })
  assert.equal(file?.name, 'robots.rdf')
  assert.ok(
    file.text.endsWith(
      '<item rdf:about="https://a.example/a/one.html?x=1&amp;y=2"><title>one.html?x=1&amp;y=2</title>' +
        '<link>https://a.example/a/one.html?x=1&amp;y=2</link><dcterms:modified>2004-10-01T10:05:00Z</dcterms:modified>' +
        '<dcterms:extent>5</dcterms:extent><dc:format>text/html</dc:format><c:accesses>3</c:accesses></item>\n</rdf:RDF>\n',
    ),
    file.text,
  )
})

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const RSS = 'http://purl.org/rss/1.0/'
interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** A strict reader, with namespaces: throws for anything that is not well formed. */
function treeOf(text: string): Element {
  const parser = new SaxesParser({ xmlns: true })
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const path = [top]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const named = Object.values(attributes).map(({ uri: space, local: name, value }) => [`${space}${name}`, value])
    const element = { name: `${uri}${local}`, attributes: Object.fromEntries(named), children: [], text: '' }
    path.at(-1)!.children.push(element)
    path.push(element)
  })
  parser.on('text', (some) => {
    path.at(-1)!.text += some
  })
  parser.on('closetag', () => void path.pop())
  parser.write(text).close()
  return top.children[0]!
}

test('every file is what the specification of RSS 1.0 asks for', () => {
  const urls = fc.uniqueArray(fc.webPath(), { minLength: 1, selector: (path) => new URL(`${base}${path}`).href })
  fc.assert(
    fc.property(urls, fc.string({ unit: 'binary' }), (paths, title) => {
      const pages = paths.map((path) => ({ url: new URL(`https://a.example${path}`).href, modifiedAt: at }))
      for (const { text, pages: count } of writeRobotsRdf(pages, { base, include: [''], firstPages: 3, title })) {
        const root = treeOf(text)
        assert.equal(root.name, `${RDF}RDF`)
        const [channel, ...items] = root.children
        assert.equal(channel?.name, `${RSS}channel`)
        const field = (element: Element | undefined, name: string): Element | undefined =>
          element?.children.find((child) => child.name === `${RSS}${name}`)
        for (const name of ['title', 'link', 'description', 'items']) assert.ok(field(channel, name), name)
        const sequence = field(channel, 'items')?.children[0]
        assert.equal(sequence?.name, `${RDF}Seq`)
        assert.deepEqual(
          sequence.children.map(({ attributes }) => attributes[`${RDF}resource`]),
          items.map(({ attributes }) => attributes[`${RDF}about`]),
        )
        assert.equal(items.length, count)
        for (const item of items) {
          assert.equal(field(item, 'link')?.text, item.attributes[`${RDF}about`])
          assert.notEqual(field(item, 'title')?.text, '')
        }
      }
    }),
  )
})

const byUrl = (a: PageEntry, b: PageEntry): number => (a.url < b.url ? -1 : 1)

test('everything written is read back', () => {
  const pages = fc.uniqueArray(
    fc.record(
      {
        url: fc.webPath().map((path) => new URL(`https://a.example${path}`).href),
        modifiedAt: fc.nat(4e12),
        bytes: fc.nat(),
        type: fc.constantFrom('text/html', 'image/svg+xml'),
        accesses: fc.nat(),
      },
      { requiredKeys: ['url'], noNullPrototype: true },
    ),
    { selector: ({ url }) => url },
  )
  fc.assert(
    fc.property(pages, fc.nat(9), fc.integer({ min: 1, max: 5 }), (some, firstPages, partPages) => {
      const options = { base, include: [''], firstPages, partPages, extras: ['size', 'format', 'accesses'] as const }
      const files = new Map(writeRobotsRdf(some, options).map(({ name, text }) => [`${base}${name}`, text]))
      const first = readRobotsRdf(Buffer.from(files.get(`${base}robots.rdf`)!), `${base}robots.rdf`)
      assert.deepEqual([`${base}robots.rdf`, ...first.parts], [...files.keys()])
      const parts = first.parts.map((url) => readRobotsRdf(Buffer.from(files.get(url)!), url))
      const read = [first, ...parts].flatMap(({ pages: those, complete, problems }) => {
        assert.deepEqual({ complete, problems }, { complete: true, problems: {} })
        return those
      })
      assert.deepEqual(read.toSorted(byUrl), some.toSorted(byUrl))
    }),
  )
})

test('a base that is no site is refused with a reason', () => {
  assert.throws(() => writeRobotsRdf([], { base: '/srv/httpd/html' }), /--base/)
})

test('bytes for each page, against the 247 of 002 §6.5.3', (t) => {
  const sites = manuals(t)
  if (sites === undefined) return
  let [pages, plain, packed, most, paths] = [0, 0, 0, 0, 0]
  for (const [origin, list] of sites) {
    for (const { text, pages: count } of writeRobotsRdf(list, { base: origin })) {
      pages += count
      plain += text.length
      packed += gzipSync(text).length
      most = Math.max(most, count)
    }
    paths += list.reduce((sum, { url }) => sum + url.length, 0)
  }
  t.diagnostic(
    `${pages} pages with URLs of ${(paths / pages).toFixed(0)} characters: ${(plain / pages).toFixed(0)} bytes a page, ` +
      `${(packed / pages).toFixed(1)} with gzip; largest part ${most} pages`,
  )
  // Paths as long as they must have been for the form that the paper prints to take its 247 bytes a page.
  const short = Array.from({ length: 249 }, (_, i) => ({
    url: `http://www.example.com/information/medicine/by-subject/${i + 100}.html`,
    modifiedAt: at + i * 86_400_000,
  }))
  const [file] = writeRobotsRdf(short, { base: 'http://www.example.com/' })
  const bytes = file!.text.length
  const zipped = gzipSync(file!.text).length
  t.diagnostic(
    `249 pages with URLs of ${short[0]!.url.length} characters: ${bytes} bytes, ${(bytes / 249).toFixed(0)} a page ` +
      `(as printed in Figure 6.5: ${(asPrinted(short).length / 249).toFixed(0)}), ${(zipped / 249).toFixed(1)} with gzip; ` +
      `a HEAD request took 434`,
  )
  assert.ok(packed / pages < 247 / 5)
  assert.ok(bytes / 249 < 434 && zipped / 249 < 247 / 5)
})

/** The two places of a page in Figure 6.5, without the frame. */
function asPrinted(pages: readonly PageEntry[]): string {
  return pages
    .map(
      ({ url, modifiedAt }) =>
        `      <rdf:li rdf:resource="${url}"/>\n  <item rdf:about="${url}">\n    <dc:modified>` +
        `${new Date(modifiedAt!).toISOString().slice(0, 16)}+02:00</dc:modified>\n  </item>\n`,
    )
    .join('')
}
