/** What an export takes and how it reads back, by the real command on a site that was crawled and visited again. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { crawl } from '@comity/crawler'
import { politeDefaults } from '@comity/frontier'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'
import { FIELDS } from './export-rows.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('collection')
let origin: string

const LIMIT = { timeout: 60_000 }
const words = {
  otter: 'The otter swims in the river and eats the salmon that it finds there',
  heron: 'A heron waits for the fish on one of its legs, and it is not in a hurry',
  reiher:
    'Der Reiher wartet auf die Fische, und er hat es dabei nicht eilig, wie man weiß; denn wer nicht wartet, der sieht auch keinen von den Fischen, die unter den Steinen sind',
  trout: 'The trout is a fish of the cold rivers, where it hides under the stones',
  pike: 'The pike hunts for what is smaller than it, and that is nearly everything',
}
const menu = Object.keys(words).map((name) => `<li><a href=/${name}>${name}s</a>`)
const pageOf = (name: string, text: string): string =>
  `<title>${name}</title><ul>${menu.join('')}<li><a href=/old>old</a><li><a href=/lost>lost</a></ul><h1>${name}</h1><p>${text}<h2>Examples</h2><p>${name} once<footer><p>Imprint<p>Contact</footer>`

/** 304 to whoever has it: what a revisit of a good page finds. */
before(async () => {
  const pages = new Map(Object.entries(words).map(([name, text]) => [`/${name}`, pageOf(name, text)]))
  pages.set('/', pageOf('home', 'All that swims in the river or stands in it'))
  const server = createServer((request, response) => {
    const body = pages.get(request.url ?? '')
    if (request.url === '/old') response.writeHead(301, { location: '/otter' }).end()
    else if (body === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('gone')
    else if (request.headers['if-none-match'] !== undefined) response.writeHead(304).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: '"1"' }).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const politeness = { ...politeDefaults, delayMs: 0, pagesPerConnection: 100 }
    const options = {
      seeds: [`${origin}/`],
      allowPrivate: true,
      privateDelayMs: 0,
      threads: 0,
      politeness,
      index: true,
    }
    await crawl({ into: dir, options })
    await crawl({ into: dir, options: { ...options, revisitAfterMs: 0 } })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}, LIMIT)

type Row = Readonly<Record<string, unknown>>

async function exported(...flags: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await comityHere(['export', dir, '--jsonl', '-', ...flags])
  assert.equal(code, 0, stderr)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Row)
}

const namesOf = (rows: readonly Row[]): string[] => rows.map(({ url }) => new URL(String(url)).pathname).toSorted()
const PAGES = ['/', '/heron', '/otter', '/pike', '/reiher', '/trout']

test('a good page that was visited again is known as good, and its last visit as what it was', LIMIT, async () => {
  const rows = await exported()
  assert.deepEqual(namesOf(rows), PAGES)
  for (const { status, outcome, lastStatus, lastOutcome } of rows)
    assert.deepEqual([status, outcome, lastStatus, lastOutcome], [200, 'ok', 304, 'not-modified'])
})

// oxfmt-ignore
const choices: readonly [flags: string[], names: string[]][] = [
  [['--all'], [...PAGES, '/lost', '/old'].toSorted()],
  [['--status', '200'], PAGES],
  [['--status', '404,3xx'], ['/lost', '/old']],
  [['--status', '5xx'], []],
  [['--lang', 'de'], ['/reiher']],
  [['--where', '-lang:de type:html'], PAGES.filter((name) => name !== '/reiher')],
  [['--type', 'pdf'], []],
  [['--since', '1d'], PAGES],
  [['--since', '2099-01-01'], []],
  [['--changed-since', '2099-01-01'], []],
  [['--site', 'other.example'], []],
  [['--site', '127.0.0.1/otter'], ['/otter']],
]
for (const [flags, names] of choices) {
  test(`${flags.join(' ')} takes ${names.join(' ') || 'nothing'}`, LIMIT, async () =>
    assert.deepEqual(namesOf(await exported(...flags)), names),
  )
}

test('what is no page goes into a file of its own, and is counted where it goes nowhere', LIMIT, async () => {
  const { stderr } = await comityHere(['export', dir, '--jsonl', folder.at('p.jsonl')])
  assert.match(
    stderr,
    /2 visited addresses left out as no page \(redirects, errors\): --errors FILE writes them, --all adds them/,
  )
  const errors = folder.at('errors.jsonl')
  assert.equal((await comityHere(['export', dir, '--errors', errors])).code, 0)
  const rows = readFileSync(errors, 'utf8').trim().split('\n')
  assert.deepEqual(namesOf(rows.map((line) => JSON.parse(line) as Row)), ['/lost', '/old'])
})

const otter = (rows: readonly Row[]): unknown => rows.find(({ title }) => title === 'otter')?.['text']

test('the text is what a page says, not what its site repeats, and all of it for who wants that', LIMIT, async () => {
  const shown = `otter\n${words.otter}\nExamples\notter once`
  assert.equal(otter(await exported('--text')), shown)
  const whole = String(otter(await exported('--whole-text')))
  assert.ok(whole.startsWith('otters\nherons') && whole.endsWith('Imprint\nContact'), whole)
})

/** Numbers and instants as JSON has them; what is not known is left out. */
const plain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (value === null || value === undefined) return []
      if (value instanceof Date) return [[name, value.toISOString()]]
      return [[name, typeof value === 'bigint' ? Number(value) : value]]
    }),
  )

test('a Parquet table has the same rows, with numbers and instants', LIMIT, async () => {
  const path = folder.at('pages.parquet')
  const ended = await comityHere(['export', dir, '--parquet', path, '--all', '--text', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) })
  const lines = await exported('--all', '--text')
  assert.deepEqual(rows.map(plain), lines.map(plain))
  assert.deepEqual(Object.keys(rows[0]!), [...Object.keys(FIELDS), 'text'])
  assert.ok(rows[0]!['at'] instanceof Date && typeof rows[0]!['status'] === 'bigint')
  const [file] = lastJson(ended)['files'] as readonly { rows: number }[]
  assert.equal(file?.rows, lines.length)
  assert.equal(existsSync(`${path}.part`), false)
})

// oxfmt-ignore
const refused: readonly [flags: string[], why: RegExp][] = [
  [[], /Say what to write and where/],
  [['--jsonl', '-', '--where', 'otter'], /Only filters can stand here: site: type: lang: since:/],
  [['--jsonl', '-', '--lang', 'german'], /needs the code of a language/],
  [['--jsonl', '-', '--status', 'ok'], /statuses as in 200/],
  [['--jsonl', '-', '--changed-since', 'yesterday'], /a date or how long ago/],
  [['--graph', '-', '--lang', 'de'], /a graph and a WACZ are of the whole collection/],
  [['--parquet', '-'], /name a file/],
  [['--csv', '-', '--text'], /--text goes with/],
]
for (const [flags, why] of refused) {
  test(`export ${flags.join(' ')} is refused with what would work`, LIMIT, async () => {
    const { code, stderr } = await comityHere(['export', dir, ...flags])
    assert.equal(code, 2)
    assert.match(stderr, why)
  })
}
