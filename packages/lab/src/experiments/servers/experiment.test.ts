// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { checkResults } from '../../report/check.ts'
import type { ExperimentResult } from '../../report/model.ts'
import { renderReport } from '../../report/page.ts'
import { runServers } from './experiment.ts'
import { measureScenario } from './scenario.ts'
import { archiveBytes, FIGURE_2, FIGURE_6, historyScenario, paperScenarios } from './scenarios.ts'
import { serversSettings } from './settings.ts'
import type { ServersSettings } from './settings.ts'
import { openServersSource } from './source.ts'
import { processOf } from '../../webs/change-process.ts'
import { readHistory } from '../../webs/history-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-servers-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const quick: Partial<ServersSettings> = { pages: 400, levels: 10, seeds: [1, 2] }
const numbersOf = ({ claims }: ExperimentResult): number[] =>
  [...new Set(claims.map(({ number }) => number))].toSorted((a, b) => a - b)

test('the paper is a report: every claim answered, every figure drawn, and the same for the same seeds', () => {
  const parts: string[] = []
  const result = runServers({ kind: 'paper' }, quick, {
    onPart: (what, done, of) => parts.push(`${done + 1}/${of} ${what}`),
  })
  checkResults([result])
  assert.deepEqual(
    numbersOf(result),
    Array.from({ length: 15 }, (_, i) => i + 1),
  )
  assert.deepEqual(
    new Set(result.figures.map(({ paperRef }) => paperRef)),
    new Set(['000 Figure 2', '000 Figure 3', '000 Figure 4', '000 Figure 6(a)', '000 Figure 6(b)', '000 Figure 6(c)']),
  )
  assert.equal(parts[0], `1/4 ${FIGURE_2}`)
  assert.equal(renderReport([runServers({ kind: 'paper' }, quick)]), renderReport([result]))
})

test('in the setting of 000 §6 all is fresh at about a fifth of the bandwidth, and with differences at far less', () => {
  const settings = serversSettings({ seeds: [1, 2] })
  const scenario = paperScenarios(settings).find(({ name }) => name === FIGURE_6)!
  const { perfect, changedADay, needless } = measureScenario(scenario, settings)
  assert.ok(perfect.conventional.mean > 0.99)
  for (const { metadata, differences } of perfect.ways) {
    assert.ok(metadata.mean > changedADay.mean && metadata.mean < 0.23, `metadata: ${metadata.mean}`)
    assert.ok(differences.mean < 0.02, `differences: ${differences.mean}`)
  }
  assert.ok(Math.abs(needless.at(-1)!.bound.mean - 0.77) < 0.01)
})

test('a day costs the newest segments that hold its changes, and one without changes nothing', () => {
  const changes = [[0.5], [0.5], [], [2.5]]
  const process = processOf(4, 3, (page, add) => {
    for (const at of changes[page]!) add(at)
  })
  // Pages 0 and 2 are on one site, 1 and 3 on the other; a segment of one entry is 10 bytes.
  assert.deepEqual([...archiveBytes(process, 2, { entryBytes: 10, segmentEntries: 1 })], [20, 0, 10])
  assert.deepEqual([...archiveBytes(process, 2, { entryBytes: 10, segmentEntries: 2_000 })], [40, 0, 20])
})

// oxfmt-ignore
const bad: [given: object, message: RegExp][] = [
  [{ pages: 0 },                     /pages is 0; give 1 to/],
  [{ pages: 1.5 },                   /pages is 1\.5; give a whole number/],
  [{ pages: 2, sites: 3 },           /2 pages are too few for 3 sites/],
  [{ classShares: [1] },             /classShares are 1; give 5/],
  [{ classShares: [1, 1, 0, 0, 0] }, /that add up to 1/],
  [{ metadataPages: [] },            /metadataPages/],
  [{ deltaShare: 2 },                /deltaShare is 2; give 0 to 1/],
  [{ seeds: [] },                    /seeds/],
  [{ speed: 1 },                     /no setting speed; it has pages/],
]
for (const [given, message] of bad) {
  test(`settings ${JSON.stringify(given)} are refused`, () => {
    assert.throws(
      () => serversSettings(given),
      (error) => error instanceof RangeError && message.test(error.message),
    )
  })
}

test('what a file is is told by how it begins', async () => {
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const days = Array.from({ length: 200 }, (_, day) => `${day * 86_400}\t${day === 0 ? 'A' : 'M'}\ta.html\tx\t100\n`)
  const history = await openServersSource(write('site.tsv', `epoch\tstatus\tpath\tblob\tbytes\n${days.join('')}`))
  const log = await openServersSource(
    write('site.log', '::1 - - [17/May/2015:10:05:03 +0000] "GET /a.html HTTP/1.0" 200 5\n'),
  )
  mkdirSync(join(folder, 'manuals'))
  write(
    'manuals/pages.tsv',
    'id\turl\tbytes\tmtime\n0\thttp://a.test/x.html\t500\t1000\n1\thttp://a.test/y.html\t700\t2000\n',
  )
  const listing = await openServersSource(join(folder, 'manuals'))
  assert.deepEqual([history.kind, log.kind, listing.kind], ['history', 'log', 'listing'])
  const results = [history, log, listing].map((source) => runServers(source, quick))
  checkResults(results)
  assert.deepEqual(results.map(numbersOf), [
    [7, 8, 9, 13, 14, 15],
    [5, 10, 11, 12],
    [1, 2, 3, 4, 5, 6, 13, 14, 15],
  ])
  await assert.rejects(openServersSource(join(folder, 'none')), /There is no such file.*access log/)
  await assert.rejects(openServersSource(folder), /no pages\.tsv/)
})

test('a history shorter than a run is refused', async () => {
  const path = join(folder, 'short.tsv')
  writeFileSync(path, 'epoch\tstatus\tpath\tblob\tbytes\n0\tA\ta.html\tx\t100\n86400\tM\ta.html\tx\t100\n')
  const source = await openServersSource(path)
  assert.throws(() => runServers(source, quick), /shorter than the 100 days/)
})

test('on thirty years of a real site metadata needs a tenth of the bandwidth, differences a hundredth', async (t) => {
  const path = sharedData('histories/openbsd-www.tsv.xz')
  if (path === undefined) return missing(t, 'histories/openbsd-www.tsv.xz')
  const settings = serversSettings({})
  const { perfect } = measureScenario(historyScenario(await readHistory(path), settings), settings)
  const [{ metadata, differences } = assert.fail()] = perfect.ways
  assert.ok(metadata.mean / perfect.conventional.mean < 0.1)
  assert.ok(differences.mean / perfect.conventional.mean < 0.01)
})

test('the metadata of real manuals is at most 22 bytes a page and 0.16 % of the content', async (t) => {
  const path = sharedData('graphs/debian-doc-web')
  if (path === undefined) return missing(t, 'graphs/debian-doc-web')
  const { claims } = runServers(await openServersSource(path), quick)
  const verdicts = new Map(claims.map(({ part, verdict }) => [part, verdict]))
  for (const part of ['000.1b', '000.2a', '000.2b', '000.3a', '000.3b', '000.4a', '000.6a', '000.6b'])
    assert.equal(verdicts.get(part), 'holds', part)
  assert.match(claims[1]!.ours, /^8\.\d+ bytes packed/)
})
