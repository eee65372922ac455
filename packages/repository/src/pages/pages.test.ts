/** All pages: what holds for each of them, and the small ones. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ASSETS, readAssets } from '../html/assets.ts'
import { ATTACKS, hostile } from '../testing/attacks-fixture.ts'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import { createPages } from './pages.ts'
import { sampleGraph } from '../testing/graph-fixture.ts'
import type { SiteRowModel } from '../model/models.ts'
import { models, sampleAt, siteRows, statistics } from '../testing/pages-fixture.ts'
import type { PageModels, PageName } from '../model/page-models.ts'

const pages = createPages()
const names = Object.keys(models) as PageName[]
const render = <Name extends PageName>(name: Name, model: PageModels[Name] = models[name]): string =>
  flat(pages.render(name, model))

const NEVER = /^(?:iframe|object|embed|base|math|style)$/i
/** Its frame leads to what is stored: what may be in there is told by the policy of that. */
const NEVER_IN_COPY = /^(?:object|embed|base|math|style)$/i

for (const name of names) {
  test(`${name}: small, one heading of the first level, no style and no script in line`, () => {
    const page = render(name)
    assert.ok(Buffer.byteLength(page) < 60_000, `${Buffer.byteLength(page)} bytes`)
    assert.equal(page.match(/<h1[ >]/g)?.length, 1)
    assert.doesNotMatch(page, /\sstyle=|\son[a-z]+=|<style/)
    assert.doesNotMatch(page, /<script(?! src="\/static\/[a-z-]+\.js" type="module"><\/script>)/)
    assert.match(page, /^<!doctype html><html lang="en">/)
  })

  test(`${name}: no attack becomes markup, whichever member of the model it stands in`, () => {
    for (let first = 0; first < ATTACKS.length; first++) {
      const page = render(name, hostile(models[name], first))
      // Independent of how it was made: outside of quoted values, only tags and attributes that our templates have.
      const tags = [...page.replaceAll(/"[^"]*"/g, '""').matchAll(/<\/?([^\s>]*)([^>]*)>/g)]
      for (const [tag, element, rest] of tags) {
        assert.match(element!, /^(?:!doctype|[a-z]+[1-6]?)\/?$/i, tag)
        assert.doesNotMatch(element!, name === 'copy' ? NEVER_IN_COPY : NEVER, tag)
        assert.doesNotMatch(rest!, /\bon[a-z]+=|\bstyle=|\bsrcdoc=|'/, tag)
      }
      const scripts = page.match(/<script/g)?.length ?? 0
      assert.equal(scripts, render(name).match(/<script/g)?.length)
      assert.doesNotMatch(page, /(?:href|src|action)="\s*(?:javascript|data|vbscript|\/\/|\/\\)/i)
    }
  })
}

test('the graph of 300 sites is drawn in time, with all its sites in picture and table', () => {
  const model = sampleGraph(300, 3_000)
  const page = render('graph', model)
  assert.ok(Buffer.byteLength(page) < 130_000, `${Buffer.byteLength(page)} bytes`)
  assert.equal(page.match(/<circle cx/g)?.length, 302)
  assert.equal(page.match(/<th scope="row">/g)?.length, 300)
  assert.match(page, /the 750 strongest are drawn/)
  assert.equal(page, render('graph', model))
})

test('a graph that did not change is not laid out again, and one that did is', () => {
  const model = sampleGraph(300, 3_000)
  render('graph', model)
  const begun = process.cpuUsage()
  const again = render('graph', structuredClone(model))
  assert.ok(process.cpuUsage(begun).user < 40_000)
  assert.notEqual(render('graph', { ...model, leftOut: 99 }), again)
})

test('links to sites that are not there, and a graph without sites, do no harm', () => {
  assert.match(render('graph', { sites: [], links: [], leftOut: 0, linkedOnly: 0 }), /No site is known yet/)
  const one = { origin: 'https://a.example', pages: 0, importance: 0 }
  assert.match(
    render('graph', {
      sites: [one],
      links: [
        [0, 9, 1],
        [0, 0, 1],
      ],
      leftOut: 0,
      linkedOnly: 0,
    }),
    /1 site and 0 pairs/,
  )
})

test('sites are in the order asked for, and say so', () => {
  const page = render('sites', { ...models.sites, sort: 'errors', offset: 0, limit: 50, total: 25 })
  assert.match(page, /<th scope="col" class="right" aria-sort="descending"><a href="\/sites\?sort=errors">/)
  assert.doesNotMatch(page, /class="pager"/)
  assert.match(render('sites'), /rel="next" href="\/sites\?sort=importance&amp;offset=50&amp;limit=25"/)
  assert.match(wordsOf(render('sites')), /3 failures in a row; away until 2026-11-15 12:10:00 UTC/)
})

test('sites say whether they push, and whether what they send is believed', () => {
  const page = wordsOf(render('sites'))
  assert.match(page, /docs\.example\.org.+?21 % ?differences ?2 s between/)
  assert.match(page, /pages ?not believed until 2026-11-17 12:00:00 UTC/)
  assert.match(page, /could: ?changes, differences, pages/)
  const site = wordsOf(render('site'))
  assert.match(site, /What it sends ?Sends ?pages ?Believed ?no ?not believed until/)
  assert.match(site, /Other pages than it serves ?4 of 9/)
  assert.match(site, /applied 120, heard 41, same 9, hint 4/)
  assert.doesNotMatch(wordsOf(render('site', { ...models.site, calls: undefined })), /What it sends/)
})

test('a site shows its politeness, robots.txt and pages', () => {
  const page = render('site')
  assert.match(wordsOf(page), /Crawl-delay: 10/)
  assert.match(page, /href="\/search\?q=site:docs5\.example\.org"/)
  const fresh = wordsOf(render('site', { ...siteRows[0]!, outcomes: {}, topPages: [] }))
  assert.match(fresh, /It was not visited yet/)
})

test('a site that pages merely link to has no rest between visits, also where reaching it failed', () => {
  const linked = { ...siteRows[0]!, lastVisitAt: undefined, delayMs: 0, strikes: 0, backoffUntil: undefined }
  const rows = (row: SiteRowModel): string => wordsOf(render('sites', { ...models.sites, sites: [row] }))
  assert.doesNotMatch(rows(linked), /between visits/)
  assert.match(rows({ ...linked, strikes: 2 }), /not visited, robots\.txt .+2 failures in a row/)
  const site = wordsOf(render('site', { ...linked, outcomes: {}, topPages: [] }))
  assert.match(site, /Rest between visits ?not visited yet/)
})

test('live: sites that were visited and those that pages merely link to are counted apart', () => {
  const { sites, visitedSites } = models.live
  assert.match(
    wordsOf(render('live')),
    new RegExp(`sites visited ?${visitedSites} ?merely linked ?${sites - visitedSites}`),
  )
})

test('a difference has signs and words, not colour alone', () => {
  const page = render('difference')
  assert.match(wordsOf(page), /\+2 lines, −1 line/)
  assert.match(page, /<li class="added"><ins><span class="unseen">added: <\/span>/)
  assert.match(
    wordsOf(render('difference', { ...models.difference, added: 0, removed: 0, lines: [] })),
    /the text is the same/,
  )
})

test('live: the newest numbers stand in the page, and without scripts it comes again', () => {
  const page = render('live')
  assert.match(page, /<noscript><meta http-equiv="refresh" content="5"><\/noscript>/)
  assert.match(wordsOf(page), /41,250 pages so far/)
  assert.match(wordsOf(page), /connected, but no answer in time/)
})

test('live: no crawl says how to begin one, and a paused one can be resumed', () => {
  assert.match(wordsOf(render('live', statistics)), /No crawl is running ?Start one.+comity crawl/)
  const paused = { ...statistics, crawl: { kind: 'paused', pid: 1, startedAt: 0, sample: sampleAt(0, {}) } } as const
  assert.match(render('live', paused), /data-call="\/api\/v1\/crawl\/resume"><button>Resume the crawl/)
  assert.match(render('live', paused), /<p class="none">None so far/)
})

test('a problem says what happened and where to go', () => {
  assert.match(wordsOf(render('problem')), /404 ?The page is not known ?No page with this URL/)
})

test('every file for browsers is served, small, and asks for nothing from elsewhere', () => {
  const folder = new URL('../client/', import.meta.url)
  const files = readdirSync(folder).filter((name) => /\.(?:js|svg)$/.test(name))
  assert.deepEqual([...readAssets().keys()].toSorted(), ['comity.css', ...files].toSorted())
  for (const [name, { body }] of readAssets()) {
    assert.ok(body.length < 22_000, `${name}: ${body.length}`)
    const addresses = String(body).replaceAll('http://www.w3.org/2000/svg', '')
    assert.doesNotMatch(addresses, /https?:|@import|url\(/, name)
  }
  const styles = readdirSync(new URL('styles/', folder))
  assert.ok(files.length > 0 && styles.length > 0)
  for (const name of styles) assert.ok(readFileSync(new URL(`styles/${name}`, folder), 'utf8').startsWith('/* '), name)
  assert.equal(pages.asset('nothing.js'), undefined)
  assert.equal(pages.asset('../pages.ts'), undefined)
})

test('every file that a page names is there', () => {
  for (const name of names) {
    for (const [, file] of render(name).matchAll(new RegExp(`${ASSETS}([a-z.-]+)`, 'g')))
      assert.ok(pages.asset(file!), file)
  }
})
