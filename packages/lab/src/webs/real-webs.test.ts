import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { foundWebs, missingWebs, openNamedWeb, REAL_WEBS } from './real-webs.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-real-webs-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const some = [REAL_WEBS.cnr, REAL_WEBS.stanford]

test('real webs are those that are here, opened by their names, and of the others it is said where they are to be had', async (t) => {
  const before = process.env['COMITY_SHARED']
  t.after(() => {
    if (before === undefined) delete process.env['COMITY_SHARED']
    else process.env['COMITY_SHARED'] = before
  })
  process.env['COMITY_SHARED'] = folder
  assert.deepEqual(foundWebs(some), [])
  assert.match(missingWebs(some)[0]!, /^data\/graphs\/cnr-2000\.graph-txt\.gz \(law\.di\.unimi\.it/)
  mkdirSync(join(folder, 'data/graphs/cs-stanford'), { recursive: true })
  writeFileSync(
    join(folder, 'data/graphs/cs-stanford/nodes.tsv'),
    'id\turl\n0\thttp://a.example/\n1\thttp://a.example/b\n',
  )
  writeFileSync(join(folder, 'data/graphs/cs-stanford/edges.tsv'), 'from\tto\n0\t1\n')
  assert.deepEqual(foundWebs(some), ['graphs/cs-stanford'])
  assert.equal(missingWebs(some).length, 1)
  assert.equal((await openNamedWeb('graphs/cs-stanford', {})).pages, 2)
})

test('a graph that is nowhere is an error that names it', async () => {
  await assert.rejects(async () => await openNamedWeb('graphs/none.txt', {}), /none\.txt/)
})
