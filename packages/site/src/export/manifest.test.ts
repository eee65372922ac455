import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import fc from 'fast-check'
import { testFolder } from '../testing/journal-sample.ts'
import { readManifest, writeManifest } from './manifest.ts'

const none = { files: new Map(), state: '' }

test('what is written is read back', async (t) => {
  const dir = testFolder(t)
  assert.deepEqual(await readManifest(dir), none)
  const file = fc.record(
    { name: fc.string(), sums: fc.array(fc.string()), bytes: fc.nat(), mtimeMs: fc.nat() },
    { noNullPrototype: true },
  )
  const path = fc.stringMatching(/^\/[a-z0-9-]{1,8}\.xml$/)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(path, file)), fc.string(), async (files, state) => {
      const manifest = { files: new Map(files), state }
      await writeManifest(dir, manifest)
      assert.deepEqual(await readManifest(dir), manifest)
    }),
    { numRuns: 30 },
  )
})

test('whatever stands in its place, nothing is thrown and no path leads out of the folder', async (t) => {
  const dir = testFolder(t)
  const good = { name: 'a', sums: ['b'], bytes: 1, mtimeMs: 1 }
  const steps = fc.constantFrom('..', '.', 'a', '', 'sitemap.xml', '\0')
  const paths = fc.array(steps, { maxLength: 4 }).map((path) => `/${path.join('/')}`)
  const files = fc.dictionary(paths, fc.oneof(fc.constant(good), fc.jsonValue()))
  const json = fc.oneof(fc.jsonValue(), fc.record({ comity: fc.constant(1), files, state: fc.jsonValue() }))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        json.map((value) => JSON.stringify(value)),
      ),
      async (text) => {
        writeFileSync(join(dir, '.comity-files.json'), text)
        const { files: own } = await readManifest(dir)
        for (const path of own.keys()) assert.ok(join(dir, path).startsWith(`${dir}/`) && !path.includes('\0'), path)
      },
    ),
    { numRuns: 300 },
  )
})

test('a path with a step that is no name on some system is not ours', async (t) => {
  const dir = testFolder(t)
  const good = { name: 'a', sums: ['b'], bytes: 1, mtimeMs: 1 }
  const paths = HOSTILE_NAMES.flatMap((name) => [`/${name}`, `/a/${name}`, `/${name}/a`])
  const files = Object.fromEntries([...paths, '/.well-known/a', '/a/b.xml'].map((path) => [path, good]))
  writeFileSync(join(dir, '.comity-files.json'), JSON.stringify({ comity: 1, files, state: '' }))
  assert.deepEqual([...(await readManifest(dir)).files.keys()], ['/.well-known/a', '/a/b.xml'])
})
