import assert from 'node:assert/strict'
import {
  appendFileSync,
  createReadStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipRecord, readRecordAt, readWarc, responseHead, responseRecord, warcTarget } from '@comity/protocol'
import { WARCParser } from 'warcio'
import { testFolder } from '../testing/sample-crawl.ts'
import { WarcStore, nextRevision, readMember, warcPath } from './warc-store.ts'
import type { WarcState } from './warc-store.ts'

const AT = Date.UTC(2026, 10, 14, 9, 30)
const EMPTY: WarcState = { names: [], goodBytes: 0 }

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(join(dir, 'warc'), { recursive: true })
  return dir
}
const open = (dir: string, state: WarcState, maxFileBytes: number = 1 << 30): WarcStore =>
  new WarcStore(dir, state, { software: 'comity/test', maxFileBytes })
const record = (number: number, bodyBytes = 100): Uint8Array =>
  gzipRecord(
    responseRecord({
      url: `https://a.example/${number}`,
      at: AT,
      httpHead: responseHead({ status: 200, headers: [] }),
      // Bytes that do not compress, so that sizes can be reckoned with.
      body: Buffer.from(Array.from({ length: bodyBytes }, (_, i) => (i * i * 7 + number * 31 + (i >> 3)) & 0xff)),
    }),
  )
const targetsIn = (path: string): (string | undefined)[] =>
  Array.from(readWarc(readFileSync(path)), (item) => (item.kind === 'record' ? warcTarget(item.record) : item.message))

test('what was flushed is on disk at the position that append gave', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY)
  const members = [1, 2, 3].map((number) => record(number))
  const positions = members.map((member) => store.append(member, AT))
  assert.ok(store.pendingBytes > 0)
  await store.flush()
  assert.equal(store.pendingBytes, 0)
  const path = warcPath(join(dir, 'warc'), store.state.names, 0)
  assert.deepEqual(store.state, { names: ['comity-20261114093000-00000.warc.gz'], goodBytes: statSync(path).size })
  for (const [i, position] of positions.entries())
    assert.deepEqual(readMember(path, position), Buffer.from(members[i]!))
  await store.close()
})

test('a tail that nobody acknowledged is cut, and writing goes on behind the good part', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY)
  store.append(record(1), AT)
  await store.flush()
  await store.close()
  const [path] = readdirSync(join(dir, 'warc')).map((name) => join(dir, 'warc', name))
  appendFileSync(path!, record(2).subarray(0, 77))
  const again = open(dir, store.state)
  assert.equal(again.repair(), 77)
  assert.equal(again.repair(), 0)
  again.append(record(3), AT)
  await again.flush()
  await again.close()
  assert.deepEqual(targetsIn(path!), [undefined, 'https://a.example/1', 'https://a.example/3'])
})

test('a file shorter than the state says is damage', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY)
  const position = store.append(record(1), AT)
  await store.flush()
  await store.close()
  const path = warcPath(join(dir, 'warc'), store.state.names, 0)
  truncateSync(path, position.offset + 5)
  assert.throws(() => open(dir, store.state).repair(), { code: 'COLLECTION_DAMAGED', message: /bytes of the/ })
  assert.throws(() => readMember(path, position), { code: 'COLLECTION_DAMAGED', message: /ends inside the record/ })
  const missing = { names: ['comity-20200101000000-00000.warc.gz'], goodBytes: 5 }
  assert.throws(() => open(dir, missing).repair(), { code: 'COLLECTION_DAMAGED', message: /is missing/ })
})

test('repair removes what we left behind ourselves and nothing else', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY)
  store.append(record(1), AT)
  await store.flush()
  await store.close()
  const ours = [
    'comity-20261114093500-00001.warc.gz', // begun after the last commit
    'comity-20261114093000-00000-r1.warc.gz', // half rewritten by forget
  ]
  const theirs = [
    'comity-20250101000000-00000.warc.gz', // of another collection: another date under our number
    'notes.txt',
    'archive.warc.gz',
    'comity-2026.warc.gz',
    'comity-20261114093000-00000.warc.gz.bak',
  ]
  for (const name of [...ours, ...theirs]) writeFileSync(join(dir, 'warc', name), 'x')
  open(dir, store.state).repair()
  assert.deepEqual(readdirSync(join(dir, 'warc')).toSorted(), [...theirs, ...store.state.names].toSorted())
})

test('files are left behind at the size limit, each read clean by warcio, and a visit stays in one file', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY, 5_000)
  const positions = []
  for (let i = 0; i < 30; i++) {
    const response = store.append(record(i, 400), AT + i * 1_000)
    const request = store.append(record(i + 100, 400), AT + i * 1_000)
    assert.equal(response.file, request.file)
    positions.push(response, request)
    if (i % 2 === 1) await store.flush()
  }
  await store.close()
  const { names } = store.state
  assert.ok(names.length > 3, `${names.length} files`)
  let records = 0
  for (const [file, name] of names.entries()) {
    const path = warcPath(join(dir, 'warc'), names, file)
    assert.ok(statSync(path).size < 5_000 + 4 * 700, `${name} has ${statSync(path).size} bytes`)
    for await (const item of new WARCParser(createReadStream(path))) {
      if (item.warcType === 'warcinfo') assert.equal(item.warcHeaders.headers.get('WARC-Filename'), name)
      else records++
      await item.readFully(false)
    }
  }
  assert.equal(records, 60)
  for (const position of positions) {
    const item = readRecordAt(readMember(warcPath(join(dir, 'warc'), names, position.file), position))
    assert.equal(item.kind, 'record')
  }
})

test('a file that is begun while another is being written gets its own bytes', async (t) => {
  const dir = folder(t)
  const store = open(dir, EMPTY, 1_000)
  const first = store.append(record(1, 1_200), AT)
  const flushing = store.flush()
  const second = store.append(record(2, 1_200), AT + 60_000)
  await flushing
  await store.flush()
  await store.close()
  assert.deepEqual([first.file, second.file], [0, 1])
  const { names } = store.state
  const paths = names.map((_, file) => warcPath(join(dir, 'warc'), names, file))
  assert.deepEqual(paths.map(targetsIn), [
    [undefined, 'https://a.example/1'],
    [undefined, 'https://a.example/2'],
  ])
})

test('a rewritten file never gets a name that was used before', () => {
  assert.equal(nextRevision('comity-20261114093000-00002.warc.gz'), 'comity-20261114093000-00002-r1.warc.gz')
  assert.equal(nextRevision('comity-20261114093000-00002-r9.warc.gz'), 'comity-20261114093000-00002-r10.warc.gz')
})
