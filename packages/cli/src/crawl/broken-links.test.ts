import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const PAGES: ReadonlyMap<string, string> = new Map([
  [
    '/',
    `<h1 id="top-of-it">Home</h1><a href="/second#there">good</a><a href="/second#not-there">no place</a><a href="/gone">gone</a>
     <a href="#top-of-it">here</a><a href="/moved#there">moved</a><a href="/moved#lost">moved and lost</a>
     <a href="http://elsewhere.invalid/">elsewhere</a><a href="/second#top">top</a><a href="mailto:a@b.example">mail</a>`,
  ],
  ['/second', '<h2 id="there">There</h2><a href="/#top-of-it">back</a>'],
])

test('inspect --broken tells of links to what is not there, and to places that a page does not have', async (t) => {
  const server = createServer(({ url = '' }, response) => {
    const html = PAGES.get(url)
    if (url === '/moved') response.writeHead(301, { location: '/second' }).end()
    else response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  using folder = temporaryFolder()
  const [dir, home] = [folder.at('links'), `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const manners = ['--allow-private', '--delay', '0', '--no-index', '--user-agent', 'comity-test/1.0']
  const crawled = await comityHere(['crawl', `${home}/`, '--into', dir, ...manners])
  assert.equal(crawled.code, 0, crawled.stderr)

  const found = await comityHere(['inspect', dir, '--broken', '--json'])
  assert.equal(found.code, 1)
  const problem = (to: string, anchor: string, words: string) => ({
    from: `${home}/`,
    to: home + to,
    anchor,
    problem: words,
  })
  assert.deepEqual(lastJson(found), {
    collection: dir,
    pages: 2,
    links: 9,
    unknown: 1,
    brokenCount: 3,
    broken: [
      problem('/second#not-there', 'no place', 'has no place called #not-there'),
      problem('/gone', 'gone', 'answers 404'),
      problem('/moved#lost', 'moved and lost', 'has no place called #lost'),
    ],
  })
  const { stdout } = await comityHere(['inspect', dir, '--broken'])
  assert.match(stdout, /3 broken links among 9 links on 2 pages; 1 leads to what was not visited\n$/)
  const both = await comityHere(['inspect', dir, home, '--broken'])
  assert.deepEqual([both.code, /leave out the URL/.test(both.stderr)], [2, true])
})
