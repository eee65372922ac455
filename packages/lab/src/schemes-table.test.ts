import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SiteCopy } from './schemes-copy.ts'
import { writeMadeYear } from './schemes-fixture.ts'
import { openLine } from './schemes-http.ts'
import { takeEither } from './schemes-pages.ts'
import { digestsOf } from './schemes-run.ts'
import { YearServer } from './schemes-server.ts'
import { SCHEME_FORMS, schemeForm } from './schemes-table.ts'
import type { SchemeForm } from './schemes-table.ts'
import { DAY_MS, readBodies, readYear, YearState } from './schemes-year.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-schemes-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeMadeYear(folder, { pages: 20, days: 21, seed: 3 })
const [year, bodies] = [await readYear(folder), await readBodies(folder)]
const digests = digestsOf(bodies)

/** What a form keeps through three polls, each a week after the last, beside what the site is. */
async function* polled(form: SchemeForm): AsyncGenerator<{ readonly copy: SiteCopy; readonly truth: YearState }> {
  await using server = await YearServer.open(year, bodies, form.site)
  const [copy, truth, poll] = [new SiteCopy(), new YearState(year), form.start()]
  for (let week = 0; week <= 3; week++) {
    await server.advance(year.from + week * 7 * DAY_MS)
    truth.advance(year.from + week * 7 * DAY_MS)
    await using line = openLine(server.port, form.line)
    await poll(line, copy, [...truth.pages.keys()])
    yield { copy, truth }
  }
}

const sorted = (entries: Iterable<readonly [string, unknown]>): unknown[] =>
  [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))

for (const form of SCHEME_FORMS) {
  test(`${form.name}: after each poll the copy is the site`, async () => {
    let polls = 0
    for await (const { copy, truth } of polled(form)) {
      polls++
      assert.deepEqual(
        sorted(Array.from(copy.pages, ([path, { digest }]) => [path, digest] as const)),
        sorted(Array.from(truth.pages, ([path, content]) => [path, digests.get(content)] as const)),
      )
      assert.equal(copy.counts.broken, 0)
    }
    assert.equal(polls, 4)
  })
}

test('what is told of is fetched once, and nothing else is', async () => {
  for (const id of ['archives', 'change-list', 'robots-rdf', 'filter-page']) {
    let last: SiteCopy | undefined
    for await (const { copy } of polled(schemeForm(id))) last = copy
    const { fetched, changes } = last!.counts
    assert.equal(fetched, changes, id)
  }
})

test('a difference from something else is not put on what is held', () => {
  const copy = new SiteCopy()
  const headers = [['ETag', '"old"']] as const
  copy.take('/a', Buffer.from('what is held'), headers)
  const answer = {
    status: 226,
    headers: [
      ['IM', 'vcdiff'],
      ['ETag', '"new"'],
    ] as const,
    body: Buffer.from('nonsense'),
  }
  assert.equal(takeEither(copy, '/a', answer), false)
  assert.equal(takeEither(copy, '/b', answer), false)
  assert.equal(copy.counts.broken, 2)
  assert.equal(Buffer.from(copy.pages.get('/a')!.body).toString(), 'what is held')
})
