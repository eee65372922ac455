/** The collection as the store of a frontier: it keeps what `MemoryStore` of `frontier` keeps, on disk. */
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { testFolder } from '@comity/collection/testing'
import type { SiteRow } from '@comity/frontier'
import { frontierModelSuite, frontierStorageSuite } from '@comity/frontier/testing'
import type { FrontierStore } from '@comity/frontier/testing'
import { amount } from '@comity/protocol/testing'

async function collectionStore(t: TestContext): Promise<FrontierStore> {
  const collection = await Collection.open(testFolder(t), 0)
  t.after(() => collection.close())
  return {
    store: (batch) => collection.commit(batch),
    textOf: (page) => collection.text(page),
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
  }
}

frontierStorageSuite('frontier over a collection', collectionStore)
// Each run makes a collection: enough to meet every kind of step many times.
frontierModelSuite('frontier over a collection', collectionStore, amount(25, 1_000))
