import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crawlSample } from '../testing/search-fixture.ts'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const dir = folder.at('crawled')
before(() => crawlSample(dir, false))

const segmentsIn = (name: string): number =>
  readdirSync(join(name, 'index')).filter((file) => file.endsWith('.seg')).length

test('a collection that was crawled without an index gets one, in one segment', async () => {
  const told = await comityHere(['index', dir])
  assert.equal(told.code, 0, told.stderr)
  assert.match(told.stdout, /^6 pages can be found; the index has [\d.]+ \w+, made in \S+/)
  assert.equal(segmentsIn(dir), 1)
  const found = lastJson(await comityHere(['search', dir, 'anchor:otters', '--json'])) as { matches: number }
  assert.equal(found.matches, 1)
})

test('an index that is up to date is left as it is, and made anew when asked', async () => {
  const again = lastJson(await comityHere(['index', dir, '--json']))
  assert.deepEqual([again['documents'], again['read'], again['unread'], again['collection']], [6, 0, {}, dir])
  const anew = lastJson(await comityHere(['index', dir, '--anew', '--json']))
  assert.deepEqual([anew['documents'], anew['read'], anew['bytes']], [6, 6, again['bytes']])
  assert.equal(segmentsIn(dir), 1)
})

test('without positions it is smaller, and finds words', async () => {
  const { bytes } = lastJson(await comityHere(['index', dir, '--json']))
  const small = lastJson(await comityHere(['index', dir, '--anew', '--no-positions', '--json']))
  assert.ok(Number(small['bytes']) < Number(bytes))
  const { matches } = lastJson(await comityHere(['search', dir, 'salmon', '--json']))
  assert.equal(matches, 3)
  await comityHere(['index', dir, '--anew'])
})

test('made anew, it takes away what is of an index and nothing else, wherever a stranger says that it stands', async () => {
  const [stranger, home] = [folder.at('stranger'), folder.at('home')]
  cpSync(dir, stranger, { recursive: true })
  rmSync(join(stranger, 'index'), { recursive: true })
  mkdirSync(join(home, 'letters'), { recursive: true })
  const mine = ['thesis.txt', 'letters/first.txt', 'index.html', 's1.segment', 'my.values', 'index.json.bak']
  for (const name of mine) writeFileSync(join(home, name), 'precious')
  symlinkSync(home, join(stranger, 'index'))
  const asItWas = readdirSync(home)
  assert.equal((await comityHere(['index', stranger, '--anew', '--json'])).code, 1)
  assert.deepEqual(readdirSync(home), asItWas)
  // Whoever owns the folder says that it is for this.
  writeFileSync(join(home, 'linked-from'), stranger)
  const ended = await comityHere(['index', stranger, '--anew', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  for (const name of mine) assert.ok(existsSync(join(home, name)), name)
})

const wrong: [words: string[], code: number, message: RegExp][] = [
  [['index'], 2, /DIR is missing/],
  [['index', folder.at('nowhere')], 1, /There is no collection at/],
  [['index', dir, '--anow'], 2, /Did you mean --anew\?/],
]
for (const [words, code, message] of wrong) {
  test(`${message.source} is said`, async () => {
    const ended = await comityHere(words)
    assert.match(ended.stderr, message)
    assert.equal(ended.code, code)
  })
}
