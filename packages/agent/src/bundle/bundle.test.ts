import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeBundle, MAX_BUNDLE_BYTES, readBundle, writeBundle } from './bundle.ts'
import { sampleBundle, sampleKey, sampleManifest } from '../testing/agent-sample.ts'
import { signBundle, signersOf } from './bundle-signature.ts'

const keyOf = (keyId: string): ReturnType<typeof sampleKey>['publicKey'] | undefined =>
  [1, 2].map(sampleKey).find((key) => key.keyId === keyId)?.publicKey
const signed = signBundle(sampleBundle('export function onPage() {}\n'), sampleKey(1))
const text = Buffer.from(writeBundle(signed)).toString('utf8')

test('what was written is read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.subarray([1, 2]), (source, keys) => {
      const bundle = keys.reduce((one, key) => signBundle(one, sampleKey(key)), sampleBundle(source))
      const read = readBundle(writeBundle(bundle))
      assert.ok(read.kind === 'bundle')
      assert.deepEqual(read.bundle, bundle)
    }),
  )
})

test('a bundle can be read with the eyes', () => {
  assert.match(
    text,
    /^comity-agent 1\nmanifest \d+\n\{\n {2}"name": "sample",[^]*\n\}\nsource 28\nexport function onPage\(\) \{\}\n\nsignature [\w-]{43} [\w-]{86}\n$/,
  )
})

test('signing changes nothing of what is signed, and a second key may sign too', () => {
  const both = signBundle(signed, sampleKey(2))
  assert.equal(both.digest, sampleBundle(signed.source).digest)
  assert.deepEqual(signersOf(both, keyOf), [sampleKey(1).keyId, sampleKey(2).keyId])
  assert.equal(signBundle(both, sampleKey(1)).signatures.length, 2)
})

test('a signature is right for its bundle and its key alone', () => {
  const other = { ...sampleBundle('other'), signatures: signed.signatures }
  assert.deepEqual(signersOf(other, keyOf), [])
  assert.deepEqual(
    signersOf(signed, () => undefined),
    [],
  )
  assert.deepEqual(
    signersOf(signed, () => sampleKey(2).publicKey),
    [],
  )
})

test('any byte changed before the signatures makes another digest, or no bundle', () => {
  const bytes = Buffer.from(text)
  const end = text.indexOf('signature ')
  fc.assert(
    fc.property(fc.nat({ max: end - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= change
      const read = readBundle(changed)
      assert.ok(
        read.kind === 'refused' || (read.bundle.digest !== signed.digest && signersOf(read.bundle, keyOf).length === 0),
      )
    }),
    { numRuns: 1_000 },
  )
})

// oxfmt-ignore
const refusals: [sentence: string, text: string, problem: RegExp][] = [
  ['nothing',                                 '',                                                       /does not begin/],
  ['another version',                         text.replace('comity-agent 1', 'comity-agent 2'),         /does not begin/],
  ['a manifest that is longer than it says',  text.replace(/manifest \d+/, 'manifest 10'),              /manifest is not there/],
  ['a manifest without end',                  text.replace(/manifest \d+/, 'manifest 99999999'),        /manifest is not there/],
  ['a length that is none',                   text.replace(/manifest \d+/, 'manifest 0x20'),            /manifest is not there/],
  ['a source that is cut',                    text.slice(0, text.indexOf('export')),                    /source is not there/],
  ['a manifest in another spelling',          text.replace('"perPage": true', '"perPage":true ').replace(/manifest (\d+)/, (_, n) => `manifest ${n}`), /not written as bundles/],
  ['a last line that does not end',           text.trimEnd(),                                           /no signature/],
  ['something behind its signatures',         `${text}more\n`,                                          /no signature/],
  ['the same key twice',                      text + text.slice(text.indexOf('signature ')),            /no signature/],
  ['signatures without end',                  text.slice(0, text.indexOf('signature ')) + Array.from({ length: 9 }, (_, i) => `signature ${`${i}`.repeat(43)} ${'a'.repeat(86)}\n`).join(''), /no signature/],
]
for (const [sentence, bytes, problem] of refusals) {
  test(`a file with ${sentence} is refused`, () => {
    const read = readBundle(Buffer.from(bytes))
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('a file that is too long is not looked at', () => {
  const read = readBundle(new Uint8Array(MAX_BUNDLE_BYTES + 1))
  assert.ok(read.kind === 'refused')
})

test('whatever bytes come, reading gives a bundle or a refusal', () => {
  const lines = fc
    .array(fc.constantFrom('comity-agent 1', 'manifest 3', 'source 2', '{}', 'a', 'signature a b', ''))
    .map((some) => Buffer.from(some.join('\n')))
  const cut = fc
    .tuple(fc.nat({ max: text.length }), fc.nat({ max: text.length }))
    .map(([a, b]) => Buffer.from(text.slice(0, a) + text.slice(b)))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), lines, cut), (bytes) => {
      assert.match(readBundle(bytes).kind, /^(?:bundle|refused)$/)
    }),
    { numRuns: 2_000 },
  )
})

test('the same manifest and program have the same digest, whoever makes them', () => {
  const { name, ...rest } = sampleManifest()
  assert.equal(makeBundle({ ...rest, name }, 'x').digest, sampleBundle('x').digest)
  assert.notEqual(sampleBundle('x').digest, sampleBundle('y').digest)
})
