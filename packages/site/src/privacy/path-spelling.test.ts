/** Judged in every spelling: a page has one decision, however its path is written. Against the real servers. */
import assert from 'node:assert/strict'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import { BATCH_PATH, BATCH_TYPE, canonicalPath } from '@comity/protocol'
import { HOSTILE_SEGMENTS, spellingsOf } from '@comity/protocol/testing'
import fc from 'fast-check'
import { listening } from '../testing/adapter-sample.ts'
import { sampleRoot } from '../testing/docroot-sample.ts'
import { docrootHandler } from '../adapters/docroot-server.ts'
import { AT } from '../testing/journal-sample.ts'
import { fileVerdict, publicVerdict } from './privacy.ts'
import { pathVerdict, publicRules } from './public-rules.ts'
import { SampleSite } from '../testing/site-sample.ts'
import { urlPathOf, toOctets } from '../sources/docroot-path.ts'

/** Names of files, decoded, and whether a server may hand them out. */
const FILES: Readonly<Record<string, boolean>> = {
  '/index.html': true,
  '/docs/a b.html': true,
  '/docs/über.html': true,
  '/100%.txt': true,
  '/wp-config.php': false,
  '/index.html.bak': false,
  '/y.sql': false,
  '/keys/server.pem': false,
  '/data/users.sqlite': false,
  '/cgi-bin/x.cgi': false,
  '/docs/page.html~': false,
  '/docs/#draft#': false,
  '/.git/config': false,
  '/docs/.env': false,
}

const plainOf = (path: string): string => urlPathOf(toOctets(path.slice(1)))

// oxfmt-ignore
const refused: readonly string[] = [
  '/wp-config.ph%70', '/wp-config%2Ephp', '/wp-config.p%68%70', '/%77p-config.PHP', '/index.html.ba%6b', '/index.html%2ebak',
  '/cgi-bi%6e/x.cg%69', '/cgi%2Dbin/x.cgi', '/docs/page.html%7E', '/docs/%23draft%23', '/%2egit/config', '/docs/%2Eenv',
  '/docs/..%2fwp-config.php', '/docs/%2e%2e/wp-config.php', '//wp-config.php', '/./wp-config.php', '/docs%2F.env',
  '/docs%5C..%5Cwp-config.php', '/wp-config.php%00', '/wp-config.php%00.html', '/wp-config.php;.html', '/wp-config.php%20',
]

test(
  'a document root hands out no file by another spelling that it keeps back by its plain one',
  { timeout: 60_000 },
  async (t) => {
    const { dir } = sampleRoot(
      t,
      Object.fromEntries(Object.keys(FILES).map((path) => [path.slice(1), `body of ${path}`])),
    )
    const server = createServer(docrootHandler(dir, () => AT))
    const port = await listening(server)
    t.after(() => server.close())
    for (const path of refused) assert.equal((await askRaw(port, path)).status, 404, path)
    for (const [path, isPublic] of Object.entries(FILES)) {
      const plain = await askRaw(port, plainOf(path))
      assert.equal(plain.status, isPublic ? 200 : 404, path)
      await fc.assert(
        fc.asyncProperty(spellingsOf(path, 'percent'), async (spelling) => {
          const got = await askRaw(port, spelling)
          assert.deepEqual(
            [got.status, got.status === 200 ? got.body : ''],
            [plain.status, isPublic ? `body of ${path}` : ''],
          )
        }),
        { numRuns: 25 },
      )
      await fc.assert(
        fc.asyncProperty(spellingsOf(path, 'structure'), async (spelling) => {
          const got = await askRaw(port, spelling)
          assert.ok(got.status === 404 || (isPublic && got.body === `body of ${path}`), `${spelling}: ${got.status}`)
        }),
        { numRuns: 25 },
      )
    }
  },
)

/** As it is: `fetch` would tidy the path. */
async function askRaw(port: number, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const request = httpRequest({ host: '127.0.0.1', port, path, agent: false })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, body }
}

const OPTIONS = {
  robots: 'User-agent: *\nDisallow: /secret/\nDisallow: /*.json$\nAllow: /secret/open/\n',
  include: ['/docs/*', '/drafts/*', '/account/*', '/secret/*', '/über/*', '/a b/*'],
  reject: ['/drafts/*', '/account/*', '*/internal/*'],
}
// oxfmt-ignore
const PAGES = [
  '/docs/a.html', '/docs/', '/über/page', '/a b/c', '/secret/open/x', '/secret/x', '/docs/a.json', '/drafts/a', '/account/',
  '/docs/internal/x', '/other', '/docs/.git/x',
]

for (const path of PAGES) {
  test(`what is decided of ${path} is decided of every spelling of it`, () => {
    const rules = publicRules(OPTIONS)
    const verdictOf = (target: string): string => {
      const verdict = publicVerdict({ path: target }, { status: 200, headers: [] }, rules, AT)
      return verdict.public ? 'public' : verdict.reason
    }
    const plain = verdictOf(plainOf(path))
    const file = fileVerdict([plainOf(path)], rules).public
    // What robots.txt allows within what it disallows, it allows in plain words only: in doubt the answer is no.
    const tricks = path.startsWith('/secret/open/') ? 'percent' : 'structure'
    fc.assert(
      fc.property(spellingsOf(path, tricks), (spelling) => {
        assert.equal(verdictOf(spelling), plain, spelling)
        assert.equal(fileVerdict([spelling], rules).public, file)
      }),
    )
  })
}

test('whatever is asked, a verdict comes, and no way round leads to what is kept back', () => {
  const rules = publicRules(OPTIONS)
  const verdictOf = (path: string): boolean => publicVerdict({ path }, { status: 200, headers: [] }, rules, AT).public
  const hostile = fc.array(fc.constantFrom(...HOSTILE_SEGMENTS, 'x'), { maxLength: 5 })
  const up = fc.constantFrom('..', '%2e%2e', '.%2E', '..%2f..', '..;a=1', '..%5c..')
  fc.assert(
    fc.property(hostile, up, (steps, step) => {
      verdictOf(`/${steps.join('/')}`)
      // As many steps up as there are steps down, and some more: the root has nothing above it.
      const way = [...steps, ...Array.from({ length: 2 * steps.length + 1 }, () => step)]
      assert.equal(verdictOf(`/${way.join('/')}/account/x`), false)
    }),
    { numRuns: 500 },
  )
})

test('a path is too long when one of its spellings is', { timeout: 10_000 }, () => {
  const written = `/${'<'.repeat(2_000)}`
  const verdicts = [written, canonicalPath(written)!].map((path) => pathVerdict(path, publicRules()))
  for (const verdict of verdicts) assert.ok(!verdict.public && verdict.reason === 'path')
})

test('a journal that learnt a private page by another spelling tells of it no longer', async () => {
  const sample = new SampleSite({ rules: { reject: ['/drafts/*'] } })
  const paths = ['/draft%73/a', '//drafts/a', '/x/%2e%2e/drafts/a', '/drafts%2Fa', '/docs/a']
  await sample.put(Object.fromEntries(paths.map((path) => [path, `<p>${path}`])))
  const { text } = await sample.ask('/sitemap.xml')
  assert.deepEqual(
    [...text.matchAll(/<loc>([^<]*)/g)].map(([, url]) => url),
    ['https://a.example/docs/a'],
  )
  const body = paths.map((path) => `{"url":"https://a.example${path}"}\n`).join('')
  const batch = await sample.ask(BATCH_PATH, { method: 'POST', headers: [['Content-Type', BATCH_TYPE]], body })
  assert.deepEqual(
    [...batch.text.matchAll(/WARC-Target-URI: https:..a.example(\S*d?\/a)/g)].map(([, path]) => path),
    ['/docs/a'],
  )
})

test('a document of the site is its own in every spelling, so that no file stands in for it', () => {
  const { site } = new SampleSite()
  fc.assert(
    fc.property(spellingsOf('/sitemap.xml', 'structure'), (spelling) => assert.ok(site.isOurs(spelling), spelling)),
  )
})
