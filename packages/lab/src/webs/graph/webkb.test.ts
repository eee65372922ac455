import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { missing, sharedData } from '@comity/protocol/testing'
import { tarOf } from '../../testing/graph-tar-sample.ts'
import { webOfWebkb } from './webkb.ts'
import type { WebGraph } from './web-graph.ts'

const home = `Date: Fri, 13 Dec 1996 14:49:37 GMT
Content-type: text/html

<TITLE>Computer Science</TITLE><BODY>Welcome, <A HREF="~ann/index.html">Ann</A>
<A HREF="http://www.cs.example:80/admission#top">Admission</A> <A HREF="/%7Eann">again</A> <a href="elsewhere">x</a>`

function folder(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-webkb-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), bytes)
  return dir
}

const tables = {
  'nodes.tsv': `id\turl\tclass\tuniversity\tbytes
0\thttp://www.cs.example/\tdepartment\tmisc\t100
1\thttp://www.cs.example/~ann/\tstudent\tmisc\t200
2\thttp://www.cs.example/admission/\tother\tmisc\t300
`,
  'edges.tsv': '0\t2\n0\t1\n1\t0\n',
}

test('pages have their words, and links the names the pages give them', async (t) => {
  const archive = tarOf([
    ['./department/misc/http:^^www.cs.example^', home],
    [
      './student/misc/http:^^www.cs.example^~ann^',
      'WWW Alert:  Redirection\nLocation: x\n\n<A HREF="..">up</A> <TITLE>Ann</TITLE>',
    ],
    ['./student/misc/http:^^unknown.example^', 'not in the table'],
  ])
  const { words, ...web } = await webOfWebkb(folder(t, { ...tables, 'webkb-pages.tar.gz': gzipSync(archive) }))
  assert.deepEqual([...web.bytes!], [100, 200, 300])
  assert.deepEqual(
    [0, 1, 2].map((page) => words!.titleOf(page)),
    ['Computer Science', 'Ann', ''],
  )
  assert.match(words!.bodyOf(0), /^Welcome, Ann/)
  assert.equal(words!.bodyOf(1), 'up')
  assert.deepEqual([...web.targets], [2, 1, 0])
  assert.deepEqual(
    [0, 1, 2].map((link) => words!.anchorOf(link)),
    ['Admission', 'Ann again', 'up'],
  )
})

test('without the archive of pages the error says what is missing', async (t) => {
  await assert.rejects(webOfWebkb(folder(t, tables)), { code: 'WEB_UNREADABLE', message: /pages\.tar/ })
})

const times = (text: string, word: string): number =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((other) => other === word).length

/** 003 §6.3: the word in the title, or ten times in the body. */
const hotPages = ({ pages, words }: WebGraph, word: string): number =>
  Array.from({ length: pages }, (_, page) => page).filter(
    (page) => times(words!.titleOf(page), word) > 0 || times(words!.bodyOf(page), word) >= 10,
  ).length

test('the real WebKB has 8,274 pages with words, and names for nearly all links', async (t) => {
  const dir = sharedData('graphs/webkb')
  if (dir === undefined) return missing(t, 'graphs/webkb')
  const web = await webOfWebkb(dir)
  assert.deepEqual([web.pages, web.targets.length], [8_274, 15_758])
  const named = web.targets.filter((_, link) => web.words!.anchorOf(link) !== '').length
  assert.ok(named > 0.93 * web.targets.length, `${named} links have names`)
  assert.ok(hotPages(web, 'computer') > 500)
})
