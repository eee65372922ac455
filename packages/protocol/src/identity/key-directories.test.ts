import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { KeyDirectories } from './key-directories.ts'
import type { DirectoryLimits, FetchedKeys } from './key-directories.ts'
import { writeKeySet } from './key-set.ts'
import { exampleKey, testKey } from '../testing/signature-fixture.ts'

const URL_A = 'https://a.example/keys'
const URL_B = 'https://b.example/keys'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const [one, two] = [testKey(1), testKey(2)]

const answer = (...keys: Parameters<typeof writeKeySet>): FetchedKeys => ({
  status: 200,
  headers: [['Cache-Control', 'max-age=3600']],
  body: Buffer.from(writeKeySet(...keys)),
})

/** A Web whose directories are what `published` says; everything that was asked for is noted. */
function bench(limits: Partial<DirectoryLimits> = {}) {
  const published = new Map<string, FetchedKeys | Error>()
  const asked: string[] = []
  const directories = new KeyDirectories(async (url) => {
    asked.push(url)
    const found = published.get(url) ?? { status: 404, headers: [], body: new Uint8Array() }
    if (found instanceof Error) throw found
    return found
  }, limits)
  const kind = async (url: string, keyId: string, at: number): Promise<string> =>
    (await directories.find(url, keyId, at)).kind
  return { published, asked, directories, kind }
}

test('a key is fetched once, and found without asking while it is fresh', async () => {
  const { published, asked, directories, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  assert.equal(directories.held(URL_A, one.keyId, 0), undefined)
  assert.equal(await kind(URL_A, one.keyId, 0), 'found')
  assert.equal(await kind(URL_A, one.keyId, HOUR - 1), 'found')
  assert.ok(directories.held(URL_A, one.keyId, HOUR - 1)?.equals(one.publicKey))
  assert.deepEqual(asked, [URL_A])
})

test('a key that one URL publishes does not speak for another', async () => {
  const { published, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  published.set(URL_B, answer([two.publicKey]))
  assert.equal(await kind(URL_A, one.keyId, 0), 'found')
  assert.equal(await kind(URL_B, one.keyId, 0), 'unknown')
})

test('after a rotation the new key is found, though the old list is still fresh', async () => {
  const { published, asked, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  await kind(URL_A, one.keyId, 0)
  published.set(URL_A, answer([two.publicKey]))
  assert.equal(await kind(URL_A, two.keyId, 2 * MINUTE), 'found')
  assert.equal(await kind(URL_A, one.keyId, 2 * MINUTE), 'unknown')
  assert.equal(asked.length, 2)
})

test('keys that nobody has do not make us ask more than once a minute', async () => {
  const { published, asked, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  for (let second = 0; second < 120; second++) await kind(URL_A, testKey(second + 3).keyId, second * 1_000)
  assert.equal(asked.length, 2)
})

test('those who come at the same time wait for one answer', async () => {
  const { published, asked, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  const found = await Promise.all(Array.from({ length: 20 }, () => kind(URL_A, one.keyId, 0)))
  assert.deepEqual([...new Set(found)], ['found'])
  assert.equal(asked.length, 1)
})

const failures: [sentence: string, given: FetchedKeys | Error, message: RegExp][] = [
  ['a redirect', { status: 301, headers: [['Location', URL_B]], body: new Uint8Array() }, /answered 301/],
  ['an answer that is no key set', { status: 200, headers: [], body: Buffer.from('<html>') }, /no JSON object/],
  ['no answer', new Error('refused'), /cannot be had \(refused\)/],
]
for (const [sentence, given, message] of failures) {
  test(`with ${sentence} nobody can tell, and it is asked again later, more and more rarely`, async () => {
    const { published, asked, directories } = bench()
    published.set(URL_A, given)
    const found = await directories.find(URL_A, one.keyId, 0)
    assert.equal(found.kind, 'unreachable')
    assert.match(found.message, message)
    assert.equal(found.retryAt, 5_000)
    for (let at = 0; at <= 10 * MINUTE; at += 1_000) await directories.find(URL_A, one.keyId, at)
    assert.ok(asked.length > 3 && asked.length < 10, `${asked.length} times`)
  })
}

test('an outage is no rotation: what was held stays good for a day', async () => {
  const { published, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  await kind(URL_A, one.keyId, 0)
  published.set(URL_A, new Error('down'))
  assert.equal(await kind(URL_A, one.keyId, 24 * HOUR), 'found')
  assert.equal(await kind(URL_A, one.keyId, 26 * HOUR), 'unreachable')
})

test('a directory that is there and has the key no more ends it at once when it is read again', async () => {
  const { published, directories, kind } = bench()
  published.set(URL_A, answer([one.publicKey]))
  await kind(URL_A, one.keyId, 0)
  published.set(URL_A, answer([]))
  assert.equal(await kind(URL_A, one.keyId, HOUR), 'unknown')
  assert.equal(directories.held(URL_A, one.keyId, HOUR), undefined)
})

test('a key outside its own life is not found, also while the list that has it is fresh', async () => {
  const { published, kind } = bench()
  published.set(URL_A, answer([{ publicKey: one.publicKey, from: 10 * MINUTE, until: 20 * MINUTE }]))
  assert.equal(await kind(URL_A, one.keyId, 0), 'unknown')
  assert.equal(await kind(URL_A, one.keyId, 15 * MINUTE), 'found')
  assert.equal(await kind(URL_A, one.keyId, 20 * MINUTE), 'unknown')
})

test('a key that was made a moment ago is known to clocks that are behind', async () => {
  const { published, kind } = bench()
  published.set(URL_A, answer([{ publicKey: one.publicKey, from: 2 * MINUTE }]))
  assert.equal(await kind(URL_A, one.keyId, 0), 'found')
})

test('the example key of the RFC is nobody’s, wherever it is published', async () => {
  const { published, asked, kind } = bench()
  published.set(URL_A, answer([exampleKey.publicKey]))
  assert.equal(await kind(URL_A, exampleKey.keyId, 0), 'unknown')
  assert.deepEqual(asked, [])
})

test('one host is not asked more than so often, however many addresses are invented on it', async () => {
  const { asked, kind } = bench({ hostFetches: 10 })
  for (let n = 0; n < 100; n++) await kind(`https://victim.example/${n}`, one.keyId, 0)
  assert.equal(asked.length, 10)
  await kind('https://victim.example/later', one.keyId, MINUTE)
  assert.equal(asked.length, 11)
})

test('invented addresses do not push out a directory that is used', async () => {
  const { published, directories, kind } = bench({ directories: 10 })
  published.set(URL_A, answer([one.publicKey]))
  await kind(URL_A, one.keyId, 0)
  for (let n = 0; n < 100; n++) await kind(`https://x${n}.example/`, two.keyId, 0)
  assert.ok(directories.held(URL_A, one.keyId, 0))
})

test('only so many are fetched at one time; the others are told to come back', async () => {
  const gates: (() => void)[] = []
  const directories = new KeyDirectories(
    () => new Promise((resolve) => gates.push(() => resolve(answer([one.publicKey])))),
    { fetches: 2 },
  )
  const asking = [1, 2, 3].map((n) => directories.find(`https://x${n}.example/`, one.keyId, 0))
  const third = await asking[2]!
  assert.equal(third.kind, 'unreachable')
  for (const open of gates) open()
  assert.deepEqual(
    (await Promise.all(asking)).map(({ kind }) => kind),
    ['found', 'found', 'unreachable'],
  )
})

test('what answers is survived, whatever it is, and held no longer than a day', async () => {
  const answers = fc.record({
    status: fc.constantFrom(200, 304, 404, 500),
    headers: fc.array(fc.tuple(fc.constantFrom('cache-control', 'retry-after'), fc.string())),
    body: fc.oneof(fc.uint8Array(), fc.constant(answer([one.publicKey]).body)),
  })
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      const { published, directories } = bench()
      published.set(URL_A, given)
      const found = await directories.find(URL_A, one.keyId, 0)
      if (found.kind === 'unreachable') assert.ok(found.retryAt > 0 && found.retryAt <= 5 * MINUTE)
      assert.equal(directories.held(URL_A, one.keyId, 49 * HOUR), undefined)
    }),
  )
})
