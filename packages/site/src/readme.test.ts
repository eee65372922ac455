import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testFolder } from './testing/journal-sample.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const ask = async (port: number, path: string): Promise<string> =>
  await new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers: { host: 'example.org' } }, (response) => {
      text(response).then((body) => resolve(`${response.statusCode} ${response.headers.etag} ${body}`), reject)
    }).on('error', reject)
  })

test('the quick start of the README works as it stands: its page is listed once it was seen', async (t) => {
  const port = await freePort()
  const [, code = ''] = /```ts\n([\s\S]+?)```/.exec(readme) ?? []
  const pasted = code
    .replace("'journal'", JSON.stringify(testFolder(t)))
    .replace('listen(8080)', `listen(${port}, () => console.log('up'))`)
  assert.notEqual(pasted, code)
  const args = ['--input-type=module-typescript', '--eval', pasted]
  const child = spawn(process.execPath, args, {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  await once(child.stdout, 'data')
  assert.match(await ask(port, '/'), /^200 "[0-9a-f]{32}" <h1>Hello<\/h1>$/)
  // It is told once it is durable, which takes a moment.
  let sitemap = ''
  for (let tries = 0; tries < 500 && !sitemap.includes('<loc>'); tries++) sitemap = await ask(port, '/sitemap.xml')
  assert.match(sitemap, /<loc>https:\/\/example\.org\/<\/loc>/)
  assert.match(await ask(port, '/.well-known/comity/changes'), /"url":"https:\/\/example\.org\/"/)
})
