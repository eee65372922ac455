/** Pages that need scripts: a whole crawl, and all that tells of them, until its pages need none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'

const SHELL =
  '<!doctype html><title>Shop</title><noscript>You need to enable JavaScript to run this app.</noscript>' +
  '<div id="root"></div><script src="/app.js"></script>'

test('pages that need scripts are counted by the summary, inspect and the story, until they need none', async () => {
  let isDrawn = false
  await using site = await createSmallSite({
    '/': page('Shops', '/shop', '/plain'),
    '/shop': () => (isDrawn ? page('Shop', '/') : SHELL),
    '/plain': page('Plain', '/'),
  })
  const dir = newDirectory()
  const shop = `${site.origin}/shop`
  const first = await quickCrawl(dir, [`${site.origin}/`])
  assert.deepEqual(first.needsScripts, { pages: 1, examples: [shop] })

  const told = await comityHere(['inspect', dir])
  assert.match(
    told.stdout,
    /Pages that need scripts\n {2}1 page shows next to nothing without scripts, .*\n +such as http/,
  )
  assert.deepEqual(lastJson(await comityHere(['inspect', dir, '--json']))['needsScripts'], first.needsScripts)
  const story = await comityHere(['inspect', dir, shop])
  assert.match(story.stdout, /without scripts +shows next to nothing/)

  isDrawn = true
  const second = await quickCrawl(dir, [], { revisitAfterMs: 0 })
  assert.deepEqual(second.needsScripts, { pages: 0, examples: [] })
})
