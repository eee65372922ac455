// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpPost } from '@comity/site'
import { CountedSite } from '../../../cooperating/counted-site.ts'
import { checkResults } from '../../../report/check.ts'
import { renderReport } from '../../../report/page.ts'
import { hasAgent } from '../../../cooperating/agent.ts'
import { SiteCopy } from '../../../cooperating/copy.ts'
import { measureMade } from './schemes-made.ts'
import { MadeReceiver } from './contender.ts'
import { madeResult } from './result.ts'
import { runMadeSite } from './run.ts'
import { madeYear } from './year.ts'
import type { PushedForm } from '../pushed.ts'
import { PushReceiver } from '../../../cooperating/receiver.ts'
import { networkBytes } from '../run.ts'
import type { SchemeRun } from '../run.ts'
import { Sender } from '../../../cooperating/sender.ts'
import { SITE_BASE, YearServer } from '../../../cooperating/server.ts'
import { schemesSettings } from '../settings.ts'
import { schemeForm } from '../table.ts'

const UNIT = { askingMs: 0.2, answeringMs: 0.1 }
const COSTS = { each: UNIT, kept: { askingMs: 0.1, answeringMs: 0.05 } }
const settings = schemesSettings({
  madePages: [30, 5],
  entirePages: 10,
  changedShare: 0.2,
  schemes: hasAgent('partial-index') ? [] : ['archives', 'push-pages', 'dump'],
})
const outcome = await measureMade(
  settings,
  () => undefined,
  () => Promise.resolve(COSTS),
)

const perPoll = (run: SchemeRun): number => networkBytes(run.year) / run.polls
const runNamed = (runs: readonly SchemeRun[], id: string): SchemeRun => runs.find(({ form }) => form.id === id)!

test('sizes come in order, each with no cooperation and a form of every scheme', () => {
  assert.deepEqual(
    outcome.sizes.map(({ pages }) => pages),
    [5, 30],
  )
  for (const { outcome: one } of outcome.sizes) {
    assert.deepEqual(
      one.runs.slice(0, 2).map(({ form }) => form.id),
      ['none', 'none-knowing'],
    )
    assert.equal(new Set(one.runs.slice(1).map(({ form }) => form.row)).size, one.runs.length - 1)
  }
})

test('who polls takes each changed page once a poll, and who is sent to takes every change', () => {
  const { outcome: one, periods, changes } = outcome.sizes[1]!
  const [base, archives, pages] = ['none', 'archives', 'push-pages'].map((id) => runNamed(one.runs, id))
  assert.equal(base!.year.requests, 30 * periods)
  assert.equal(base!.year.fetched, 30 * periods)
  assert.equal(archives!.year.fetched, base!.year.changes)
  assert.equal(runNamed(one.runs, 'none-knowing').year.requests, base!.year.changes)
  assert.equal(pages!.year.fetched, changes)
  assert.ok(networkBytes(archives!.year) < networkBytes(base!.year))
})

test('an answer that nothing changed is one: the copy has the tags that the plain site makes', () => {
  const { outcome: one } = outcome.sizes[1]!
  const conditional = runNamed(one.runs, 'conditional')
  assert.equal(conditional.year.fetched, conditional.year.changes)
})

test('entire sites that are too large are reckoned from the next smaller, and marked', () => {
  const [small, large] = outcome.sizes
  assert.deepEqual([...small!.reckoned], [])
  assert.ok(large!.reckoned.has('dump'))
  const [one, other] = [small!, large!].map((size) => runNamed(size.outcome.runs, 'dump'))
  assert.ok(Math.abs(perPoll(other!) / perPoll(one!) - 6) < 1e-9)
  assert.equal(other!.polls, large!.periods)
})

test('what a request takes as such is added for each of them, and kept connections are cheaper', () => {
  const { outcome: one } = outcome.sizes[1]!
  const [base, kept] = [runNamed(one.runs, 'none'), runNamed(one.runs, 'keep-alive')]
  assert.ok(Math.abs(base.year.serverMs - kept.year.serverMs - base.year.requests * 0.05) < 1e-6)
  assert.ok(base.year.cpuMs >= base.year.requests * 0.2)
  assert.equal(networkBytes(base.year), networkBytes(kept.year))
})

test('bytes, requests and freshness are the same each time; only times are not', async () => {
  const forms = ['none', 'push-differences', 'push-batches', 'vcdiff', 'filter-page'].map(schemeForm)
  const once = async (): Promise<unknown> => {
    const { runs } = await runMadeSite(12, settings, forms, { costs: COSTS })
    return runs.map(({ form, year, polls, idle }) => [
      form.id,
      polls,
      year.requests,
      year.sent,
      year.received,
      idle.sent,
    ])
  }
  assert.deepEqual(await once(), await once())
})

test('the report of it can be drawn, with a sign for each cost and size', () => {
  const result = madeResult(outcome)
  checkResults([result])
  const table = result.tables[0]!
  assert.equal(table.columns.length, 4 + 2)
  assert.equal(table.rows.length % 3, 0)
  assert.match(renderReport([result]), /by the size of the site/)
})

/** Both ways, after all pages were sent once. */
async function overSockets(form: PushedForm): Promise<number> {
  const { pages } = madeYear(4, settings)
  const bodies = new Map(pages.map(({ path, body }) => [path, body]))
  const at = Date.UTC(2026, 0, 2)
  const year = {
    name: '',
    folder: '',
    from: at,
    until: at + 1,
    present: pages.map(({ path }) => ({ at, path, content: path })),
    events: [],
  }
  await using server = await YearServer.open(year, bodies, form.site)
  await using receiver = await PushReceiver.listen({
    copy: new SiteCopy(),
    terms: form.push,
    sitePort: server.port,
  })
  const before = receiver.traffic
  const post = httpPost({ allowPrivate: true })
  const terms = { site: server.siteOptions, terms: form.push, address: receiver.address, post, everyMs: 1 }
  await new Sender(terms).send(at)
  await receiver.settled()
  const { sent, received } = receiver.traffic
  return sent + received - before.sent - before.received
}

async function weighed(form: PushedForm): Promise<number> {
  const { pages } = madeYear(4, settings)
  const site = await CountedSite.open(pages, { base: SITE_BASE, at: Date.UTC(2026, 0, 2) })
  const receiver = new MadeReceiver(form, new SiteCopy(), site, COSTS)
  const terms = {
    site: site.options,
    terms: form.push,
    address: 'http://127.0.0.1:12345/',
    post: receiver.post,
    everyMs: 1,
  }
  receiver.sender = new Sender(terms)
  return networkBytes((await receiver.send(site.now))!)
}

for (const id of ['push-changes', 'push-pages', 'push-site'])
  test(`${id} weighs what it weighs on sockets`, async () => {
    const form = schemeForm(id) as PushedForm
    const [real, counted] = [await overSockets(form), await weighed(form)]
    assert.ok(Math.abs(real / counted - 1) < 0.02, `${real} on sockets, ${counted} weighed`)
  })
