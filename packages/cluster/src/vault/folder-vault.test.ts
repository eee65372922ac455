import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { FolderVault } from './folder-vault.ts'

const nothing = { pageLog: new Uint8Array(0), first: 0, texts: [], sites: [], addresses: [] }

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-vault-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('the highest epoch stays, whatever is marked after it', (t) => {
  const vault = new FolderVault(folder(t))
  assert.equal(vault.epochOf('shard.1'), 0)
  for (const epoch of [3, 2, 7, 1]) vault.markEpoch('shard.1', epoch)
  assert.deepEqual([vault.epochOf('shard.1'), vault.epochOf('keeper.1')], [7, 0])
})

test('a shard comes back as of its last commit before the copy, also when it is written meanwhile', async (t) => {
  const [dir, into] = [folder(t), join(folder(t), 'shard')]
  const vault = new FolderVault(join(dir, 'vault'))
  await using collection = await Collection.open(join(dir, 'shard'), 0, { minFreeBytes: 0 })
  assert.equal(await vault.restore(4, into), undefined)
  const seeds = { name: 'seeds', fields: [], isOne: Array.isArray }
  for (const [n, epoch] of [2, 2, 5].entries()) {
    collection.appendRecord(Buffer.from(`record ${n}`), 0)
    collection.putFact(seeds, [`https://a.example/${n}`])
    await collection.commit({ ...nothing, elsewhere: [[3, n]] })
    assert.equal((await vault.copy(4, epoch, collection, { at: n })).epoch, epoch)
  }
  collection.appendRecord(Buffer.from('later'), 0)
  await collection.commit({ ...nothing, elsewhere: [[3, 9]] })
  assert.ok(await vault.restore(4, into))
  await using again = await Collection.open(into, 1, { minFreeBytes: 0 })
  assert.deepEqual([again.fact(seeds), again.listedFor(3, 0, 10)], [['https://a.example/2'], [0, 1, 2]])
  assert.equal(again.wasClosed, false, 'its clocks are another machine\u2019s')
  assert.deepEqual(readdirSync(join(dir, 'vault', 'shard-4')).toSorted(), ['2', '5'])
})

test('a manifest that comity did not write is named, and names no file outside', async (t) => {
  const dir = folder(t)
  const vault = new FolderVault(dir)
  await using collection = await Collection.open(join(dir, 'own'), 0, { minFreeBytes: 0 })
  await collection.commit(nothing)
  await vault.copy(0, 1, collection, { at: 0 })
  const bad = [
    'no json',
    '{}',
    JSON.stringify({ epoch: 1, at: 0, bytes: 0, number: 1, state: '../../etc/passwd', archives: [] }),
    JSON.stringify({ epoch: 1, at: 0, bytes: 0, number: 1, state: 's', archives: [{ name: '../x', bytes: 1 }] }),
  ]
  for (const text of bad) {
    writeFileSync(join(dir, 'shard-0', '1', 'manifest.json'), text)
    assert.throws(() => vault.newest(0), { code: 'VAULT_DAMAGED' })
  }
})
