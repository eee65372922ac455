import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openServer } from './collection-server.ts'
import { crawlSample } from '../testing/search-fixture.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'
import { UsageError } from '../usage-error.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('crawled')
before(() => crawlSample(dir))

const call = { dir, host: '127.0.0.1', port: 0, onError: (error: unknown) => assert.fail(String(error)) }

test('a server shows the collection until it is disposed of', async () => {
  let url: string
  {
    await using server = await openServer(call)
    ;({ url } = server)
    assert.match(server.tokenFile, /serve\.token$/)
    const statistics = (await (await fetch(`${url}api/v1/statistics`)).json()) as { index: { documents: number } }
    assert.equal(statistics.index.documents, 6)
  }
  await assert.rejects(fetch(url), 'nobody is there any more')
})

test('two servers of one collection do not disturb each other', async () => {
  await using one = await openServer(call)
  await using two = await openServer({ ...call, token: 'x'.repeat(40) })
  assert.notEqual(one.url, two.url)
  assert.equal(two.tokenFile, '--token')
  for (const { url } of [one, two]) assert.equal((await fetch(`${url}search?q=heron`)).status, 200)
})

test('an address with colons stands in brackets', async () => {
  try {
    await using server = await openServer({ ...call, host: '::1' })
    assert.match(server.url, /^http:\/\/\[::1\]:\d+\/$/)
    assert.equal((await fetch(server.url)).status, 200)
  } catch (error) {
    // A machine without IPv6 says so.
    if (!(error instanceof UsageError)) throw error
    assert.match(error.message, /::1 is no address of this machine/)
  }
})

test('where it cannot listen, everything it had opened is let go', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await assert.rejects(openServer({ ...call, port }), { name: 'UsageError', message: /is taken/ })
  other.close()
  await once(other, 'close')
  await using server = await openServer({ ...call, port })
  assert.equal((await fetch(server.url)).status, 200)
})

test('a token that anybody could guess is refused', async () => {
  await assert.rejects(openServer({ ...call, token: 'short' }), { code: 'TOKEN_INVALID' })
})
