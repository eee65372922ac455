import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readRobotsRdf, readSitemap } from '@comity/protocol'
import { parseListen } from './flags.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const base = 'https://a.example/'
const HOUR_AGO = Date.now() / 1_000 - 3_600

/** A document root of its own, with files that are an hour old. */
function docroot(name: string, files: Readonly<Record<string, string>>): string {
  const root = folder.at(join(name, 'html'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), HOUR_AGO, HOUR_AGO)
  }
  return root
}

const FILES = {
  'robots.txt': 'User-agent: *\nDisallow: /private/\n',
  'index.html': '<h1>Home</h1>',
  'a.html': 'page a',
  'manual/b.htm': 'page b',
  'private/c.html': 'secret',
  'run.php': 'secret',
}

const pagesIn = (file: string): string[] =>
  readSitemap(readFileSync(file), `${base}sitemap.xml`).entries.map(({ loc }) => new URL(loc).pathname)

test('a document root gets its documents, and a second run has nothing to do', async () => {
  const root = docroot('plain', FILES)
  const first = await comity(['publish', root, '--base', base])
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /3 public pages: 3 new, 0 changed, 0 gone/)
  assert.match(first.stdout, /2 files kept private: (?:program 1, robots 1|robots 1, program 1)/)
  assert.deepEqual(pagesIn(join(root, 'sitemap.xml')), ['/', '/a.html', '/manual/b.htm'])
  assert.match(
    readFileSync(join(root, 'robots.txt'), 'utf8'),
    /^User-agent: \*\nDisallow: \/private\/\n\n# comity begin/,
  )
  // As WIRE's generator has it: only names with .htm in them.
  const rdf = readRobotsRdf(readFileSync(join(root, 'robots.rdf')), `${base}robots.rdf`)
  assert.deepEqual(rdf.pages.map(({ url }) => new URL(url).pathname).toSorted(), ['/a.html', '/manual/b.htm'])
  assert.ok(existsSync(folder.at('plain/.comity-html/journal.log')))
  const again = lastJson(await comityHere(['publish', root, '--base', base, '--json']))
  assert.deepEqual((again['made'] as { written: string[] }).written, [])
  assert.equal(again['pages'], 3)
})

test('a dry run says what would become public and what not, and writes nothing', async () => {
  const root = docroot('dry', FILES)
  const before = readdirSync(folder.at('dry'), { recursive: true })
  const { stdout, code } = await comityHere(['publish', root, '--base', base, '--dry-run', '--reject', '/manual/*'])
  assert.equal(code, 0)
  assert.match(stdout, /Would become public: 2 files/)
  assert.match(stdout, /robots: 1 file; robots\.txt disallows it.*\n\s+\/private\/c\.html {2}Disallow: \/private\//)
  assert.match(stdout, /rejected: 1 file.*\n\s+\/manual\/b\.htm {2}\/manual\/\*/)
  assert.deepEqual(readdirSync(folder.at('dry'), { recursive: true }), before)
})

test('documents go into a folder of their own when asked to, with only the schemes and pages wanted', async () => {
  const root = docroot('into', FILES)
  const into = folder.at('into/export')
  const words = ['--into', into, '--schemes', 'sitemap,robots-rdf', '--include', '/manual/*', '--maximum', '10']
  const { code, stderr } = await comityHere(['publish', root, '--base', base, ...words])
  assert.equal(code, 0, stderr)
  assert.deepEqual(readdirSync(root).toSorted(), ['a.html', 'index.html', 'manual', 'private', 'robots.txt', 'run.php'])
  assert.deepEqual(
    readdirSync(into)
      .filter((name) => !name.startsWith('.'))
      .toSorted(),
    ['robots.rdf', 'sitemap.xml'],
  )
  assert.deepEqual(pagesIn(join(into, 'sitemap.xml')), ['/manual/b.htm'])
})

test('robots.txt is left alone when asked to, and the lines are printed', async () => {
  const root = docroot('robots', FILES)
  const { stdout } = await comityHere(['publish', root, '--base', base, '--no-robots'])
  assert.equal(readFileSync(join(root, 'robots.txt'), 'utf8'), FILES['robots.txt'])
  assert.match(stdout, /For robots\.txt:\nSitemap: https:\/\/a\.example\/sitemap\.xml\n/)
})

test('a site below a folder has its lists there and lists nothing else', async () => {
  const root = docroot('below', FILES)
  await comityHere(['publish', root, '--base', `${base}manual/`])
  assert.deepEqual(pagesIn(join(root, 'manual/sitemap.xml')), ['/manual/b.htm'])
  assert.ok(!existsSync(join(root, 'sitemap.xml')))
})

test('pages behind forms are asked for by name, as a stranger, and go through the rules', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? 'no cookie'}`)
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /search?q=secret\n')
    else if (request.url?.includes('cookie')) response.setHeader('set-cookie', 'a=1').end('mine')
    else response.setHeader('content-type', 'text/html').end(`results of ${request.url}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const root = docroot('forms', { 'index.html': 'home' })
  const urls = [
    '# results',
    '/search?q=a',
    `${own}search?q=b`,
    '/search?q=secret',
    '/search?q=cookie',
    'https://other.example/x',
  ]
  const ended = await comity(['publish', root, '--base', own, '--urls', '-', '--json'], { input: urls.join('\n') })
  server.close()
  assert.equal(ended.code, 0, ended.stderr)
  const { asked: count, created, elsewhere, private: refused } = lastJson(ended)['listed'] as Record<string, unknown>
  assert.deepEqual([count, created, elsewhere, refused], [4, 2, 1, { robots: 1, 'cookie-set': 1 }])
  assert.ok(asked.every((line) => line.endsWith('no cookie')))
  const { entries } = readSitemap(readFileSync(join(root, 'sitemap.xml')), `${own}sitemap.xml`)
  assert.deepEqual(
    entries.map(({ loc }) => loc),
    [own, `${own}search?q=a`, `${own}search?q=b`],
  )
})

test('a snippet is printed and nothing else happens', async () => {
  const root = docroot('snippet', FILES)
  const nginx = await comityHere([
    'publish',
    root,
    '--base',
    base,
    '--snippet',
    'nginx',
    '--into',
    folder.at('elsewhere'),
  ])
  assert.match(nginx.stdout, /location ~ "\^\/robots\\\.txt\$" \{\n {4}root "/)
  const apache = await comityHere(['publish', root, '--base', base, '--snippet', 'apache2'])
  assert.match(apache.stdout, /^<FilesMatch/m)
  assert.deepEqual(readdirSync(folder.at('snippet')), ['html'])
})

const root = docroot('wrong', FILES)
// oxfmt-ignore
const wrong: [words: string[], code: number, message: RegExp][] = [
  [['publish', root],                                                2, /Say where visitors find the site: --base https:\/\/example\.org\//],
  [['publish', '--base', base],                                      2, /DOCROOT is missing: the folder that the server answers \/ with/],
  [['publish', root, '--base', 'example.org'],                       2, /--base "example\.org" is no address of a site: write https/],
  [['publish', root, '--base', `${base}?x`],                         2, /is no home page/],
  [['publish', `${root}-none`, '--base', base],                      2, /wrong\/html-none is not there/],
  [['publish', join(root, 'a.html'), '--base', base],                1, /cannot be read .*it is no folder/],
  [['publish', root, '--base', base, '--journal', join(root, 'j')],  2, /inside the document root, where the server would hand it out/],
  [['publish', root, '--base', base, '--into', join(root, 'x')],     2, /inside .* would count as pages/],
  [['publish', root, '--base', base, '--include', 'manual'],         2, /--include "manual" matches no path: begin it with \/ or \*/],
  [['publish', root, '--base', base, '--schemes', 'sitemaps'],       2, /there is no scheme "sitemaps".* Did you mean sitemap\?/],
  [['publish', root, '--base', base, '--snippet', 'ngnix'],          2, /neither nginx nor apache\. Did you mean nginx\?/],
  [['publish', root, '--base', base, '--serv', '80'],                2, /no flag --serv\. Did you mean --serve\?/],
  [['publish', root, '--base', base, '--serve', 'http'],             2, /--serve "http" is no place to listen: write 8080/],
  [['publish', root, '--base', base, '--serve', '0', '--into', 'x'], 2, /--into is for files/],
  [['publish', root, '--base', base, '--proxy', 'http://x/y'],       2, /is no origin: write scheme, host and port/],
  [['publish', root, '--base', base, '--proxy', 'http://x'],         2, /leave out one of them/],
  [['publish', '--base', base, '--proxy', 'http://x', '--dry-run'],  2, /--dry-run looks at files/],
  [['publish', root, '--base', base, '--spread', 'often'],           2, /--spread "often" is not a duration/],
  [['publish', root, '--base', base, '--offers-to', 'proven'],       2, /Files are for everybody: --offers-to goes with --serve or --proxy/],
  [['publish', root, '--base', base, '--keys', 'k.json'],            2, /Files cannot be signed: --keys goes with --serve/],
  [['publish', root, '--base', base, '--serve', '0', '--keys', join(root, 'k.json')], 2, /inside the document root, where everybody could read it/],
  [['publish', root, '--base', base, '--serve', '0', '--offers-to', 'proven,a.example'], 2, /proven is for all of them; say that, or list some/],
  [['publish', root, '--base', base, '--serve', '0', '--offers-to', 'no host'], 2, /offersTo lists "no host", which is neither a host/],
  [['check'],                                                        2, /URL is missing: a page of the site/],
  [['check', 'ftp://a.example/'],                                    2, /is not a URL to start from/],
  [['check', 'https://a.example/'],                                  2, /names nobody/],
]
test('wrong use is told what would work', async (t) => {
  for (const [words, code, message] of wrong)
    await t.test(words.join(' '), async () => {
      const ended = await comityHere(words)
      assert.match(ended.stderr, message)
      assert.doesNotMatch(ended.stderr, /\n {4}at /)
      assert.deepEqual([ended.code, ended.stdout], [code, ''])
    })
})

test('a place to listen is a port, with a host when it is not this machine alone', () => {
  assert.deepEqual(parseListen('8080'), { host: '127.0.0.1', port: 8_080 })
  assert.deepEqual(parseListen('0.0.0.0:80'), { host: '0.0.0.0', port: 80 })
  assert.deepEqual(parseListen('[::1]:80'), { host: '::1', port: 80 })
  for (const text of ['', 'x', '70000', ':80', '::1:80', '1.2.3.4']) assert.throws(() => parseListen(text), text)
})
