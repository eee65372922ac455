import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { SpoolFile } from '@comity/collection'
import { checkHubSignature, hubSignature } from '@comity/protocol'
import { ByteRoom } from '../admit/byte-room.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { HubStream, ReceivedBody } from './received-body.ts'
import type { BodyRoom } from './received-body.ts'
import type { ReceiverRequest } from '../request.ts'

interface Room extends BodyRoom {
  readonly folder: string
}

function roomOf(t: TestContext, memory = 3_000_000, disk = 3_000_000): Room {
  const folder = mkdtempSync(join(tmpdir(), 'comity-body-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  const spool = (): Promise<SpoolFile> => SpoolFile.create(folder, String(files++))
  return { memory: new ByteRoom(memory), disk: new ByteRoom(disk), spool, folder }
}

const none = (): undefined => undefined

/** As far as bodies are concerned. */
function requestOf(chunks: readonly Uint8Array[], contentLength?: number): ReceiverRequest {
  return {
    method: 'POST',
    path: '/push',
    query: '',
    url: 'https://crawler.example/push',
    headers: [],
    header: none,
    type: '',
    contentLength,
    client: '',
    interim: none,
    holder: () => ({ name: 'https://a.example', isProven: true }),
    prove: none,
    isHalfRead: () => false,
    body: async function* body() {
      yield* chunks
    },
  }
}

const isKind = (kind: string) => (error: unknown) => error instanceof PushRefusal && error.kind === kind
const K = (count: number): Buffer => Buffer.alloc(count * 1_000, 'x')

test('a small body stays in memory, and gives its room back', async (t) => {
  const room = roomOf(t)
  {
    await using body = await ReceivedBody.read(requestOf([K(1), K(2)]), room, { maxBytes: 10_000, inMemory: false })
    assert.deepEqual([body.length, body.bytes.length, body.spool, room.memory.used], [3_000, 3_000, undefined, 3_000])
    assert.deepEqual(Buffer.from(body.digest()), createHash('sha256').update(K(3)).digest())
  }
  assert.equal(room.memory.used, 0)
})

test('a large body goes to the disk as it comes, and away when nobody takes it', async (t) => {
  const room = roomOf(t)
  {
    await using body = await ReceivedBody.read(requestOf([K(200), K(200), K(200)]), room, {
      maxBytes: 1e6,
      inMemory: false,
    })
    assert.deepEqual([room.memory.used, room.disk.used], [0, 600_000])
    assert.equal(readFileSync(body.spool?.path ?? '').length, 600_000)
    assert.ok(room.memory.peak <= 256 << 10)
  }
  assert.deepEqual([room.disk.used, readdirSync(room.folder)], [0, []])
})

test('a file that somebody took stays', async (t) => {
  const room = roomOf(t)
  const body = await ReceivedBody.read(requestOf([K(300)]), room, { maxBytes: 1e6, inMemory: false })
  const { path } = await body.spool!.finish()
  body.giveAway()
  await body[Symbol.asyncDispose]()
  assert.deepEqual([existsSync(path), room.disk.used], [true, 0])
})

const refusals: [
  sentence: string,
  chunks: Uint8Array[],
  length: number | undefined,
  inMemory: boolean,
  kind: string,
][] = [
  ['one that says it is too long', [], 20_000_000, false, 'too-large'],
  ['one that is longer than it may be', [K(300), K(800)], undefined, false, 'too-large'],
  ['one that says less than it is', [K(300), K(800)], 5, false, 'too-large'],
  ['one that takes its share of memory', [K(150), K(150)], undefined, true, 'too-much-at-once'],
  ['one that takes its share of the disk', [K(150), K(300), K(300)], undefined, false, 'too-much-at-once'],
  ['one for which there is no room in memory', [K(700)], undefined, true, 'busy'],
]
for (const [sentence, chunks, length, inMemory, kind] of refusals) {
  test(`refused, and nothing is left behind: ${sentence}`, async (t) => {
    // One who is alone gets a third.
    const room = roomOf(t, 600_000, 1_500_000)
    await assert.rejects(ReceivedBody.read(requestOf(chunks, length), room, { maxBytes: 1e6, inMemory }), isKind(kind))
    assert.deepEqual([room.memory.used, room.disk.used, readdirSync(room.folder)], [0, 0, []])
  })
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield K(400)
  throw new Error('aborted')
}

test('a body that breaks off leaves nothing behind', async (t) => {
  const room = roomOf(t)
  const request: ReceiverRequest = {
    ...requestOf([]),
    body: breaking,
  }
  await assert.rejects(ReceivedBody.read(request, room, { maxBytes: 1e6, inMemory: false }), /aborted/)
  assert.deepEqual([room.memory.used, room.disk.used, readdirSync(room.folder)], [0, 0, []])
})

const verdict = (secret: string, header: string | undefined, chunks: readonly Uint8Array[]): string => {
  const stream = new HubStream({ secret, header })
  for (const chunk of chunks) stream.update(chunk)
  return stream.verdict()
}

test('a hub’s signature over chunks is judged as over the whole', () => {
  const algorithms = fc.constantFrom('sha256' as const, 'sha384' as const, 'sha512' as const)
  const headers = fc.oneof(fc.string(), fc.stringMatching(/^sha(1|256|384|512)=[0-9a-f]{0,140}$/))
  fc.assert(
    fc.property(fc.string(), fc.array(fc.uint8Array()), algorithms, headers, (secret, chunks, algorithm, other) => {
      const body = Buffer.concat(chunks)
      assert.equal(verdict(secret, hubSignature(secret, body, algorithm), chunks), 'good')
      assert.equal(verdict(`${secret}x`, hubSignature(secret, body, algorithm), chunks), 'forged')
      const whole = checkHubSignature(secret, other, body)
      const expected = whole === 'weak' || (whole === 'malformed' && other.trim() === '') ? undefined : whole
      if (expected !== undefined) assert.equal(verdict(secret, other, chunks), expected, other)
      else assert.notEqual(verdict(secret, other, chunks), 'good')
    }),
  )
})
