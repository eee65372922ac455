import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openGraph, usualGraphs } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-coverage-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('real graphs are those that are there, and are opened by their names', async (t) => {
  const before = process.env['COMITY_SHARED']
  t.after(() => {
    if (before === undefined) delete process.env['COMITY_SHARED']
    else process.env['COMITY_SHARED'] = before
  })
  process.env['COMITY_SHARED'] = folder
  assert.deepEqual(usualGraphs(), ['generated:pages=50000'])
  mkdirSync(join(folder, 'data/graphs/cs-stanford'), { recursive: true })
  writeFileSync(
    join(folder, 'data/graphs/cs-stanford/nodes.tsv'),
    'id\turl\n0\thttp://a.example/\n1\thttp://a.example/b\n',
  )
  writeFileSync(join(folder, 'data/graphs/cs-stanford/edges.tsv'), 'from\tto\n0\t1\n')
  assert.deepEqual(usualGraphs(), ['generated:pages=50000', 'graphs/cs-stanford'])
  assert.equal((await openGraph('graphs/cs-stanford', {})).pages, 2)
})

test('a graph that is nowhere is an error that names it', async () => {
  await assert.rejects(async () => await openGraph('graphs/none.txt', {}), /none\.txt/)
})
