import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { missing } from '@comity/protocol/testing'
import { unpackedChunks } from './source.ts'

const text = Buffer.from('1 2\n'.repeat(1_000_000))

function fileOf(t: TestContext, bytes: Uint8Array): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-graph-source-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'file'), bytes)
  return join(dir, 'file')
}

async function unpacked(path: string, maxBytes = 1e9): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(unpackedChunks(path, maxBytes)))
}

/** Undefined where there is no `xz`. */
function xz(bytes: Uint8Array): Buffer | undefined {
  try {
    return execFileSync('xz', ['--stdout', '-1'], { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

const packers: [name: string, pack: (bytes: Buffer) => Buffer | undefined][] = [
  ['nothing', (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes)],
  ['zstd', (bytes) => zstdCompressSync(bytes)],
  ['xz', xz],
]
for (const [name, pack] of packers) {
  test(`packed by ${name}, told by the content: the same bytes`, async (t) => {
    const packed = pack(text)
    if (packed === undefined) return missing(t, 'the program xz', 'install xz-utils')
    assert.ok((await unpacked(fileOf(t, packed))).equals(text))
  })

  test(`packed by ${name}: a reader may stop early, and a flood is stopped`, async (t) => {
    const packed = pack(text)
    if (packed === undefined) return missing(t, 'the program xz', 'install xz-utils')
    const path = fileOf(t, packed)
    for await (const chunk of unpackedChunks(path, 1e9)) {
      assert.equal(chunk[0], 0x31)
      break
    }
    await assert.rejects(unpacked(path, 1_000), { code: 'WEB_UNREADABLE', message: /more than 1000 bytes/ })
  })

  if (name !== 'nothing') {
    test(`packed by ${name}, and cut short: a named error`, async (t) => {
      const packed = pack(text)
      if (packed === undefined) return missing(t, 'the program xz', 'install xz-utils')
      const path = fileOf(t, packed.subarray(0, packed.length - 20))
      await assert.rejects(unpacked(path), { code: 'WEB_UNREADABLE' })
    })
  }
}

test('without the program xz the error says how to get it', async (t) => {
  const path = fileOf(t, Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0, 0]))
  const before = process.env['PATH']
  process.env['PATH'] = '/nowhere'
  t.after(() => (process.env['PATH'] = before))
  await assert.rejects(unpacked(path), { code: 'UNPACKER_MISSING', message: /apt install xz-utils/ })
})
