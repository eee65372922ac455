import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { robotsReader } from './robots.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

test("robots.txt is the owner's part of it, as it is now; one that cannot be read disallows everything", async () => {
  const root = folder.at('html')
  mkdirSync(root)
  const file = join(root, 'robots.txt')
  const robots = await robotsReader(root)
  assert.equal(robots(), '')
  writeFileSync(
    file,
    'User-agent: *\nDisallow: /a\n\n# comity begin\nSitemap: https://a.example/sitemap.xml\n# comity end\n',
  )
  assert.match(robots(), /Disallow: \/a/)
  assert.doesNotMatch(robots(), /Sitemap/)
  writeFileSync(file, 'User-agent: *\nDisallow: /b\n')
  utimesSync(file, 1, 1)
  assert.match(robots(), /Disallow: \/b/)
  rmSync(file)
  mkdirSync(file)
  assert.match(robots(), /Disallow: \/\n/)
})
