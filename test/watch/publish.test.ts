/** A site published by the command, and what others make of it: our own check, a crawler's view, Scrapy's sitemap reader. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSocket } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { applyDelta, readBatchAnswer, writeBatch } from '@comity/protocol'
import { missing } from '@comity/protocol/testing'
import { comity, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const run = promisify(execFile)
const HOUR_AGO = Date.now() / 1_000 - 3_600

function docroot(name: string, files: Readonly<Record<string, string>>): string {
  const root = folder.at(join(name, 'html'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), HOUR_AGO, HOUR_AGO)
  }
  return root
}

const words = (n: number): string => Array.from({ length: 200 }, (_, i) => `word${(i * 7 + n) % 97}`).join(' ')
const page = (n: number): string => `<title>Page ${n}</title><p>${words(n)}</p>`
const FILES = {
  'robots.txt': 'User-agent: *\nDisallow: /private/\n',
  'index.html': `<title>Home</title><a href="/p1.html">one</a><p>${words(0)}</p>`,
  ...Object.fromEntries([1, 2, 3, 4].map((n) => [`p${n}.html`, page(n)])),
  'private/secret.html': 'secret words',
  'run.php': '<?php secret words',
}

interface Publisher {
  readonly url: string
  readonly ledger: string
  stop(): Promise<Ended>
}

async function freePort(): Promise<number> {
  const server = createSocket().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The command, once it says where it listens. */
async function publishing(args: readonly string[]): Promise<Publisher> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; ledger: string }>()
  let child: ChildProcess | undefined
  const ended = comity(['publish', ...args, '--json'], {
    onStart: (started) => {
      child = started
      let said = ''
      started.stdout?.on('data', (text: string) => {
        said += text
        if (said.includes('\n')) resolve(JSON.parse(said.split('\n')[0]!) as { url: string; ledger: string })
      })
    },
  })
  void ended.then(({ stderr }) => reject(new Error(stderr)))
  const places = await promise
  return {
    ...places,
    stop: async () => {
      child?.kill('SIGINT')
      return await ended
    },
  }
}

/** Asks until it is so; what a watch sees it sees a moment later. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('it did not happen within ten seconds')
}

/** As it is written: `fetch` would tidy the path and choose the host. */
async function askRaw(port: number, path: string, host = '127.0.0.1'): Promise<{ status: number; text: string }> {
  const request = httpRequest({ host: '127.0.0.1', port, path, headers: { host }, agent: false, timeout: 10_000 })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode ?? 0, text }
}

test(
  'a served document root keeps back in every spelling what it keeps back, and its ledger is for who is here',
  { timeout: 60_000 },
  async (t) => {
    const root = docroot('spelled', {
      ...FILES,
      'wp-config.php': 'secret words',
      'index.html.bak': 'secret words',
      'cgi-bin/x.cgi': 'secret words',
      'drafts/a.html': page(1),
      'account/a.html': page(2),
    })
    const port = await freePort()
    const base = `http://127.0.0.1:${port}/`
    const publisher = await publishing([root, '--base', base, '--serve', String(port), '--reject', '/drafts/*', '--reject', '/account/*']) // oxfmt-ignore
    t.after(async () => await publisher.stop())
    const sitemap = async (): Promise<string> => await (await fetch(`${base}sitemap.xml`)).text()
    await until(async () => (await sitemap()).includes('/p4.html'))
    for (const path of [
      '/wp-config.ph%70',
      '/index.html.ba%6b',
      '/cgi-bi%6e/x.cg%69',
      '/%77p-config.php',
      '//wp-config.php',
    ])
      assert.deepEqual([path, (await askRaw(port, path)).status], [path, 404])
    for (const path of [
      '/draft%73/a.html',
      '/%61ccount/a.html',
      '//account/a.html',
      '/./drafts/a.html',
      '/privat%65/secret.html',
    ])
      await askRaw(port, path)
    assert.equal((await askRaw(port, '/%701.html')).text, page(1), 'a page is served in every spelling')
    await askRaw(port, '/p2.html')
    const changes = await (await fetch(`${base}.well-known/comity/changes?fields=page`)).text()
    for (const text of [await sitemap(), changes]) {
      assert.match(text, /p2\.html/)
      assert.doesNotMatch(text, /drafts|draft%73|account|secret|%701/)
    }

    const ledger = Number(new URL(publisher.ledger).port)
    for (const host of ['127.0.0.1', `localhost:${ledger}`, '[::1]:80'])
      assert.equal((await askRaw(ledger, '/', host)).status, 200)
    for (const path of ['/', '/ledger.json', '/push.json'])
      for (const host of [
        'evil.example',
        `evil.example:${ledger}`,
        '127.0.0.1.evil.example',
        'localhost.evil.example',
        'a@127.0.0.1',
      ])
        assert.equal((await askRaw(ledger, path, host)).status, 421, `${path} as ${host}`)
  },
)

test('a served document root: pages, differences, all schemes, a ledger, and nothing private', async () => {
  const root = docroot('served', FILES)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/`
  const publisher = await publishing([root, '--base', base, '--serve', String(port)])
  const sitemap = async (): Promise<string> => await (await fetch(`${base}sitemap.xml`)).text()
  await until(async () => (await sitemap()).includes('/p4.html'))
  assert.equal(publisher.url, base)

  const first = await fetch(`${base}p1.html`)
  const [etag, before] = [first.headers.get('etag')!, Buffer.from(await first.arrayBuffer())]
  assert.equal((await fetch(`${base}p1.html`, { headers: { 'if-none-match': etag } })).status, 304)
  writeFileSync(join(root, 'p1.html'), page(1).replace('word1 ', 'changed '))
  utimesSync(join(root, 'p1.html'), HOUR_AGO + 60, HOUR_AGO + 60)
  const difference = await fetch(`${base}p1.html`, { headers: { 'a-im': 'vcdiff', 'if-none-match': etag } })
  assert.equal(difference.status, 226)
  const received = { status: 226, headers: [...difference.headers], body: Buffer.from(await difference.arrayBuffer()) }
  const applied = applyDelta(received, new Map([[etag, before]]), { maxBytes: 1 << 20 })
  assert.ok(applied.kind === 'ok' && applied.isVerified)
  assert.equal(Buffer.from(applied.body).toString(), readFileSync(join(root, 'p1.html'), 'utf8'))
  assert.ok(received.body.length < 100, `${received.body.length} bytes`)

  writeFileSync(join(root, 'new.html'), page(9))
  await until(async () => (await sitemap()).includes('/new.html'))
  const batch = await fetch(`${base}.well-known/comity/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: writeBatch([{ url: `${base}new.html` }, { url: `${base}private/secret.html` }]),
  })
  const pages = readBatchAnswer(Buffer.from(await batch.arrayBuffer())).pages
  assert.deepEqual(
    pages.filter(({ status }) => status === 200).map(({ url }) => url),
    [`${base}new.html`],
  )

  const everything = [
    'sitemap.xml',
    'metadata/resourcelist.xml',
    'metadata/changelist.xml',
    'robots.rdf',
    '.well-known/comity/changes?fields=page',
    'metadata/resourcedump-0.xml',
  ]
  for (const path of everything) assert.doesNotMatch(await (await fetch(base + path)).text(), /secret/, path)
  assert.equal((await fetch(`${base}run.php`)).status, 404)
  // Private is what is not told of; whoever knows the address may read it, as before.
  assert.equal((await fetch(`${base}private/secret.html`)).status, 200)

  const checked = await comity(['check', base, '--allow-private', '--json'])
  assert.equal(checked.code, 0, `${checked.stdout}${checked.stderr}`)
  const { findings } = lastJson(checked) as { findings: { about: string; state: string }[] }
  // It has no feed, and nobody told it to push.
  assert.deepEqual(
    findings.filter(({ state }) => state !== 'good').map(({ about, state }) => [about, state]),
    [
      ['feed', 'missing'],
      ['push', 'missing'],
    ],
  )
  assert.ok(findings.some(({ about }) => about === 'truth of lists'))

  const ledger = (await (await fetch(`${publisher.ledger}ledger.json`)).json()) as {
    rows: { crawler: string; scheme: string }[]
  }
  assert.ok(ledger.rows.some(({ scheme }) => scheme === 'difference'))
  assert.match(await (await fetch(publisher.ledger)).text(), /<h1>Ledger of http:\/\/127\.0\.0\.1/)
  const ended = await publisher.stop()
  assert.equal(ended.code, 0, ended.stderr)
})

test('in front of another server pages are learnt as they pass, and listed ones are asked for', async () => {
  let hits = 0
  const origin = createServer((request, response) => {
    hits++
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /hidden\n')
    else if (request.url === '/mine') response.setHeader('set-cookie', 'id=1').end('secret words')
    else response.setHeader('content-type', 'text/html').end(`<title>${request.url}</title>${words(1)}`)
  }).listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const from = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/`
  const list = folder.at('urls.txt')
  writeFileSync(list, '/search?q=1\n/search?q=2\n')
  const journal = folder.at('proxied')
  const publisher = await publishing([
    '--proxy',
    from,
    '--base',
    base,
    '--serve',
    String(port),
    '--journal',
    journal,
    '--urls',
    list,
  ])
  const sitemap = async (): Promise<string> => await (await fetch(`${base}sitemap.xml`)).text()
  await until(async () => (await sitemap()).includes('/search?q=2'))
  for (const path of ['a.html', 'hidden.html', 'mine']) assert.equal((await fetch(base + path)).status, 200)
  await until(async () => (await sitemap()).includes('/a.html'))
  assert.doesNotMatch(await sitemap(), /hidden|mine/)
  const before = hits
  const tag = (await fetch(`${base}a.html`)).headers.get('etag')!
  assert.equal((await fetch(`${base}a.html`, { headers: { 'if-none-match': tag } })).status, 304)
  assert.ok(hits > before)
  const { code, stderr } = await publisher.stop()
  origin.close()
  assert.equal(code, 0, stderr)
})

test('files follow a document root while it changes, and Ctrl-C ends it well', async () => {
  const root = docroot('watched', FILES)
  const sitemap = (): string => {
    try {
      return readFileSync(join(root, 'sitemap.xml'), 'utf8')
    } catch {
      return ''
    }
  }
  let child: ChildProcess | undefined
  const ended = comity(['publish', root, '--base', 'https://a.example/', '--watch'], {
    onStart: (started) => (child = started),
  })
  await until(async () => sitemap().includes('/p4.html'))
  writeFileSync(join(root, 'p5.html'), page(5))
  await until(async () => sitemap().includes('/p5.html'))
  const robots = readFileSync(join(root, 'robots.txt'), 'utf8')
  writeFileSync(join(root, 'robots.txt'), robots.replace('/private/', '/p2'))
  await until(async () => !sitemap().includes('/p2.html') && sitemap().includes('/private/secret.html'))
  child?.kill('SIGINT')
  const { code, stderr, stdout } = await ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /6 pages: 1 new, 0 changed, 0 gone; \d+ files written/)
})

test('Scrapy reads robots.txt and the sitemaps as we do', async (t) => {
  const root = docroot('scrapy', FILES)
  await comity(['publish', root, '--base', 'https://a.example/'])
  const script = `
import json, sys
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots
read = lambda name: open(sys.argv[1] + '/' + name, 'rb').read()
maps = list(sitemap_urls_from_robots(read('robots.txt').decode()))
path = lambda address: address.split('/', 3)[3]
rows = [(m, Sitemap(read(path(m))).type, [e['loc'] for e in Sitemap(read(path(m)))]) for m in maps]
print(json.dumps(rows))`
  let out: string
  try {
    // Debian's own Python: packages are there and not in whichever comes first.
    out = (await run('/usr/bin/python3', ['-c', script, root])).stdout
  } catch (error) {
    if (/No module named 'scrapy'|ENOENT/.test(String(error)))
      return missing(t, 'Scrapy', 'install the package python3-scrapy')
    throw error
  }
  const pages = ['', 'p1.html', 'p2.html', 'p3.html', 'p4.html'].map((path) => `https://a.example/${path}`)
  assert.deepEqual(JSON.parse(out), [
    ['https://a.example/sitemap.xml', 'urlset', pages],
    ['https://a.example/metadata/resourcelist.xml', 'urlset', pages],
  ])
})
