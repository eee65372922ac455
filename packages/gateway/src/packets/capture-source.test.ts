import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { missing, sharedData } from '@comity/protocol/testing'
import { readCaptureFile, readLiveCapture, readCaptureStream } from './capture-source.ts'
import type { CaptureTaker } from './capture-source.ts'
import { Dialogue, get, ok } from '../testing/dialogue-sample.ts'
import { pcapFile } from '../testing/packet-sample.ts'
import { Rebuilder } from '../rebuilder.ts'

const capture = pcapFile(new Dialogue().open().exchange(get('/'), ok('a page')).close().packets)

/** All bytes, and how often it began anew. */
class Taken implements CaptureTaker {
  bytes: Buffer = Buffer.alloc(0)
  restarts = 0
  write(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, bytes])
  }
  restart(): void {
    this.restarts++
    this.bytes = Buffer.alloc(0)
  }
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'comity-source-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const files: [sentence: string, bytes: Uint8Array][] = [
  ['a file is read as it is', capture],
  ['8: a file of gzip is unpacked, whatever its name', gzipSync(capture)],
  [
    '8: a file of gzip in several members is unpacked to its end',
    Buffer.concat([gzipSync(capture.subarray(0, 99)), gzipSync(capture.subarray(99))]),
  ],
  ['8: a file of zstd is unpacked', zstdCompressSync(capture)],
]
for (const [sentence, bytes] of files) {
  test(sentence, async (t) => {
    const path = join(folder(t), 'capture')
    writeFileSync(path, bytes)
    const taken = new Taken()
    assert.deepEqual(await readCaptureFile(path, taken), {})
    assert.deepEqual(taken.bytes, capture)
  })
}

test('8: a compressed file that is cut gives what there is, and says so', async (t) => {
  const path = join(folder(t), 'capture.gz')
  writeFileSync(path, gzipSync(capture).subarray(0, -20))
  const taken = new Taken()
  const { problem } = await readCaptureFile(path, taken)
  assert.match(problem ?? '', /could not be read to its end: unexpected end of file/)
})

test('a file that is not there is named', async () => {
  const { problem } = await readCaptureFile('/nowhere/at.pcap', new Taken())
  assert.match(problem ?? '', /^\/nowhere\/at\.pcap cannot be opened: ENOENT/)
})

test('7: a pipe of unknown length is read to its end, packed or not, in whatever pieces', async () => {
  for (const bytes of [capture, gzipSync(capture)]) {
    const taken = new Taken()
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7))
    assert.deepEqual(await readCaptureStream(Readable.from(pieces), taken), {})
    assert.deepEqual(taken.bytes, capture)
  }
  const taken = new Taken()
  assert.deepEqual(await readCaptureStream(Readable.from([]), taken), {})
  assert.equal(taken.bytes.length, 0)
})

test('6: a file that is still growing is followed, and read anew when it is begun anew', async (t) => {
  const path = join(folder(t), 'growing.pcap')
  writeFileSync(path, capture.subarray(0, 100))
  const stop = new AbortController()
  const taken = new Taken()
  const seen: number[] = []
  /** What the writer does while the reader waits. */
  const steps = [
    () => appendFileSync(path, capture.subarray(100, 200)),
    () => appendFileSync(path, capture.subarray(200)),
    () => truncateSync(path, 0),
    () => writeFileSync(path, capture),
    () => stop.abort(),
  ]
  const wait = async (): Promise<void> => {
    seen.push(taken.bytes.length)
    steps.shift()?.()
  }
  assert.deepEqual(await readCaptureFile(path, taken, { follow: true, signal: stop.signal, wait }), {})
  assert.deepEqual(seen, [100, 200, capture.length, 0, capture.length])
  assert.equal(taken.restarts, 1)
  assert.deepEqual(taken.bytes, capture)
})

test('6, 8: a compressed file that is still growing cannot be followed, which is said', async (t) => {
  const path = join(folder(t), 'growing.gz')
  writeFileSync(path, gzipSync(capture))
  const { problem } = await readCaptureFile(path, new Taken(), { follow: true })
  assert.match(problem ?? '', /only be followed uncompressed/)
})

test('8: a capture of others that is packed is rebuilt like any other', async (t) => {
  const path = sharedData('captures/zeek+zeek/testing__btest__Traces__http__1000-requests-one-dropped-response.pcap.gz')
  if (path === undefined) return missing(t, 'captures of others')
  let whole = 0
  const rebuilder = new Rebuilder({ observed: ({ verdict }) => void (whole += verdict === 'whole' ? 1 : 0) })
  assert.deepEqual(await readCaptureFile(path, rebuilder), {})
  rebuilder.end()
  assert.ok(whole >= 900, `${whole}`)
})

test('without tcpdump it is said how to get it', async () => {
  const { problem } = await readLiveCapture(new Taken(), { iface: 'lo', command: 'tcpdump-that-is-not-here' })
  assert.match(problem ?? '', /is not installed: install it \(Debian: apt-get install tcpdump\), or pipe a capture/)
})

const hasTcpdump = spawnSync('tcpdump', ['--version']).error === undefined
const isRoot = process.getuid?.() === 0

test('an interface that is not there, and one that may not be listened on, is told with what to do', async (t) => {
  if (!hasTcpdump) return missing(t, 'tcpdump', 'install the Debian package tcpdump')
  if (!isRoot) return missing(t, 'the right to listen', 'run as root')
  const none = await readLiveCapture(new Taken(), { iface: 'comity-none' })
  assert.match(none.problem ?? '', /there is no interface comity-none: "tcpdump -D" lists those there are/)
  const refused = await readLiveCapture(new Taken(), { iface: 'lo', uid: 65_534 })
  assert.match(
    refused.problem ?? '',
    /may not listen on lo: run as root, or once: setcap cap_net_raw,cap_net_admin\+ep/,
  )
})

test('what is read on an interface is rebuilt while it goes by', async (t) => {
  if (!hasTcpdump) return missing(t, 'tcpdump', 'install the Debian package tcpdump')
  if (!isRoot) return missing(t, 'the right to listen', 'run as root')
  const server = createServer((_, response) => response.end('read by somebody'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const stop = new AbortController()
  const bodies: string[] = []
  const rebuilder = new Rebuilder({ observed: ({ body }) => void bodies.push(Buffer.from(body).toString()) })
  let isListening = false
  const taker: CaptureTaker = {
    write(bytes) {
      rebuilder.write(bytes)
      // The header of the capture: from now on all is seen.
      if (!isListening) void fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
      isListening = true
      if (rebuilder.counters.messages.messages > 0) stop.abort()
    },
    restart: () => rebuilder.restart(),
  }
  const end = await readLiveCapture(taker, { iface: 'lo', filter: `tcp port ${port}`, signal: stop.signal })
  server.close()
  rebuilder.end()
  assert.equal(end.problem, undefined)
  assert.equal(end.dropped, 0)
  assert.deepEqual(bodies, ['read by somebody'])
})
