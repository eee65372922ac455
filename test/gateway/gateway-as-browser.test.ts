/** What readers saw, as `comity gateway --export DIR --as-browser` writes it: with its doubts, and apart from all that is indexed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Dialogue, get, ok } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import { comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const LENIENT = 'HTTP/1.1 200 OK\r\nContent-Type: =cmd\tx\r\nContent-Length : 4\r\n\r\nfour and more'
const PAGE = ok('<title>A page</title><p>words')
const talk = new Dialogue()
  .open()
  .exchange(get('/sure'), PAGE)
  .exchange(get('/x/%2e%2e%2fname?q=1'), LENIENT)
  .exchange(get('/moved'), 'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 4\r\n\r\nmove')
  .exchange(get('/short'), 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nsome')
  .close()
const capture = folder.at('odd.pcap')
writeFileSync(capture, pcapFile(talk.packets))

interface Report extends Readonly<Record<string, unknown>> {
  readonly exported?: unknown
  readonly seconds: number
}

test('what Chromium shows is written with its doubts, and nothing else of the run is any different', async () => {
  const out = folder.at('out')
  const asBrowser = ['gateway', '--pcap', capture, '--export', out, '--as-browser', '--json']
  const { exported, seconds: _, ...rest } = lastJson(await comityHere(asBrowser)) as unknown as Report
  assert.deepEqual(exported, {
    files: 3,
    bytes: 29 + 4 + 4,
    asBrowser: {
      outcomes: { shown: 2, broken: 1, refused: 0, redirected: 1, hole: 0, 'too-large': 0, 'no-room': 0 },
      doubtful: 2,
      doubts: { 'odd-field': 1, 'odd-framing': 1, 'extra-bytes': 1, 'cut-short': 1 },
    },
  })
  const lines = readFileSync(join(out, 'index.tsv'), 'utf8').trimEnd().split('\n')
  const [titles, ...rows] = lines.map((line) => line.split('\t'))
  assert.deepEqual(titles, ['file', 'status', 'type', 'bytes', 'url', 'outcome', 'error', 'doubts'])
  assert.deepEqual(
    rows.map((cells) => cells.toSpliced(4, 1)),
    [
      ['000001-sure', '200', 'text/html', '29', 'shown', '', ''],
      ['000002-_2e_2e_2fname', '200', "'=cmd x", '4', 'shown', '', 'odd-field odd-framing extra-bytes'],
      ['', '302', '', '0', 'redirected', '', ''],
      ['000003-short', '200', '', '4', 'broken', 'ERR_CONTENT_LENGTH_MISMATCH', 'cut-short'],
    ],
  )
  assert.equal(readFileSync(join(out, '000002-_2e_2e_2fname'), 'utf8'), 'four')
  assert.equal(readdirSync(out).length, 4)
  // What may be indexed, what not and why: as without it.
  const strictly = ['gateway', '--pcap', capture, '--export', folder.at('strict'), '--json']
  const { exported: strict, seconds: __, ...same } = lastJson(await comityHere(strictly)) as unknown as Report
  assert.deepEqual(rest, same)
  assert.deepEqual(strict, { files: 1, bytes: 29 })
})

test('the report says what is in doubt, in words', async () => {
  const { stdout } = await comityHere(['gateway', '--pcap', capture, '--export', folder.at('words'), '--as-browser'])
  assert.match(stdout, /3 bodies written as Chromium shows them, 37 bytes, 2 of them in doubt/)
  assert.match(stdout, /answers: 2 shown, 1 broken, 1 redirected/)
  assert.match(stdout, / 1 {2}cut-short +it ended before its end/)
})
