import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { get as getSecure } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createAuthority } from '@comity/testbed'
import { crawlSample } from '../testing/search-fixture.ts'
import { parsePort } from './serve-command.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'
import type { Ended } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('crawled')
before(() => crawlSample(dir))

/** Runs until `use` is done with it, then gets a Ctrl-C. */
async function serving(words: readonly string[], use: (url: string) => Promise<void>): Promise<Ended> {
  const { promise: url, resolve } = Promise.withResolvers<string>()
  let child: ChildProcess | undefined
  const ended = comity(['serve', dir, '--port', '0', ...words], {
    onStart: (started) => {
      child = started
      let said = ''
      started.stdout?.on('data', (text: string) => {
        said += text
        const [found] = /https?:\/\/[^"\s]+/.exec(said) ?? []
        if (found !== undefined && said.endsWith('\n')) resolve(found)
      })
      started.on('close', () => resolve(''))
    },
  })
  const base = await url
  try {
    if (base !== '') await use(base)
  } finally {
    child?.kill('SIGINT')
  }
  return await ended
}

/** fetch would set the header itself. */
const statusAt = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

test('it says where it is, answers there, and Ctrl-C ends it well', async () => {
  const ended = await serving([], async (url) => {
    const page = await fetch(`${url}search?q=otter`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /The otter/)
    const answer = (await (await fetch(`${url}api/v1/search?q=otter+salmon`)).json()) as {
      results: { title: string }[]
    }
    assert.equal(answer.results[0]?.title, 'The otter')
    const refused = await fetch(`${url}api/v1/crawl/pause`, { method: 'POST', body: '{}' })
    assert.equal(refused.status, 401)
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /^http:\/\/127\.0\.0\.1:\d+\/ {2}\S+crawled\nThe token for changes is in \S+serve\.token/)
  const file = join(dir, 'serve.token')
  assert.equal(statSync(file).mode & 0o777, 0o600, 'nobody else may read it')
  assert.ok(readFileSync(file, 'utf8').trim().length >= 20)
})

test('for a program: where it listens is JSON, requests are logged as lines, and a name may be added', async () => {
  const token = folder.at('token')
  writeFileSync(token, `${'t0ken'.repeat(8)}\n`)
  const words = ['--json', '--access-log', '--host-name', 'search.intranet', '--token', token, '--cache', '8MB']
  const ended = await serving(words, async (url) => {
    assert.equal((await fetch(`${url}healthz`)).status, 200)
    assert.equal(await statusAt(`${url}sites`, 'evil.example'), 421)
    assert.equal(await statusAt(`${url}sites`, 'search.intranet'), 200)
  })
  assert.equal(ended.code, 0, ended.stderr)
  const { url, collection } = lastJson(ended)
  assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+\/$/)
  assert.equal(collection, dir)
  const lines = ended.stderr.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(lines.length >= 2)
  for (const line of lines) assert.equal(typeof (JSON.parse(line) as { status: number }).status, 'number')
})

test('several collections are searched as one, and a question may ask one of them', async () => {
  const other = folder.at('other')
  await crawlSample(other)
  const ended = await serving([other], async (url) => {
    const found = async (query: string): Promise<{ matches: number; results: { collection: string }[] }> =>
      (await (await fetch(`${url}api/v1/search?q=${encodeURIComponent(query)}&unfolded=1`)).json()) as never
    const both = await found('otter salmon')
    assert.deepEqual(new Set(both.results.map(({ collection }) => collection)), new Set(['crawled', 'other']))
    const one = await found('otter salmon collection:other')
    assert.deepEqual([one.matches * 2, one.results[0]?.collection], [both.matches, 'other'])
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /crawled, \S+other\. Ctrl-C stops/)
})

test('with a certificate it answers by https alone', async () => {
  const authority = createAuthority(Date.now())
  const { cert, key } = authority.issue('localhost', 'none', Date.now())
  const files = ['cert.pem', 'key.pem', 'other.pem'].map((name) => folder.at(name))
  for (const [i, pem] of [cert, key, authority.issue('localhost', 'none', Date.now()).key].entries())
    writeFileSync(files[i]!, pem)
  const ended = await serving(['--cert', files[0]!, '--key', files[1]!], async (url) => {
    assert.match(url, /^https:/)
    const { port } = new URL(url)
    const status = await new Promise((resolve, reject) => {
      const options = { host: 'localhost', port, path: '/search?q=otter', ca: authority.cert }
      getSecure(options, (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    assert.equal(status, 200)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
  })
  assert.equal(ended.code, 0, ended.stderr)
  const mistaken = await comityHere(['serve', dir, '--cert', files[0]!, '--key', files[2]!])
  assert.match(mistaken.stderr, /--key: the key in \S+ is not that of the certificate in/)
})

test('a port that is taken is said, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await comity(['serve', dir, '--port', String(port)])
  other.close()
  assert.equal(code, 2)
  assert.match(stderr, new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken\\. Choose another: --port 0`))
})

const wrong: [words: string[], code: number, message: RegExp][] = [
  [['serve'], 2, /DIR is missing/],
  [['serve', folder.at('nowhere'), '--port', '0'], 1, /There is no collection at/],
  [['serve', dir, '--port', '65536'], 2, /--port "65536" is no port: they end at 65535/],
  [['serve', dir, '--port', '0', '--host', '192.0.2.1'], 2, /192\.0\.2\.1 is no address of this machine/],
  [['serve', dir, '--port', '0', '--token', folder.at('none')], 2, /none is not there/],
  [['serve', dir, '--cert', folder.at('none')], 2, /--cert needs --key/],
  [['serve', dir, '--cert', folder.at('none'), '--key', folder.at('none')], 2, /--cert: \S+none is not there/],
  [['serve', dir, '--cert-key', 'x'], 2, /Did you mean --key\?/],
  [['serve', dir, folder.at('nowhere'), '--port', '0'], 1, /There is no collection at/],
  [['serve', dir, dir, '--token', 'x'], 2, /of several nothing can be changed/],
]
for (const [words, code, message] of wrong) {
  test(`${message.source} is said`, async () => {
    const ended = await comityHere(words)
    assert.match(ended.stderr, message)
    assert.doesNotMatch(ended.stderr, /should not have happened/)
    assert.equal(ended.code, code)
  })
}

test('a port is a number up to 65535', () => {
  assert.deepEqual(['0', '80', '65535'].map(parsePort), [0, 80, 65_535])
  for (const text of ['-1', '1.5', 'http', '70000', '']) assert.throws(() => parsePort(text))
})
