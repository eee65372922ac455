/**
 * Told fields: which document carries which field of a page. A field that is added to `PageEntry` is asked for here by the
 * compiler, and the documents said to carry it have to; one that starts to carry a field says so here.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeLine, changesEndLine, readChanges } from '../bulk/change-query.ts'
import { formatArchiveLine, parseArchiveLine } from '../metadata-archive/archive-line.ts'
import { readChangeNotification, writeChangeNotification } from '../push/change-notification.ts'
import { changeEntryOf, pageEntryOf } from './page-entry.ts'
import type { ChangeEntry } from './page-entry.ts'
import { readSync } from './resourcesync-reader.ts'
import { writeSyncDocument } from './resourcesync-writer.ts'
import { readRobotsRdf } from './robots-rdf-reader.ts'
import { writeRobotsRdf } from './robots-rdf.ts'
import { writeSitemap } from './sitemap-writer.ts'
import { readSitemap } from './sitemap.ts'

const ORIGIN = 'https://a.example'
/** Dates of whole seconds: that is all that some documents have. */
const TOLD: Required<ChangeEntry> = {
  url: `${ORIGIN}/docs/a.html`,
  modifiedAt: Date.UTC(2024, 4, 1, 10, 20, 30),
  bytes: 4_711,
  type: 'text/html',
  digest: `sha-256:${'a1'.repeat(32)}`,
  accesses: 17,
  change: 'updated',
  changedAt: Date.UTC(2024, 4, 1, 11, 0, 0),
}

type Field = keyof ChangeEntry
const FIELDS = Object.keys(TOLD) as readonly Field[]

interface ToldDocument {
  readonly carries: Readonly<Record<Field, boolean>>
  /** What is read of a document that was written of it. */
  readonly again: (told: ChangeEntry) => Partial<ChangeEntry> | undefined
}

const ofList = { url: true, modifiedAt: true, bytes: true, type: true, digest: true, accesses: false } as const
const ofPage = { change: false, changedAt: false } as const
const ofChange = { change: true, changedAt: true } as const

const DOCUMENTS: Readonly<Record<string, ToldDocument>> = {
  'a sitemap': {
    carries: { ...ofList, ...ofPage, bytes: false, type: false, digest: false },
    again: (told) => {
      const [entry] = readSitemap(Buffer.from(writeSitemap([told])), ORIGIN).entries
      return entry && { url: entry.loc, ...(entry.lastmod === undefined ? {} : { modifiedAt: entry.lastmod }) }
    },
  },
  'a resource list': {
    carries: { ...ofList, ...ofPage },
    again: (told) =>
      readSync(Buffer.from(writeSyncDocument({ capability: 'resourcelist' }, [pageEntryOf(told)])), ORIGIN).entries[0],
  },
  'a change list': {
    carries: { ...ofList, ...ofChange },
    again: (told) => readSync(Buffer.from(writeSyncDocument({ capability: 'changelist' }, [told])), ORIGIN).entries[0],
  },
  'a change notification': {
    carries: { ...ofList, ...ofChange },
    again: (told) => {
      const read = readChangeNotification(Buffer.from(writeChangeNotification({ changes: [told] })), ORIGIN)
      return 'changes' in read ? read.changes[0] : undefined
    },
  },
  'the answer of a filter': {
    carries: { ...ofList, ...ofChange },
    again: (told) => readChanges(changeLine(told) + changesEndLine({ token: 't', more: false })).entries[0],
  },
  'a metadata archive': {
    carries: { ...ofList, ...ofPage },
    again: (told) => parseArchiveLine(formatArchiveLine(told, ORIGIN, { withType: true, withDigest: true }), ORIGIN),
  },
  'robots.rdf': {
    carries: { ...ofList, ...ofPage, digest: false, accesses: true },
    again: (told) => {
      const [file] = writeRobotsRdf([told], { base: `${ORIGIN}/`, extras: ['size', 'format', 'accesses'] })
      return readRobotsRdf(Buffer.from(file!.text), `${ORIGIN}/robots.rdf`).pages[0]
    },
  },
}

for (const [name, { carries, again }] of Object.entries(DOCUMENTS)) {
  test(`${name} carries what its row says, and nothing else`, () => {
    const read: Partial<Record<Field, unknown>> = again(TOLD) ?? {}
    const carried = FIELDS.filter((field) => read[field] !== undefined)
    assert.deepEqual(
      carried,
      FIELDS.filter((field) => carries[field]),
    )
    for (const field of carried) assert.equal(read[field], TOLD[field], field)
  })
}

test('a copy of an entry has every field of it and nothing that is beside it', () => {
  const { change, changedAt, ...page } = TOLD
  const beside: ChangeEntry & { readonly beside: number } = { ...TOLD, beside: 1 }
  assert.deepEqual(pageEntryOf(beside), page)
  assert.deepEqual(changeEntryOf(beside), { ...page, change, changedAt })
})
