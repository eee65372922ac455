import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LabError } from '../../lab-error.ts'
import { tarFiles } from './tar.ts'
import { tarEntry, tarOf } from '../../testing/graph-tar-sample.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function namesAndTexts(archive: Buffer, size = 1_000): Promise<[name: string, text: string][]> {
  const files = await Array.fromAsync(tarFiles(inChunks(archive, size), 'a.tar'))
  return files.map(({ name, bytes }) => [name, bytes.toString()])
}

const files: [name: string, text: string][] = [
  ['a.txt', 'hello'],
  ['empty', ''],
  ['just-a-block', 'x'.repeat(512)],
  ['long', 'y'.repeat(3_000)],
]

for (const size of [1, 511, 512, 100_000]) {
  test(`files come with their names and bytes, in chunks of ${size}`, async () => {
    assert.deepEqual(await namesAndTexts(tarOf(files), size), files)
  })
}

test('long names are read in all three spellings, folders and links are left out', async () => {
  const long = `http:^^a.example^${'x'.repeat(120)}`
  const pax = `${long.length + 10} path=${long}\n`
  const archive = Buffer.concat([
    tarEntry('folder/', '', '5'),
    tarEntry('link', '', '2'),
    tarEntry('././@LongLink', `${long}\0`, 'L'),
    tarEntry('short', 'gnu', '0'),
    tarEntry('pax', pax, 'x'),
    tarEntry('short', 'pax', '0'),
    tarEntry('name', 'ustar', '0', 'some/folder'),
    Buffer.alloc(1_024),
    Buffer.from('what follows the end is not read'),
  ])
  assert.deepEqual(await namesAndTexts(archive), [
    [long, 'gnu'],
    [long, 'pax'],
    ['some/folder/name', 'ustar'],
  ])
})

test('an archive cut short, and what is none, are named errors', async () => {
  await assert.rejects(namesAndTexts(tarOf(files).subarray(0, 700)), { code: 'WEB_UNREADABLE', message: /middle/ })
  await assert.rejects(namesAndTexts(Buffer.alloc(600, 'no tar')), {
    code: 'WEB_UNREADABLE',
    message: /no tar archive/,
  })
  const huge = tarEntry('huge', '', '0')
  huge.write('77777777777', 124, 'latin1')
  await assert.rejects(namesAndTexts(huge), LabError)
})

test('whatever bytes come, the result is files or a named error', async () => {
  const damage = fc.tuple(fc.nat(4_000), fc.uint8Array({ maxLength: 20 }))
  await fc.assert(
    fc.asyncProperty(damage, fc.integer({ min: 1, max: 2_000 }), async ([at, bytes], size) => {
      const archive = Buffer.from(tarOf(files))
      archive.set(bytes.subarray(0, Math.max(0, archive.length - at)), Math.min(at, archive.length))
      await namesAndTexts(archive, size).catch((error: unknown) => {
        if (!(error instanceof LabError)) throw error
      })
    }),
    { numRuns: 200 },
  )
})
