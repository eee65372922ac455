/** The handbook, as its readers and crawlers have it: made, published, crawled, searched, and looked at, all by the commands themselves. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readAnchors } from '@comity/protocol'
import { documentOf } from '../../packaging/handbook/document.ts'
import { handbookFiles, hrefBetween } from '../../packaging/handbook/handbook-tree.ts'
import { makeHandbook } from '../../packaging/handbook/make.ts'
import { comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { files, root } from '../repository-tree.ts'
import { running } from '../running-command.ts'
import type { Running } from '../running-command.ts'
import { openBrowser } from '../pages/browser.ts'
import { checkAccess, isWide } from '../pages/page-checks.ts'

const document = (markdown: string) => documentOf(markdown, (target) => `to:${target}`)

describe('a document', () => {
  test('shows markup that stands in it, and follows none', () => {
    const { html } = document(
      '# A <b>b</b>\n\n<script>x</script>\n\nso <i onclick="x">it</i> `<u>` is\n\n```html\n<script>y\n```',
    )
    assert.doesNotMatch(html, /<(?:b|i|u|script)\b/)
  })

  test('has the anchors that GitHub gives it, each once', () => {
    const { headings, html } = document('# The `x` of _y_\n\n## Same\n\n## Same\n\n## A/B, c-d!')
    assert.deepEqual(
      headings.map(({ id }) => id),
      ['the-x-of-y', 'same', 'same-1', 'ab-c-d'],
    )
    assert.deepEqual([...readAnchors(html).names], ['the-x-of-y', 'same', 'same-1', 'ab-c-d'])
  })

  test('leads where it is told to', () => {
    assert.match(document('[a](b.md#c)').html, /<a href="to:b\.md#c">a<\/a>/)
    assert.match(document('[a](<"x y>)').html, /href="to:&#34;x( |%20)y"|href="to:%22x%20y"/)
  })
})

test('addresses between pages are short and those of folders', () => {
  const cases: [from: string, to: string, href: string][] = [
    ['index.html', 'docs/crawl.html', 'docs/crawl.html'],
    ['docs/crawl.html', 'docs/watch.html', 'watch.html'],
    ['docs/crawl.html', 'index.html', '../'],
    ['index.html', 'index.html', './'],
    ['packages/index/index.html', 'packages/site/index.html', '../site/'],
    ['packages/index/index.html', 'packages/index/index.html', './'],
  ]
  for (const [from, to, href] of cases) assert.equal(hrefBetween(from, to), href, `${from} to ${to}`)
})

test('every Markdown file of the repository is a page', () => {
  const known = new Set(handbookFiles(root).map(({ source }) => source))
  const pages = files.filter(
    (path) => path.endsWith('.md') && !/^(?:bench\/.*\/|test\/|packages\/[^/]+\/.*\/)/.test(path),
  )
  assert.deepEqual(
    pages.filter((path) => !known.has(path)),
    [],
  )
})

const MANNERS = ['--allow-private', '--user-agent', 'comity-test/1.0']
const LISTENS = /http:\/\/127\.0\.0\.1:(?<port>\d+)\//

describe('the handbook', { timeout: 240_000 }, () => {
  const folder = temporaryFolder()
  const [into, dir] = [folder.at('pages'), folder.at('collection')]
  let [pages, published, served]: [string[], Running | undefined, Running | undefined] = [[], undefined, undefined]
  const home = (): string => `http://127.0.0.1:${published?.port}/`

  before(async () => {
    // Each names the other, so both ports are chosen before either is taken.
    const [port, asked] = await Promise.all([freePort(), freePort()])
    pages = makeHandbook({ into, search: new URL(`http://127.0.0.1:${asked}/`) })
    // What a careless hand would leave: the crawl is to find these, and nothing else.
    appendFileSync(join(into, 'docs/hooks.html'), '<a href="gone.html">gone</a><a href="search.html#gone">no place</a>')
    const base = `http://127.0.0.1:${port}/`
    published = await running(['publish', into, '--base', base, '--serve', `127.0.0.1:${port}`], LISTENS)
    const crawled = await comityHere(['crawl', base, '--into', dir, '--delay', '0', ...MANNERS])
    assert.equal(crawled.code, 0, crawled.stderr)
    served = await running(['serve', dir, '--port', String(asked)], LISTENS)
  })
  after(async () => {
    await Promise.all([published?.stop(), served?.stop()])
    folder[Symbol.dispose]()
  })

  test('is crawled whole, and its broken links are found, also those to places in pages', async () => {
    const found = lastJson(await comityHere(['inspect', dir, '--broken', '--json']))
    const told = found['broken'] as { from: string; to: string; problem: string }[]
    assert.deepEqual(
      told.map(({ from, to, problem }) => [from, to, problem].join(' ')),
      [
        `${home()}docs/hooks.html ${home()}docs/gone.html answers 404`,
        `${home()}docs/hooks.html ${home()}docs/search.html#gone has no place called #gone`,
      ],
    )
    assert.equal(found['pages'], pages.length)
  })

  test('is a site that has nothing wrong for crawlers', async () => {
    const { code, stdout } = await comityHere(['check', home(), ...MANNERS])
    assert.equal(code, 0, stdout)
  })

  test('answers questions by our own index, without JavaScript', async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${home()}docs/crawl.html`)
    await page.fill('input[name=q]', 'Crawl-delay Retry-After')
    await page.click('header button')
    assert.equal(new URL(page.url()).port, String(served?.port))
    await page.click(`.result a[href^="${home()}"]`)
    assert.ok(page.url().startsWith(home()), page.url())
  })

  test('is open to everybody, light and dark, on wide and narrow screens', async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [380, 'dark'],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      for (const path of ['', 'docs/serve.html', 'docs/commands.html', 'examples/crawl-a-site.html']) {
        await page.goto(home() + path)
        assert.equal(await page.evaluate(isWide), false, `${path} at ${width}`)
        problems.push(...(await checkAccess(page)))
      }
      assert.deepEqual(problems, [])
    }
  })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => void probe.close(() => resolve()))
  return port
}
