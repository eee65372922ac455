// Runs alone: it is long.
/** Every example runs against a small living web on loopback and prints what it promises. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createLivingWeb } from '@comity/testbed'
import { Dialogue } from '../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../packages/gateway/src/testing/packet-sample.ts'
import { siteExamples } from './examples/site-examples.ts'
import { freePort, linesOf, whileRunning } from './examples/running-example.ts'
import { storeExamples } from './examples/store-examples.ts'

/** Where the packages are installed, with the examples beside them, instead of this checkout: `npm run check:packages` tries both. */
const installed = process.env['COMITY_INSTALLED']
const folder = join(installed ?? join(import.meta.dirname, '..'), 'examples')
const comity =
  installed === undefined
    ? join(folder, '../packages/cli/bin/comity.js')
    : join(installed, 'node_modules/comity/bin/comity.js')
const scratch = mkdtempSync(join(tmpdir(), 'comity-examples-'))
const quiet = { odd: false, sitemap: false, latencyMs: 1, bytesPerSecond: Infinity, changeEveryMs: Infinity }
const web = await createLivingWeb({
  seed: 7,
  firstAddress: '127.0.77.1',
  sites: [
    { ...quiet, pages: 8, robots: 'disallow-directory' },
    { ...quiet, pages: 5, robots: 'allow' },
  ],
})
const [home = '', other = ''] = web.sites.map(({ origin }) => `${origin}/`)
const truth = web.reachable({ from: [home] })
const pages = [...truth.urls].filter((url) => url.startsWith(home))

after(async () => {
  await web[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

const runFile = promisify(execFile)
const place = { folder, comity, scratch }
const run = async (name: string, ...args: string[]): Promise<string[]> => await linesOf(place, name, args)
const into = (name: string): string => join(scratch, name)

/** What each example must print, and that it does. One row for every file. */
const examples: Record<string, () => Promise<void>> = {
  'crawl-a-site.ts': async () => {
    const lines = await run('crawl-a-site.ts', into('first'), home)
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /^8 pages and \d+ links of 1 site\(s\) are in /)
    // The same command again finds everything done and asks for no page twice.
    const before = web.log.read().requests.length
    assert.match((await run('crawl-a-site.ts', into('first'), home))[0]!, /^8 pages /)
    assert.equal(web.log.read().requests.length, before)
  },
  ...storeExamples(place, { home, pages }),
  ...siteExamples(place),
  'stop-after.ts': async () => {
    const lines = await run('stop-after.ts', into('some'), home)
    assert.equal(lines.at(-1), 'stopped with 3 pages')
    assert.equal(lines.length, 4)
  },
  'headers-for-a-site.ts': async () => {
    process.env['API_KEY'] = 'k3y'
    // What each site was asked with, by port.
    const asked: { readonly port: string; readonly key: unknown }[] = []
    const listen = async (): Promise<Server> => {
      const server = createServer(({ headers, url = '' }, response) => {
        if (url !== '/robots.txt') asked.push({ port: headers.host ?? '', key: headers['x-api-key'] })
        response.setHeader('content-type', 'text/html').end('<p>Hello')
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return server
    }
    const servers = [await listen(), await listen()]
    const [mine = '', others = ''] = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`)
    const lines = await run('headers-for-a-site.ts', into('mine'), `http://${mine}/`, `http://${others}/`)
    for (const server of servers) server.close()
    assert.deepEqual(lines, ['2 pages'])
    const keys = (port: string): unknown[] => [
      ...new Set(asked.filter((row) => row.port === port).map(({ key }) => key)),
    ]
    assert.deepEqual([keys(mine), keys(others)], [['k3y'], [undefined]])
  },
  'pick-fields.ts': async () => {
    const lines = await run('pick-fields.ts', into('picked'), home)
    const found = lines.map((line) => JSON.parse(line) as { url: string; title: string; links: { to: string }[] })
    assert.deepEqual(found.map(({ url }) => url).toSorted(), pages.toSorted())
    assert.ok(found.every(({ title }) => title.length > 3))
    const [first] = found
    const wanted = truth.links.filter(({ from }) => from === first!.url).map(({ to }) => to)
    assert.deepEqual(
      wanted.filter((to) => !first!.links.some((link) => link.to === to)),
      [],
    )
  },
  'search-server.ts': async () => {
    await runFile(process.execPath, [comity, 'crawl', home, '--into', into('asked'), '--allow-private', '--delay', '0'])
    const port = await freePort()
    await whileRunning(place, 'search-server.ts', [into('asked'), String(port)], async ({ next }) => {
      const { matches, found } = (await (await fetch(`${await next()}?q=type:html`)).json()) as Record<string, unknown>
      assert.equal(matches, pages.length)
      assert.ok(Array.isArray(found) && pages.includes((found[0] as { url: string }).url))
    })
  },
  'on-capture.ts': async () => {
    const said = await run('on-capture.ts', into('captures'), home)
    const lines = said.filter((line) => !line.startsWith(' '))
    assert.ok(lines.every((line) => /^200 \S+ text\/html; charset=utf-8 \d+ characters sha1:[A-Z2-7]{32}$/.test(line)))
    assert.equal(said.filter((line) => /^ {2}"[^"]+" links to \S/.test(line)).length, lines.length)
    assert.deepEqual(lines.map((line) => line.split(' ')[1] ?? '').toSorted(), pages.toSorted())
  },
  'scope-plugin.ts': async () => {
    const shallow = pages.filter((url) => new URL(url).pathname.split('/').filter(Boolean).length <= 1)
    const [line] = await run('scope-plugin.ts', into('shallow'), home)
    assert.match(line!, new RegExp(`^${shallow.length} pages fetched, [1-9]\\d* left out by the plug-in$`))
  },
  'learning-order.ts': async () => {
    const flags = ['--into', into('cash'), '--allow-private', '--delay', '0', '--json']
    const order = join(folder, 'learning-order.ts')
    const { stdout } = await runFile(process.execPath, [comity, 'crawl', home, ...flags, '--order', order])
    assert.equal((JSON.parse(stdout) as { pages: number }).pages, 8)
  },
  'order-plugin.ts': async () => {
    const lines = await run('order-plugin.ts', into('fair'), home, other)
    assert.equal(lines.length, 13)
    // Whoever is ahead was ahead only while the other had nothing to give: here by two pages at most.
    const lead = lines.slice(0, 10).map((_, at) => {
      const ours = lines.slice(0, at + 1).filter((url) => url.startsWith(home)).length
      return Math.abs(2 * ours - (at + 1))
    })
    assert.ok(Math.max(...lead) <= 2, lines.join('\n'))
  },
  'listen-to-events.ts': async () => {
    const lines = await run('listen-to-events.ts', into('watched'), home)
    const events = lines.map((line) => ({ name: line.split(' ')[0], event: JSON.parse(line.slice(line.indexOf(' '))) }))
    const named = (name: string): { event: Record<string, unknown> }[] => events.filter((row) => row.name === name)
    assert.equal(named('comity:robots')[0]!.event['verdict'], 'parsed')
    assert.deepEqual(
      named('comity:visited')
        .map(({ event }) => String(event['url']))
        .toSorted(),
      pages.toSorted(),
    )
    assert.equal(
      named('comity:committed').reduce((sum, { event }) => sum + Number(event['pages']), 0),
      pages.length,
    )
  },
  'read-a-collection.ts': async () => {
    await run('crawl-a-site.ts', into('to-read'), home)
    const lines = await run('read-a-collection.ts', into('to-read'))
    const found: string[] = []
    let from = ''
    for (const line of lines) {
      if (line.startsWith('200 ')) from = line.split(' ')[1]!
      const [, to, anchor] = /^ {2}-> (\S+) "(.*)"$/.exec(line) ?? []
      if (to !== undefined) found.push(`${from} ${to} ${anchor}`)
    }
    // A link to the page itself is not kept: it adds nothing to the graph.
    const wanted = truth.links.filter(({ from: page, to }) => page.startsWith(home) && page !== to)
    assert.ok(wanted.length > 20)
    const lost = wanted.filter((link) => !found.includes(`${link.from} ${link.to} ${link.anchor}`))
    assert.deepEqual(lost, [])
    assert.equal(lines.filter((line) => /^ {2}\d{2,} words$/.test(line)).length, pages.length)
  },
  'robots-check.ts': async () => {
    const drafts = `${home}drafts/secret`
    assert.deepEqual(await run('robots-check.ts', 'anybot', drafts, home), [
      `anybot must not visit ${drafts} (line 3: Disallow: /drafts/)`,
      `anybot may visit ${home} (status 200)`,
    ])
  },
  'search-a-collection.ts': async () => {
    await runFile(process.execPath, [comity, 'crawl', home, '--into', into('found'), '--allow-private', '--delay', '0'])
    // Paths are made of titles, and the title is where the words of the path stand side by side.
    const url = pages.find((page) => /-\d+$/.test(page))!
    const title = url.replace(/^.*\//, '').replace(/-\d+$/, '').replaceAll('-', ' ')
    const lines = await run('search-a-collection.ts', into('found'), `title:"${title}"`)
    assert.match(lines[0]!, /^\d+\.\d\d \S+ ".+"$/)
    assert.equal(lines[0]!.split(' ')[1], url)
    assert.ok(lines.includes('1 page(s) match'), lines.join('\n'))
    const all = await run('search-a-collection.ts', into('found'), 'type:html')
    assert.equal(all.at(-1), `${pages.length} page(s) match`)
  },
  'site-that-tells.ts': async () => {
    const lines = await run('site-that-tells.ts', into('journal'))
    assert.deepEqual(lines, ['created /', 'created /prices', '2 page(s) told', 'updated /prices', '1 page(s) told'])
  },
  'index-a-capture.ts': async () => {
    const said = new Dialogue({
      client: { address: [192, 0, 2, 1], port: 40_000 },
      server: { address: [192, 0, 2, 7], port: 80 },
    })
    const host = 'Host: www.example.org'
    const body = '<title>Opening hours</title><p>Nine to five. <a href="/prices">Prices</a>'
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const asked = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${host}\r\n${more}\r\n`
    said.open().exchange(asked('/'), answer)
    said.exchange(asked('/account', 'Authorization: Basic YTpi\r\n'), answer)
    writeFileSync(into('read.pcap'), pcapFile(said.packets))
    assert.deepEqual(await run('index-a-capture.ts', into('read.pcap'), 'www.example.org', '192.0.2.7'), [
      'http://www.example.org/ "Opening hours" 1 link(s)',
      '2 exchange(s), 1 page(s) to index; left out: {"authorization":1}',
    ])
  },
  'compare-orders.ts': async () => {
    const lines = await run('compare-orders.ts')
    const shares = new Map(lines.map((line) => [line.split(' ')[0], Number(/: (\d+) %/.exec(line)?.[1])]))
    assert.deepEqual([...shares.keys()], ['fifo', 'backlink', 'cash'])
    assert.ok(shares.get('cash')! > shares.get('fifo')!, lines.join('\n'))
  },
  'write-and-read-warc.ts': async () => {
    assert.deepEqual(await run('write-and-read-warc.ts', into('visit.warc.gz')), [
      'warcinfo',
      'https://example.org/ 200 "Hello, archive."',
    ])
  },
}

for (const [name, check] of Object.entries(examples)) test(`examples/${name} prints what it promises`, check)

test('every example is run here', () => {
  // Agents are no programs by themselves: `agents.test.ts` runs them.
  const programs = readdirSync(folder).filter((name) => name !== 'agents')
  assert.deepEqual(programs.toSorted(), Object.keys(examples).toSorted())
})
