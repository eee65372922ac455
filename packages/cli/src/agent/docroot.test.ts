import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import { bodyDigest } from '@comity/agent'
import { docrootPages } from './docroot.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'
import { processTerminal } from '../terminal/terminal.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const files: Readonly<Record<string, string>> = {
  'index.html': '<p>Home',
  'docs/a.html': '<p>A',
  'docs/noindex.html': '<meta name=robots content=noindex><p>Not for lists',
  'private/b.html': '<p>B',
  'c.html~': '<p>Backup',
  '.hidden/d.html': '<p>D',
  'robots.txt': 'User-agent: *\nDisallow: /private/\n',
}
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(folder.at(name)), { recursive: true })
  writeFileSync(folder.at(name), text)
}
const said: string[] = []
const terminal = { ...processTerminal(), say: (text: string) => void said.push(text) }
const { signal } = new AbortController()

test('agents see what is public of a document root, and nothing else', async () => {
  const { pages, count } = await docrootPages(folder.at(''), 'https://a.example/', terminal, signal)
  const listed = [...pages.list()]
  assert.deepEqual(listed.map(({ url }) => url).toSorted(), [
    'https://a.example/',
    'https://a.example/docs/a.html',
    'https://a.example/robots.txt',
  ])
  assert.equal(count, 3)
  for (const page of listed) {
    const body = await pages.read(page)
    assert.deepEqual([bodyDigest(body!), body!.length], [page.digest, page.bytes])
  }
  assert.match(said.at(-1)!, /3 pages may be seen/)
})

test('of a site below a folder, what stands there', async () => {
  const { pages } = await docrootPages(folder.at(''), 'https://a.example/docs/', terminal, signal)
  assert.deepEqual(
    Array.from(pages.list(), ({ url }) => url),
    ['https://a.example/docs/a.html'],
  )
})
