import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SyncEntry, SyncLink } from './resourcesync.ts'
import { createSyncReader, readSync, type SyncSummary } from './resourcesync-reader.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const url = 'https://a.example/document.xml'
const limits = { maxBytes: 3_000, maxEntries: 5, maxLocChars: 60 }
const FOLDERS = ['examples_from_spec_v1_0', 'examples_from_spec_v1_1']

test('damaged examples of the standard never throw, keep to the limits, and read the same in pieces', (t) => {
  const folder = sharedData('conformance/resourcesync')
  if (folder === undefined) return missing(t, 'examples of ResourceSync')
  const files = FOLDERS.flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
  const samples = files.map((file) => readFileSync(file, 'utf8'))
  assert.equal(samples.length, 67)
  const bits = [
    '<',
    '>',
    '&',
    '"',
    "'",
    '/',
    '\0',
    'é',
    '<url>',
    '</loc>',
    '<rs:md ',
    '<rs:ln rel="up" href="/"/>',
    ' path="/x"',
    ' change="deleted"',
    'sha-256:',
    ...Object.getOwnPropertyNames(Object.prototype),
  ]
  // Where, how much is cut out, and what is put there: a bit of markup, or the same of another example.
  const edit = fc.tuple(fc.nat(4_000), fc.nat(40), fc.oneof(fc.constantFrom(...bits), fc.constantFrom(...samples)))
  const property = fc.property(
    fc.constantFrom(...samples),
    fc.array(edit, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 500 }),
    (sample, edits, size) => {
      let text = sample
      for (const [at, cut, put] of edits) text = text.slice(0, at) + put + text.slice(at + cut)
      const whole = readSync(Buffer.from(text), url, limits)
      check(whole.entries, whole.summary)
      assert.deepEqual(inPieces(Buffer.from(text), size), whole)
    },
  )
  fc.assert(property, {
    interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
    markInterruptAsFailure: false,
    numRuns: 1_000_000,
  })
})

/** All that is given out is absolute, of its type, and no longer than it may be. */
function check(entries: readonly SyncEntry[], summary: SyncSummary): void {
  assert.ok(entries.length === summary.entries && entries.length <= limits.maxEntries)
  for (const link of summary.links) checkLink(link)
  for (const entry of entries) {
    assert.match(entry.url, /^https?:\/\//)
    assert.ok((entry.links ?? []).length <= 64)
    for (const link of entry.links ?? []) checkLink(link)
    if (entry.digest !== undefined) assert.match(entry.digest, /^sha-256:[0-9a-f]{64}$/)
    if (entry.bytes !== undefined) assert.ok(Number.isSafeInteger(entry.bytes) && entry.bytes >= 0)
    if (entry.path !== undefined) assert.ok(entry.path.startsWith('/') && entry.path.length <= 2_048)
    if (entry.kind === 'change') assert.ok(['created', 'updated', 'deleted'].includes(entry.change))
  }
  for (const count of Object.values(summary.problems)) assert.ok(Number.isInteger(count) && count > 0)
}

function checkLink({ rel, href }: SyncLink): void {
  assert.match(href, /^https?:\/\//)
  assert.ok(rel !== '' && rel.length <= 2_048)
}

function inPieces(bytes: Uint8Array, size: number): ReturnType<typeof readSync> {
  const entries: SyncEntry[] = []
  const reader = createSyncReader({ url, limits, onEntry: (entry) => entries.push(entry) })
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return { summary: reader.end(), entries }
}
