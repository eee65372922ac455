/**
 * The address that was looked at is the one that is connected to: between the two no name is looked up again, whatever the
 * resolver would say next, the host that was meant is still named, and no other address hears of us.
 *
 * 127.0.59.1 stands for an address that may be visited, 127.0.59.2 for one that may not.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { after, before, test } from 'node:test'
import { proxyCaveat } from '@comity/crawler'
import type { CrawlOptions, CrawlSummary, World } from '@comity/crawler'
import { createAuthority } from '@comity/testbed'
import { httpPost } from '@comity/site'
import { comityHere, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallProxy } from '../crawl/small-proxy.ts'
import { createSmallSite, page, serveSite } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const LIMIT = { timeout: 60_000 }
const [OPEN, CLOSED, NAME] = ['127.0.59.1', '127.0.59.2', 'name.test']
const allowPrivate = [OPEN]
const routes = { '/': page('Home', '/a'), '/a': page('A') }
const servers = new AsyncDisposableStack()
let open: SmallSite
let closed: SmallSite
/** Of the allowed server. */
let port: string

before(async () => {
  open = servers.use(await createSmallSite(routes, OPEN))
  port = new URL(open.origin).port
  // The same port, so that whoever is led there is heard.
  closed = servers.use(await createSmallSite(routes, CLOSED, Number(port)))
  await (await fetch(closed.origin)).text()
  assert.equal(closed.connections, 1)
})
after(() => servers.disposeAsync())

interface Names {
  readonly asked: readonly string[]
  /** As a site's calls take it, and as a crawl does. */
  readonly lookup: (host: string) => Promise<readonly string[]>
  readonly world: World
}

/** Answers of a resolver, one after the other; the last is given from then on. */
function resolver(...answers: readonly (readonly string[])[]): Names {
  const asked: string[] = []
  const lookup = async (host: string): Promise<readonly string[]> => {
    asked.push(host)
    return answers[Math.min(asked.length, answers.length) - 1]!
  }
  const timed: World['lookup'] = async (host) => ({ addresses: await lookup(host), ttlMs: 0 })
  return { asked, lookup, world: { now: Date.now, random: Math.random, lookup: timed } }
}

const crawled = (names: Names, url: string, options: Partial<CrawlOptions> = {}): Promise<CrawlSummary> =>
  quickCrawl(newDirectory(), [url], { allowPrivate, ...options }, undefined, { world: names.world })

/** A connection for each page: each asks the resolver as it may. */
const oneByOne: CrawlOptions['politeness'] = {
  delayMs: 0,
  pagesPerConnection: 1,
  slowdown: 1,
  backoffMs: 20,
  maxBackoffMs: 50,
  maxRetryAfterMs: 10_000,
}

const heard = (): number => closed.connections
const outcomesOf = ({ givenUp }: CrawlSummary): readonly string[] => givenUp.map(({ outcome }) => outcome)

// oxfmt-ignore
const cases: [sentence: string, answers: string[][], isVisited: boolean][] = [
  ['a name that is allowed, and private when it is asked for again', [[OPEN], [CLOSED]],                 true],
  ['a private address first, an allowed one second, in one answer',  [[CLOSED, OPEN]],                   true],
  ['an allowed one first, a private one second, in one answer',      [[OPEN, CLOSED]],                   true],
  ['a name that stands for a private one (CNAME)',                   [[CLOSED], [OPEN]],                 false],
  ['a private address, mapped into IPv6',                            [[`::ffff:${CLOSED}`]],             false],
  ['an allowed address, mapped into IPv6, is another',               [[`::ffff:${OPEN}`]],               false],
  ['a private address with a zone',                                  [['fe80::1%lo', CLOSED]],           false],
  ['what is no address, before an allowed one',                      [['2130706433', '0x7f.1', 'localhost', OPEN]], true],
  ['many private addresses, and an allowed one behind those that count', [[...Array.from({ length: 40 }, () => CLOSED), OPEN]], false],
]
for (const [sentence, given, isVisited] of cases) {
  test(`a crawl, ${sentence}: ${isVisited ? 'the allowed one is visited' : 'nobody is'}`, LIMIT, async () => {
    const earlier = heard()
    const summary = await crawled(resolver(...given), `http://${NAME}:${port}/`, { politeness: oneByOne })
    assert.equal(summary.pages, isVisited ? 2 : 0)
    if (!isVisited) assert.deepEqual(outcomesOf(summary), ['address-refused'])
    assert.equal(heard(), earlier)
  })

  test(`a call of a site, ${sentence}: ${isVisited ? 'the allowed one is called' : 'nobody is'}`, LIMIT, async () => {
    const earlier = heard()
    const names = resolver(...given)
    const post = httpPost({ allowPrivate, lookup: names.lookup })
    const called = post({ url: `http://${NAME}:${port}/a`, method: 'GET', headers: [], body: new Uint8Array(0) })
    // It looks at all of the forty.
    if (isVisited || given[0]!.length > 32) assert.equal((await called).status, 200)
    else await assert.rejects(called, { fault: 'address-refused' })
    assert.deepEqual(names.asked, [NAME])
    assert.equal(heard(), earlier)
  })
}

test('over TLS the certificate and the Host are those of the name, whatever its address', LIMIT, async () => {
  const authority = createAuthority(Date.now())
  const names: string[] = []
  const certificate = authority.issue(NAME, 'none', Date.now())
  await using secure = await serveSite(
    routes,
    (listener) =>
      createServer(certificate, listener).on('secureConnection', (socket: TLSSocket & { servername?: string }) => {
        names.push(socket.servername ?? '')
      }),
    `https://${OPEN}`,
  )
  const { port: at } = new URL(secure.origin)
  const summary = await crawled(resolver([OPEN], [CLOSED]), `https://${NAME}:${at}/`, { ca: authority.cert })
  assert.equal(summary.pages, 2)
  assert.deepEqual([...new Set(names)], [NAME])
  assert.ok(secure.asked.every(({ headers }) => (headers.host ?? headers[':authority']) === `${NAME}:${at}`))
})

test('through a proxy, what we find at a private address is not asked for, by name or by number', LIMIT, async () => {
  await using proxy = await createSmallProxy()
  const numbers = [CLOSED, '2130721538', '0x7f.0.073.2', `[::ffff:${CLOSED}]`, '[::1]']
  for (const host of numbers) {
    for (const scheme of ['http', 'https']) {
      const summary = await crawled(resolver([OPEN]), `${scheme}://${host}:${port}/`, { proxy: proxy.url })
      assert.deepEqual(outcomesOf(summary), ['address-refused'], `${scheme} ${host}`)
    }
  }
  const named = await crawled(resolver([CLOSED]), `http://${NAME}:${port}/`, { proxy: proxy.url })
  assert.deepEqual(outcomesOf(named), ['address-refused'])
  assert.deepEqual(proxy.asked, [])
  const allowed = await crawled(resolver([OPEN]), `${open.origin}/`, { proxy: proxy.url })
  assert.equal(allowed.pages, 2)
})

test('a crawl through a proxy begins by saying what cannot be promised of it', LIMIT, async () => {
  await using proxy = await createSmallProxy()
  using folder = temporaryFolder()
  const words = ['crawl', `${open.origin}/`, '--delay', '0s', '--proxy', proxy.url]
  const some = await comityHere([...words, '--into', folder.at('some'), `--allow-private=${OPEN}`])
  assert.match(some.stderr, /^note: the proxy looks names up by itself/)
  assert.equal(some.code, 0)
  const all = await comityHere([...words, '--into', folder.at('all'), '--allow-private'])
  assert.doesNotMatch(all.stderr, /note:/)
})

test('it is said for the proxy of one site too, and not where there is none', () => {
  assert.equal(proxyCaveat({}), undefined)
  assert.equal(proxyCaveat({ sites: [{ host: 'a' }] }), undefined)
  assert.match(proxyCaveat({ sites: [{ host: 'a', proxy: 'http://b:1' }] }) ?? '', /looks names up/)
  assert.match(proxyCaveat({ proxy: 'http://b:1', allowPrivate: ['::1'] }) ?? '', /looks names up/)
})
