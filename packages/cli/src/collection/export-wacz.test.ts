import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { WARCParser } from 'warcio'
import { WACZ_PATHS, parseCdxjLine, surtOf } from '@comity/protocol'
import type { CdxjEntry } from '@comity/protocol'
import { missing } from '@comity/protocol/testing'
import { comityHere } from '../testing/spawned-comity.ts'
import { createWaczFixture, filesOf, linesIn, pagesOf } from '../testing/wacz-fixture.ts'

const fixture = await createWaczFixture(11)
const { folder, crawled, wacz, urls } = fixture
after(() => fixture[Symbol.asyncDispose]())

const sumOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

test('every file of a WACZ is listed in its package with its size and sum, and the package in its digest', async () => {
  const files = await filesOf(wacz)
  const json = files.get(WACZ_PATHS.package) ?? Buffer.alloc(0)
  const { resources }: { resources: { path: string; hash: string; bytes: number }[] } = JSON.parse(json.toString())
  const listed = new Map(resources.map(({ path, hash, bytes }) => [path, [hash, bytes]]))
  for (const [path, bytes] of files) {
    if (path === WACZ_PATHS.package || path === WACZ_PATHS.digest) continue
    assert.deepEqual(listed.get(path), [sumOf(bytes), bytes.length], path)
  }
  assert.equal(listed.size, files.size - 2)
  assert.equal(JSON.parse(files.get(WACZ_PATHS.digest)?.toString() ?? '').hash, sumOf(json))
})

function entriesIn(files: ReadonlyMap<string, Buffer>): CdxjEntry[] {
  const lines = linesIn(gunzipSync(files.get(WACZ_PATHS.index) ?? Buffer.alloc(0)))
  assert.deepEqual(lines, lines.toSorted())
  return lines.map((line) => {
    const entry = parseCdxjLine(line)
    assert.ok(entry !== undefined, line)
    assert.ok(line.startsWith(`${surtOf(entry.url)} `))
    return entry
  })
}

test('warcio finds the record of every capture where the index says it is', async () => {
  const files = await filesOf(wacz)
  const entries = entriesIn(files)
  const pages = await pagesOf(crawled, folder)
  assert.equal(entries.length, pages.length)
  for (const { url, at, mime, status, digest, filename, offset, length } of entries) {
    const warc = files.get(`${WACZ_PATHS.archive}${filename}`) ?? Buffer.alloc(0)
    const record = await WARCParser.parse([Uint8Array.from(warc.subarray(offset, offset + length))])
    assert.ok(record)
    assert.equal(record.warcTargetURI, url)
    assert.equal(Math.floor(Date.parse(record.warcDate ?? '') / 1_000) * 1_000, at)
    assert.equal(record.warcPayloadDigest, digest)
    assert.equal(record.httpHeaders?.statusCode, status)
    assert.equal(record.warcType, mime === 'warc/revisit' ? 'revisit' : 'response')
  }
})

test('each block of the index is where the second index says, by its sum', async () => {
  const files = await filesOf(wacz)
  const packed = files.get(WACZ_PATHS.index) ?? Buffer.alloc(0)
  const [header = '', ...blocks] = linesIn(files.get(WACZ_PATHS.blocks))
  assert.match(header, /^!meta 0 \{"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"\}$/)
  let end = 0
  for (const line of blocks) {
    const [, first = '', json = ''] = /^(\S+ \d{14}) (\{.*\})$/.exec(line) ?? []
    const block: { offset: number; length: number; digest: string } = JSON.parse(json)
    assert.equal(block.offset, end)
    end += block.length
    const bytes = packed.subarray(block.offset, end)
    assert.equal(sumOf(bytes), block.digest)
    assert.ok(gunzipSync(bytes).toString().startsWith(first))
  }
  assert.equal(end, packed.length)
})

test('pages are listed with their titles, and with their words when asked for', async () => {
  const texted = folder.at('texted.wacz')
  assert.equal((await comityHere(['export', crawled, '--wacz', texted, '--text'])).code, 0)
  for (const [path, hasText] of [
    [wacz, false],
    [texted, true],
  ] as const) {
    const [header = '', ...lines] = linesIn((await filesOf(path)).get(WACZ_PATHS.pages))
    assert.deepEqual(JSON.parse(header), { format: 'json-pages-1.0', id: 'pages', title: 'All pages', hasText })
    const listed = lines.map((line): { url: string; text?: string } => JSON.parse(line))
    assert.deepEqual(new Set(listed.map(({ url }) => url)), urls)
    assert.ok(listed.every(({ text }) => (text !== undefined) === hasText))
  }
})

const testers: [command: string, args: readonly string[]][] = [
  ['unzip', ['-tq']],
  ['python3', ['-m', 'zipfile', '-t']],
]
for (const [command, args] of testers) {
  test(`${command} finds nothing wrong with the file`, (t) => {
    try {
      const said = execFileSync(command, [...args, wacz], { encoding: 'utf8', stdio: 'pipe' })
      assert.match(said, /No errors detected|Done testing/)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') missing(t, command, 'install it')
      else throw error
    }
  })
}

test('what a running crawl has written and not committed is not exported', async () => {
  const dir = folder.at('running')
  cpSync(crawled, dir, { recursive: true })
  const [newest = ''] = readdirSync(join(dir, 'warc')).toSorted().slice(-1)
  appendFileSync(join(dir, 'warc', newest), 'half a record')
  const path = folder.at('running.wacz')
  assert.equal((await comityHere(['export', dir, '--wacz', path])).code, 0)
  const [sound, now] = [await filesOf(wacz), await filesOf(path)]
  assert.deepEqual(now.get(`${WACZ_PATHS.archive}${newest}`), sound.get(`${WACZ_PATHS.archive}${newest}`))
})

test('an export that cannot be finished leaves nothing behind', async () => {
  const dir = folder.at('broken')
  cpSync(crawled, dir, { recursive: true })
  for (const name of readdirSync(join(dir, 'warc'))) rmSync(join(dir, 'warc', name))
  const { code, stderr } = await comityHere(['export', dir, '--wacz', folder.at('broken.wacz')])
  assert.equal(code, 1)
  assert.match(stderr, /ENOENT/)
  assert.deepEqual(
    readdirSync(folder.at('.')).filter((name) => name.startsWith('broken.wacz')),
    [],
  )
})

const wrong: [args: readonly string[], says: RegExp][] = [
  [['--wacz', '-'], /standard output/],
  [['--text'], /Say what to write/],
  [['--csv', '-', '--text'], /--text goes with --jsonl, --parquet or --wacz/],
]
for (const [args, says] of wrong) {
  test(`comity export DIR ${args.join(' ')} is told what would work`, async () => {
    const { code, stderr } = await comityHere(['export', crawled, ...args])
    assert.equal(code, 2)
    assert.match(stderr, says)
  })
}
