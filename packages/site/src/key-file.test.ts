import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { publishedKeys } from '@comity/protocol'
import { KeyFile } from './key-file.ts'

const AT = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const newPath = (): string => join(mkdtempSync(join(tmpdir(), 'comity-keys-')), 'keys.json')
const seeded = (now = (): number => AT): { now: () => number; random: () => Uint8Array } => {
  let number = 0
  return { now, random: () => new Uint8Array(32).fill(++number) }
}

/** The owner of the machine may read whatever it is told not to. */

test('a file of keys is made at first use, for its owner alone, and is the same from then on', () => {
  const path = newPath()
  const first = KeyFile.openOrMake(path, seeded())
  const again = KeyFile.openOrMake(path, seeded())
  assert.equal(again.signingKey().keyId, first.signingKey().keyId)
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(path, '..')), ['keys.json'])
})

test('keys that the system made are not the same twice', () => {
  const ids = [1, 2].map(() => KeyFile.openOrMake(newPath(), { now: () => AT }).signingKey().keyId)
  assert.notEqual(ids[0], ids[1])
})

test('a file is not made over another', () => {
  const path = newPath()
  const { keyId } = KeyFile.make(path, seeded()).signingKey()
  assert.throws(() => KeyFile.make(path, seeded()), {
    code: 'KEYS_UNWRITABLE',
    message: /is there already, and was left as it is/,
  })
  assert.equal(KeyFile.open(path, seeded()).signingKey().keyId, keyId)
})

test('rotation: the new key is published, then signs, and the old one is dropped', () => {
  let now = AT
  const file = KeyFile.openOrMake(
    newPath(),
    seeded(() => now),
  )
  const old = file.signingKey().keyId
  file.rotate({ leadMs: 3_600_000, overlapMs: DAY })
  assert.equal(file.signingKey().keyId, old)
  assert.equal(publishedKeys(file.ring(), now).length, 2)
  now += 3_600_000
  assert.notEqual(file.signingKey().keyId, old)
  now += DAY
  assert.equal(publishedKeys(file.ring(), now).length, 1)
  if (process.platform !== 'win32') assert.equal(statSync(file.path).mode & 0o777, 0o600)
})

test('a process that runs on sees that somebody rotated the keys', () => {
  let now = AT
  const path = newPath()
  const running = KeyFile.openOrMake(
    path,
    seeded(() => now),
  )
  KeyFile.open(path, { now: () => now }).rotate({ leadMs: 0 })
  assert.equal(running.ring().length, 1)
  now += 10_000
  assert.equal(running.ring().length, 2)
})

test('a file that is spoiled while a process runs changes nothing for it, and it says so', async () => {
  let now = AT
  const path = newPath()
  const running = KeyFile.openOrMake(
    path,
    seeded(() => now),
  )
  const { keyId } = running.signingKey()
  writeFileSync(path, 'spoiled')
  now += 10_000
  const warned = new Promise<Error>((resolve) => void process.once('warning', resolve))
  assert.equal(running.signingKey().keyId, keyId)
  assert.match((await warned).message, /is no file of keys: .* used on/)
})

test('of two who rotate at a time one is told, and what is left behind by the dead does not stay in the way', () => {
  const path = newPath()
  const file = KeyFile.openOrMake(path, seeded())
  writeFileSync(`${path}.part`, '')
  assert.throws(() => file.rotate(), { code: 'KEYS_UNWRITABLE', message: /nobody else is rotating/ })
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(`${path}.part`, longAgo, longAgo)
  assert.equal(file.rotate().length, 2)
  assert.ok(!existsSync(`${path}.part`))
})

test('a file that others may read is refused', () => {
  const path = newPath()
  KeyFile.openOrMake(path, seeded())
  chmodSync(path, 0o640)
  assert.throws(() => KeyFile.open(path, seeded()), { code: 'KEYS_EXPOSED', message: /chmod 600/ })
})

test('what is no file of keys is named, and nothing of it is quoted', () => {
  const path = newPath()
  assert.throws(() => KeyFile.open(path, seeded()), { code: 'KEYS_UNREADABLE', message: /ENOENT/ })
  for (const text of ['', 'TOPSECRET', '{"keys":[]}', `{"keys":[{"d":"TOPSECRET"}]}`, ' '.repeat(70_000)]) {
    writeFileSync(path, text, { mode: 0o600 })
    assert.throws(
      () => KeyFile.open(path, seeded()),
      (error: Error & { code?: string }) => error.code === 'KEYS_UNREADABLE' && !error.message.includes('TOPSECRET'),
    )
  }
})

test('a place that cannot be written is told', () => {
  const path = newPath()
  writeFileSync(path, '')
  // A file is no folder, also for those who may write anywhere.
  assert.throws(() => KeyFile.openOrMake(join(path, 'keys.json'), seeded()), { code: /^KEYS_/ })
})

test('the file is a key set as others write it, with the private halves', () => {
  const path = newPath()
  KeyFile.openOrMake(path, seeded())
  const { keys } = JSON.parse(readFileSync(path, 'utf8')) as { keys: Record<string, unknown>[] }
  assert.deepEqual(Object.keys(keys[0]!), ['kty', 'crv', 'x', 'd', 'kid', 'use', 'nbf'])
})
