/** A start page of which nothing comes: told at once, with what helps, and the crawl ends soon. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { comityHere, temporaryFolder } from '../testing/spawned-comity.ts'
import { unreachedText } from './unreached.ts'

const folder = temporaryFolder()
const [key, cert] = [folder.at('key.pem'), folder.at('cert.pem')]
const LIMIT = { timeout: 60_000 }
let server: ReturnType<typeof createServer>

before(async () => {
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-keyout', key, '-out', cert, '-days', '1', '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', '-x509', ...ec, ...about], { stdio: 'ignore' })
  server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_, response) => void response.end('hello'),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.close()
  folder[Symbol.dispose]()
})

const contact = ['--user-agent', 'test/1.0 (+https://a.example/bot)']
// oxfmt-ignore
const starts: readonly [name: string, url: () => string, flags: string[], told: RegExp][] = [
  ['where nobody listens', () => 'http://127.0.0.1:1/', ['--allow-private'], /^http:\/\/127\.0\.0\.1:1: nobody listens there\. .* \(connect ECONNREFUSED/m],
  ['of no host', () => 'http://nobody.invalid/', contact, /^http:\/\/nobody\.invalid: there is no host of this name\. Check its spelling/m],
  ['with a certificate of its own', () => `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, ['--allow-private'], /its certificate is not trusted\. .*--ca FILE.*"insecureTls".*\(self-signed certificate\)/],
  ['that is private', () => 'http://127.0.0.1:1/', contact, /its address is private\. Where it is yours, --allow-private/],
]
for (const [name, url, flags, told] of starts) {
  test(
    `a start page ${name} is told with what helps, and the crawl ends within ten seconds with code 1`,
    LIMIT,
    async () => {
      const { code, stderr, stdout } = await comityHere(['crawl', url(), '--into', folder.at(name), ...flags, '--json'])
      assert.equal(code, 1)
      assert.match(stderr, told)
      assert.ok((JSON.parse(stdout) as { seconds: number }).seconds < 10, stdout)
    },
  )
}

test('an outcome without advice is told as it is', () =>
  assert.equal(unreachedText('http://a.example', 'busy', 'status 503'), 'http://a.example: busy (status 503)'))
