import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { payloadDigest } from '@comity/protocol'
import { WARCParser } from 'warcio'
import { amount } from '@comity/protocol/testing'
import { Collection } from './collection.ts'
import { AT, bodyOf, COUNT, linksOf } from './testing/killed-writer.ts'
import { testFolder } from './testing/sample-crawl.ts'

const KILLS = amount(8, 200)
const WRITER = join(import.meta.dirname, 'testing/killed-writer.ts')

/** Let the writer run, kill it, and return what it had said by then. */
async function runAndKill(
  dir: string,
  from: 'start' | 'opening',
  afterMs: number,
): Promise<{ acknowledged: number; opened: string | undefined }> {
  const child = spawn(process.execPath, [WRITER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let [acknowledged, opened]: [number, string | undefined] = [0, undefined]
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => {
    if (line.startsWith('acknowledged ')) acknowledged = Number(line.slice(13))
    else opened = line
  })
  if (from === 'opening') await once(lines, 'line')
  await sleep(afterMs)
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  return { acknowledged, opened }
}

function checkPage(collection: Collection, page: number): void {
  const row = collection.page(page)
  assert.ok(row?.body, `page ${page} is there`)
  assert.equal(row.title, `Page ${page}`)
  assert.equal(collection.url(page), `https://a.example/page/${page}`)
  assert.deepEqual(collection.links(page), linksOf(page))
  const [capture, ...more] = collection.captures(page)
  assert.deepEqual([capture?.key, more], [[page, AT + page], []])
  const body = collection.readBody(row.body)
  assert.equal(Buffer.from(body).toString(), bodyOf(page))
  assert.equal(payloadDigest(body), row.digest)
  assert.deepEqual(capture?.value.body, row.body)
}

test(`after ${KILLS} kills at random moments everything acknowledged is there and reads clean`, async (t) => {
  const dir = testFolder(t)
  let [last, checked] = [0, 0]
  for (let kill = 0; kill < KILLS; kill++) {
    // Every third dies young, while it opens and repairs.
    const [from, mostMs] = kill % 3 === 2 ? (['start', 300] as const) : (['opening', 120] as const)
    const { acknowledged, opened } = await runAndKill(dir, from, Math.random() * mostMs)
    if (opened !== undefined) assert.equal(opened, last === 0 && kill === 0 ? 'open true' : 'open false')
    last = Math.max(last, acknowledged)
    if (last === 0) continue
    const collection = Collection.openReadOnly(dir)
    const count = Number(collection.fact(COUNT))
    assert.ok(count >= last, `${count} pages of ${last} acknowledged`)
    for (; checked < last; checked++) checkPage(collection, checked)
    last = count
    await collection.close()
  }
  assert.ok(last >= KILLS, `${last} pages: too few to mean anything`)
  await using collection = await Collection.open(dir, AT)
  assert.equal(collection.wasClosed, false)
  for (let page = 0; page < last; page++) checkPage(collection, page)
  const [first] = collection.captures(0)
  const twins = Array.from({ length: last }, (_, page) => page).filter((page) => page % 5 === 0)
  for (const page of twins)
    assert.deepEqual(collection.page(page)?.body, first?.value.body, 'identical bodies stand once')
  assert.equal(await countRecords(collection), last * 2)
  t.diagnostic(
    `${last} pages in ${collection.warcPaths.length} WARC files, ${collection.repairedBytes} bytes cut at last`,
  )
})

async function countRecords(collection: Collection): Promise<number> {
  let records = 0
  for (const path of collection.warcPaths) {
    for await (const record of new WARCParser(createReadStream(path))) {
      if (record.warcType !== 'warcinfo') records++
      await record.readFully(false)
    }
  }
  return records
}

/** What stands in the folder when the first opening dies after each of its steps. */
const beginnings: [sentence: string, files: readonly string[]][] = [
  ['the folder was made', []],
  ['the lock was drafted', ['writer-00000000-0000-4000-8000-000000000000.tmp']],
  ['the lock was taken', ['writer-1.lock']],
  ['one folder was made', ['writer-1.lock', 'state/']],
  ['all folders were made', ['writer-1.lock', 'state/', 'warc/', 'index/']],
  ['LMDB had made an empty file', ['writer-1.lock', 'state/data-1.mdb', 'state/data-1.mdb-lock', 'warc/', 'index/']],
  ['the state was known', ['writer-1.lock', 'state/known', 'warc/', 'index/']],
  ['the manifest was drafted', ['writer-1.lock', 'state/', 'warc/', 'index/', 'collection.json.new']],
]
for (const [sentence, files] of beginnings) {
  test(`a collection whose first opening died when ${sentence} opens as new`, async (t) => {
    const dir = testFolder(t)
    mkdirSync(dir)
    for (const file of files) {
      mkdirSync(dirname(join(dir, `${file}x`)), { recursive: true })
      if (!file.endsWith('/')) writeFileSync(join(dir, file), '')
    }
    await using collection = await Collection.open(dir, AT)
    assert.equal(collection.wasClosed, true)
    assert.deepEqual([...collection.pages()], [])
  })
}

test('so does one whose first opening died when all but the manifest was there', async (t) => {
  const dir = testFolder(t)
  await (await Collection.open(dir, AT)).close()
  rmSync(join(dir, 'collection.json'))
  await using collection = await Collection.open(dir, AT)
  assert.deepEqual([...collection.pages()], [])
})
