import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { comity, comityHere } from '../testing/spawned-comity.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-lab-papers-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const args = ['lab', 'papers', 'coverage', '--web', 'generated:pages=400,sites=8', '--into', join(folder, 'report')]

test('papers prints every part of the 53 claims, goes on where it was, and writes the same page again', async () => {
  const first = await comity(args)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stderr, /1 of 1: coverage on generated/)
  assert.match(first.stdout, /53 claims in 136 parts; .*holds by construction: \d+/)
  assert.match(first.stdout, /003\.3a +PageRank order beats backlink order.*\n +cannot be tested here/)
  const page = readFileSync(join(folder, 'report/report.html'), 'utf8')
  const second = await comity([...args, '--json'])
  assert.match(second.stderr, /1 experiment of 1 finished before/)
  assert.equal(readFileSync(join(folder, 'report/report.html'), 'utf8'), page)
  const { claims, kept } = JSON.parse(second.stdout) as {
    kept: number
    claims: { id: string; parts: { id: string; verdict: string; quote: string; where: string }[] }[]
  }
  assert.deepEqual([kept, claims.length], [1, 53])
  assert.ok(
    claims.every(({ parts }) => parts.length > 0 && parts.every(({ quote, where }) => quote !== '' && where !== '')),
  )
  assert.equal(claims.find(({ id }) => id === '001.3')!.parts[0]!.verdict, 'holds by construction')
})

test('an experiment that answers no claim is refused with those that do', async () => {
  const { code, stderr } = await comityHere(['lab', 'papers', 'orderings'])
  assert.equal(code, 2)
  assert.match(stderr, /No experiment orderings answers a claim\. Did you mean ordering\?/)
})
