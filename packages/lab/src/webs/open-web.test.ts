import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWeb } from './open-web.ts'

test('a web is made, or read from a file, by its name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'comity-open-web-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const steps: string[] = []
  const made = await openWeb('generated:pages=300,sites=5', { onStep: (step) => steps.push(step) })
  assert.deepEqual([made.pages, made.sites, steps.length > 0], [300, 5, true])
  writeFileSync(join(folder, 'edges.txt'), '# edges\n1\t2\n2\t3\n')
  const read = await openWeb(join(folder, 'edges.txt'))
  assert.deepEqual([read.pages, read.targets.length], [3, 2])
})
