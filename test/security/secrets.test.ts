/**
 * Secrets of a config file reach the origin that they are for and nobody else, by whatever way a site leads elsewhere, and
 * are written nowhere. Every server here writes down all that it is asked; the secrets are random, so that what is found
 * somewhere came from there.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { createAuthority } from '@comity/testbed'
import { API_CATALOG_PATH, API_CATALOG_TYPE, writeApiCatalog } from '@comity/protocol'
import { comity, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { comesTrue } from '../crawl/quick-crawl.ts'
import { page, serveSite } from '../sites/small-site.ts'
import type { Route, SmallSite } from '../sites/small-site.ts'
import { createSmallProxy } from '../crawl/small-proxy.ts'

const LIMIT = { timeout: 300_000 }

/** What one origin is told, and every form in which it could be found. */
interface Secrets {
  readonly settings: { readonly headers: Record<string, string>; readonly cookie: string; readonly basicAuth: string }
  readonly forms: readonly string[]
}

function makeSecrets(): Secrets {
  const [key, odd, cookie, password] = [token(), token(), token(), token()]
  const basicAuth = `crawler:${password}`
  return {
    // A name that nobody has on a list, and one that looks harmless.
    settings: { headers: { 'X-Api-Key': key, 'Accept-Language': odd }, cookie: `session=${cookie}`, basicAuth },
    forms: [key, odd, cookie, password, Buffer.from(basicAuth).toString('base64')],
  }
}

const token = (): string => randomBytes(12).toString('hex')

const HOST = '127.0.57.1'
const ELSEWHERE = '127.0.57.2'
const secretsOf = { told: makeSecrets(), plain: makeSecrets() }
const proxyPassword = token()
const allForms = [...Object.values(secretsOf).flatMap(({ forms }) => forms), proxyPassword]
/** All that each server was sent, as text. */
const heard = {
  told: [] as string[],
  plain: [] as string[],
  port: [] as string[],
  secure: [] as string[],
  host: [] as string[],
}

const folder = temporaryFolder()
const servers = new AsyncDisposableStack()
let told: CooperatingSite
let plain: SmallSite
let config: string
let ca: string
const ended: Ended[] = []

type Listener = Parameters<Parameters<typeof serveSite>[1]>[0]

/** A server's listener, with an ear before it. */
const heardBy =
  (into: string[], listener: Listener): Listener =>
  (request, response) => {
    into.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`)
    request.on('data', (bytes: Buffer) => into.push(bytes.toString('latin1')))
    listener(request, response)
  }

async function serve(name: keyof typeof heard, base: string, routes: Record<string, Route>): Promise<SmallSite> {
  const certificate = base.startsWith('https') ? authority.issue(new URL(base).hostname, 'none', Date.now()) : undefined
  return servers.use(
    await serveSite(
      routes,
      (listener) => {
        const ear = heardBy(heard[name], listener)
        return certificate === undefined ? createHttpServer(ear) : createTlsServer(certificate, ear)
      },
      base,
    ),
  )
}

const authority = createAuthority(Date.now())
const moved = (location: string): Route => ({ status: 302, headers: { location } })
const sitemap = (...urls: readonly string[]): Route => ({
  headers: { 'content-type': 'application/xml' },
  body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})

before(async () => {
  ca = folder.at('ca.pem')
  writeFileSync(ca, authority.cert)
  // Another port of the same host, without and with TLS, and another host: all of them say that they are no concern of ours.
  const strangers = { '/': page('A stranger', '/more'), '/more': page('More'), '/hub': { status: 202 } }
  const port = await serve('port', `http://${HOST}`, { ...strangers, '/sitemap.xml': sitemap('/') })
  const secure = await serve('secure', `https://${HOST}`, strangers)
  const host = await serve('host', `http://${ELSEWHERE}`, {
    ...strangers,
    '/sitemap.xml': sitemap('/'),
    '/robots.txt': '',
  })
  const away = [port.origin, secure.origin, host.origin]
  const routes: Record<string, Route> = {
    '/robots.txt': [...away.map((one) => `Sitemap: ${one}/sitemap.xml`), 'Sitemap: /own.xml'].join('\n'),
    '/own.xml': moved(`${port.origin}/sitemap.xml`),
    '/': {
      headers: { link: `<${host.origin}/hub>; rel="hub", </>; rel="self"` },
      body:
        page('Start', '/moved/0', '/moved/1', '/moved/2', ...away.map((one) => `${one}/`)) +
        `<link rel="canonical" href="${port.origin}/canonical">`,
    },
  }
  // What changes here is told by a hub at another host.
  routes[API_CATALOG_PATH] = ({ headers }) => {
    const own = `http://${headers.host!}`
    const body = writeApiCatalog(`${own}/`, { hub: `${host.origin}/hub`, 'push-differences': `${own}/differences` })
    return { headers: { 'content-type': API_CATALOG_TYPE }, body }
  }
  for (const [i, one] of away.entries()) routes[`/moved/${i}`] = moved(`${one}/from-redirect`)
  plain = await serve('plain', `http://${HOST}`, routes)
  told = servers.use(
    await createCooperatingSite(
      { '/': page('Told', '/a', '/b', ...away.map((one) => `${one}/`)), '/a': page('A'), '/b': page('B') },
      {
        address: HOST,
        calls: true,
        robots: away.map((one) => `Sitemap: ${one}/sitemap.xml\n`).join(''),
        before: (request) => {
          heard.told.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`)
          return false
        },
      },
    ),
  )
  config = folder.at('comity.json')
  const sites = [
    { origin: told.origin, ...secretsOf.told.settings },
    { origin: plain.origin, ...secretsOf.plain.settings },
  ]
  writeFileSync(config, JSON.stringify({ sites, userAgent: 'comity-test/1.0 (+https://example.org/bot)' }))
})

after(async () => {
  await servers.disposeAsync()
  folder[Symbol.dispose]()
})

async function run(...words: readonly string[]): Promise<Ended> {
  const one = await comity([...words, '--config', config, '--allow-private', '--ca', ca])
  ended.push(one)
  return one
}

const crawl = (into: string, ...more: string[]): Promise<Ended> =>
  run(
    'crawl',
    `${told.origin}/`,
    `${plain.origin}/`,
    '--into',
    into,
    '--scope',
    'any',
    '--delay',
    '0s',
    '--json',
    ...more,
  )

/** Those servers that were sent what is not theirs. */
function leaks(): string[] {
  return Object.entries(heard).flatMap(([server, texts]) => {
    const own: readonly string[] = Object.hasOwn(secretsOf, server)
      ? secretsOf[server as keyof typeof secretsOf].forms
      : []
    const others = allForms.filter((form) => !own.includes(form))
    return texts.filter((text) => others.some((form) => text.includes(form))).map((text) => `${server}: ${text}`)
  })
}

/** Files below a folder that hold a secret, as they are or unpacked. */
function foundIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return []
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const texts = [bytes, ...(bytes[0] === 0x1f && bytes[1] === 0x8b ? [gunzipSync(bytes)] : [])]
    return allForms.some((form) => texts.some((text) => text.includes(form))) ? [path] : []
  })
}

test('a crawl sends each origin its own secrets, and no other server any', LIMIT, async () => {
  const crawled = await crawl(folder.at('crawled'))
  assert.equal(crawled.code, 0, crawled.stderr)
  for (const name of ['told', 'plain'] as const) {
    // A password is sent as base64 alone.
    for (const form of secretsOf[name].forms.filter((one) => one !== passwordOf(name))) {
      assert.ok(
        heard[name].some((text) => text.includes(form)),
        `${name} was told`,
      )
    }
  }
  // They were all asked for something, or the test would show nothing.
  for (const [server, texts] of Object.entries(heard)) assert.ok(texts.length > 0, server)
  assert.deepEqual(leaks(), [])
})

const passwordOf = (name: keyof typeof secretsOf): string => secretsOf[name].settings.basicAuth.slice('crawler:'.length)

const isAsked = (): boolean => told.asked.some(({ path }) => path.startsWith('/.well-known/comity/')) && isHubAsked()
/** With a request to be sent what changes at a site that has secrets. */
const isHubAsked = (): boolean =>
  heard.host.some((text) => text.startsWith('POST /hub')) &&
  heard.host.some((text) => text.includes('hub.mode=subscribe'))

test('a watch that asks, subscribes and is called sends them nowhere else either', LIMIT, async () => {
  const words = ['watch', folder.at('crawled'), '--listen', `${HOST}:0`, '--budget', '50/s', '--delay', '0s', '--json']
  const watched = await comity([...words, '--config', config, '--allow-private', '--ca', ca], {
    onStart: (child) =>
      void comesTrue(isAsked, 240_000)
        .then(() => told.set('/a', page('A, changed')))
        .then(() => sleep(2_000))
        .then(() => child.kill('SIGINT')),
  })
  ended.push(watched)
  assert.ok(isAsked(), watched.stderr)
  assert.deepEqual(leaks(), [])
})

test('an estimate sends them nowhere else either', LIMIT, async () => {
  const estimated = await run('crawl', `${told.origin}/`, `${plain.origin}/`, '--estimate', '--json')
  assert.ok(estimated.stdout.includes(told.origin), estimated.stderr)
  assert.deepEqual(leaks(), [])
})

test(
  'through a proxy they go to their origin alone, and the proxy\u2019s password to the proxy alone',
  LIMIT,
  async () => {
    const auth = `Basic ${Buffer.from(`out:${proxyPassword}`).toString('base64')}`
    await using proxy = await createSmallProxy(auth)
    const url = proxy.url.replace('http://', `http://out:${proxyPassword}@`)
    const crawled = await crawl(folder.at('proxied'), '--proxy', url)
    assert.equal(crawled.code, 0, crawled.stderr)
    assert.ok(proxy.asked.length > 3)
    assert.deepEqual(leaks(), [])
  },
)

test('a crawl that breaks says nothing of them', LIMIT, async () => {
  const hook = folder.at('hook.ts')
  writeFileSync(hook, `export const onCapture = () => { throw new Error('broken') }`)
  const broken = await crawl(folder.at('broken'), '--hook', hook)
  assert.match(broken.stderr, /broken/)
  const held = await run('crawl', 'http://user:@', '--into', folder.at('wrong'))
  assert.equal(held.code, 2)
})

test('a user and a password in a start page\u2019s address are refused, and not shown', LIMIT, async () => {
  const url = new URL(`${plain.origin}/`)
  url.username = 'crawler'
  url.password = passwordOf('plain')
  const refused = [
    await run('crawl', url.href, '--into', folder.at('userinfo')),
    await run('crawl', `ftp${url.href.slice(4)}`, '--into', folder.at('userinfo')),
    await run('crawl', url.href, '--estimate'),
    await comity(['check', url.href, '--allow-private']),
  ]
  ended.push(...refused)
  for (const { code, stderr } of refused) {
    assert.equal(code, 2)
    assert.match(stderr, /a user name or a password in its address/)
  }
})

test('no file of any collection holds one, and nothing that was printed', LIMIT, async () => {
  for (const words of [['inspect'], ['inspect', `${plain.origin}/`], ['export', '--what', 'pages']]) {
    const [command = '', ...rest] = words
    ended.push(await comity([command, folder.at('crawled'), ...rest]))
  }
  for (const name of ['crawled', 'proxied', 'broken']) assert.deepEqual(foundIn(folder.at(name)), [])
  for (const { stdout, stderr } of ended) {
    for (const form of allForms) assert.equal(`${stdout}${stderr}`.includes(form), false, `${stdout}${stderr}`)
  }
})

test('the archive says that they were there', LIMIT, () => {
  const dir = join(folder.at('crawled'), 'warc')
  const archive = readdirSync(dir)
    .map((name) => gunzipSync(readFileSync(join(dir, name))).toString('latin1'))
    .join('')
  for (const name of ['x-api-key', 'accept-language', 'cookie', 'authorization']) {
    assert.match(archive, new RegExp(`^${name}: \\(left out\\)\\r$`, 'im'))
  }
})
