import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { CooperationStore } from './cooperation-store.ts'
import type { SiteOffers } from '../site-offers.ts'

const SILENT: SiteOffers = { lookedAt: 0, lookAgainAt: 1, offers: [] }
const CALLING: SiteOffers = { ...SILENT, push: { hub: 'https://a.example/hub', topics: {} } }

test('rows are kept with the collection; a site that offers to push is a new caller once', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-cooperation-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  await using collection = await Collection.open(dir, 0)
  const store = new CooperationStore(collection)
  const found = [SILENT, CALLING, CALLING, SILENT, CALLING].map((offers) => {
    store.note(3, { offers })
    return store.callersFound
  })
  assert.deepEqual(found, [0, 1, 1, 1, 2])
  assert.ok(store.linked(3, 'https://a.example/list.xml') && !store.linked(3, 'https://a.example/list.xml'))
  // Where another store looks.
  const again = new CooperationStore(collection)
  assert.deepEqual(again.of(3), { offers: CALLING, capabilityLists: ['https://a.example/list.xml'] })
  assert.deepEqual(again.of(4), {})
})
