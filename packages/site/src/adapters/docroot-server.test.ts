import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleRoot } from '../testing/docroot-sample.ts'
import { docrootHandler } from './docroot-server.ts'
import { AT } from '../testing/journal-sample.ts'

async function serving(t: TestContext): Promise<string> {
  const { dir } = sampleRoot(t, {
    'index.html': '<h1>home</h1>',
    'a.bin': '0123456789',
    'run.php': 'secret',
    'f/a.txt': 'é',
  })
  const server = createServer(docrootHandler(dir, () => AT)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('files are sent with their types and validators, and a 304 to whoever has them', async (t) => {
  const url = await serving(t)
  const home = await fetch(`${url}/`)
  assert.deepEqual([home.status, home.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  assert.equal(await home.text(), '<h1>home</h1>')
  const tag = await fetch(`${url}/`, { headers: { 'if-none-match': home.headers.get('etag')! } })
  const date = await fetch(`${url}/`, { headers: { 'if-modified-since': home.headers.get('last-modified')! } })
  const other = await fetch(`${url}/`, { headers: { 'if-none-match': '"other"' } })
  assert.deepEqual([tag.status, date.status, other.status], [304, 304, 200])
  assert.equal((await fetch(`${url}/a.bin`)).headers.get('content-type'), 'application/octet-stream')
})

// oxfmt-ignore
const ranges: [sentence: string, range: string, status: number, body: string][] = [
  ['a part',                           'bytes=2-4',     206, '234'],
  ['the end',                          'bytes=-3',      206, '789'],
  ['several parts are sent as a whole','bytes=0-1,4-5', 200, '0123456789'],
  ['a part behind the end',            'bytes=20-',     416, 'It has 10 bytes.\n'],
]
for (const [sentence, range, status, body] of ranges) {
  test(`ranges: ${sentence}`, async (t) => {
    const answer = await fetch(`${await serving(t)}/a.bin`, { headers: { range } })
    assert.deepEqual([answer.status, await answer.text()], [status, body])
  })
}

test('what is no page is answered as such', async (t) => {
  const url = await serving(t)
  assert.equal((await fetch(`${url}/none`)).status, 404)
  assert.equal((await fetch(`${url}/run.php`)).status, 404)
  const folder = await fetch(`${url}/f?q`, { redirect: 'manual' })
  assert.deepEqual([folder.status, folder.headers.get('location')], [301, '/f/?q'])
  const post = await fetch(`${url}/`, { method: 'POST', body: 'x' })
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
  const head = await fetch(`${url}/a.bin`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '10', ''])
})
