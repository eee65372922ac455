// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { httpPost, pushSigner } from '@comity/site'
import { agentBundle, AgentRunner } from '../../cooperating/agent.ts'
import { SiteCopy } from '../../cooperating/copy.ts'
import { writeMadeYear } from '../../testing/schemes-fixture.ts'
import { openLine } from '../../cooperating/http.ts'
import type { Answered, Asked } from '../../cooperating/http.ts'
import { PULLED_FORMS } from './pulled.ts'
import type { PulledForm } from './pulled.ts'
import { PUSHED_FORMS } from './pushed.ts'
import type { PushedForm } from './pushed.ts'
import { PushReceiver } from '../../cooperating/receiver.ts'
import { digestsOf, visibleTexts } from './run.ts'
import { Sender, SITE_KEYS } from '../../cooperating/sender.ts'
import { SITE_BASE, YearServer } from '../../cooperating/server.ts'
import { SiteFollower } from '../../cooperating/site-follower.ts'
import { DAY_MS, readBodies, readYear, YearState } from '../../cooperating/year.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-schemes-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeMadeYear(folder, { pages: 20, days: 21, seed: 3 })
const [year, bodies] = [await readYear(folder), await readBodies(folder)]
const digests = digestsOf(bodies)
const textOf = visibleTexts(bodies, digests)

interface Kept {
  readonly copy: SiteCopy
  readonly truth: YearState
}

/** What a form keeps through three polls, each a week after the last, beside what the site is. */
async function* polled(form: PulledForm): AsyncGenerator<Kept> {
  await using server = await YearServer.open(year, bodies, form.site)
  const [copy, truth] = [new SiteCopy(), new YearState(year)]
  const poll = form.start(copy)
  for (let week = 0; week <= 3; week++) {
    const at = year.from + week * 7 * DAY_MS
    await server.advance(at)
    const changed = truth.advance(at).map(({ path }) => path)
    await using line = openLine(server.port, form.line)
    await poll(line, form.knows === true && week > 0 ? changed : [...truth.pages.keys()], at)
    yield { copy, truth }
  }
}

/** What is kept by being sent to, after each delivery. */
async function deliveries(
  form: PushedForm,
  onDelivery: (kept: Kept) => void,
): Promise<{ readonly copy: SiteCopy; readonly receiver: PushReceiver }> {
  await using server = await YearServer.open(year, bodies, form.site)
  const [copy, truth] = [new SiteCopy(), new YearState(year)]
  await using receiver = await PushReceiver.listen({ copy, terms: form.push, sitePort: server.port })
  const { agent } = form.push
  const sender = new Sender({
    site: server.siteOptions,
    terms: form.push,
    address: receiver.address,
    post: httpPost({ allowPrivate: true, sign: pushSigner(SITE_KEYS, Date.now) }),
    everyMs: 7 * DAY_MS,
    agent: agent === undefined ? undefined : new AgentRunner(await agentBundle(agent), server.siteOptions),
  })
  const counted = {
    get dueAt() {
      return sender.dueAt
    },
    send: async (now: number): Promise<void> => {
      const { requests } = receiver.traffic
      await sender.send(now)
      if (form.push.scheme === 'site') await receiver.siteEnded()
      await receiver.settled()
      truth.advance(now)
      if (receiver.traffic.requests > requests) onDelivery({ copy, truth })
    },
  }
  await server.live(year.until, counted, () => undefined)
  assert.equal(sender.trouble, undefined)
  return { copy, receiver }
}

const sorted = (entries: Iterable<readonly [string, unknown]>): unknown[] =>
  [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))

function isSite({ copy, truth }: Kept, name: (digest: string) => string = (digest) => digest): void {
  assert.deepEqual(
    sorted(Array.from(copy.pages, ([path, { digest }]) => [path, name(digest)] as const)),
    sorted(Array.from(truth.pages, ([path, content]) => [path, name(digests.get(content)!)] as const)),
  )
  assert.equal(copy.counts.broken, 0)
}

for (const form of PULLED_FORMS) {
  test(`${form.name}: after each poll the copy is the site`, async () => {
    let polls = 0
    for await (const kept of polled(form)) {
      polls++
      isSite(kept)
    }
    assert.equal(polls, 4)
  })
}

/** With the first copy; two of the changes of a day are a second apart, and every tenth day has two more. */
const COUNTS: Readonly<Record<string, number>> = {
  'at once': 1 + year.events.length,
  hourly: 1 + 2 * 21,
  daily: 1 + 21,
  'each period': 4,
  agent: 4,
}

for (const form of PUSHED_FORMS) {
  test(`${form.name}: after each delivery the copy is the site`, async () => {
    const { agent, when } = form.push
    let sent = 0
    await deliveries(form, (kept) => {
      sent++
      isSite(kept, agent === 'visible-text-change' ? textOf : undefined)
    })
    assert.ok(sent <= COUNTS[when]! && sent >= COUNTS[when]! - (when === 'hourly' ? 21 : 0), `${sent} deliveries`)
  })
}

test('what is told of is fetched once, and nothing else is', async () => {
  for (const form of PULLED_FORMS.filter(({ id }) => /^(archives|change-list|robots-rdf|filter-page)$/.test(id))) {
    let last: SiteCopy | undefined
    for await (const { copy } of polled(form)) last = copy
    const { fetched, changes } = last!.counts
    assert.equal(fetched, changes, form.id)
  }
})

test('what is sent is taken once, and nothing of it is asked for', async () => {
  const form = PUSHED_FORMS.find(({ id }) => id === 'push-differences')!
  const { copy, receiver } = await deliveries(form, () => undefined)
  assert.equal(copy.counts.fetched, copy.counts.changes)
  // One request for each delivery.
  assert.equal(receiver.traffic.requests, COUNTS['at once']!)
})

test('a difference from something else is not put on what is held: the page is asked for whole, and no difference again', async () => {
  const copy = new SiteCopy()
  copy.take('/a', Buffer.from('what is held'), [['ETag', '"old"']])
  const headers = [
    ['IM', 'vcdiff'],
    ['ETag', '"new"'],
  ] as const
  const wishes: boolean[] = []
  const line = {
    ask: async ({ headers: asked = [] }: Asked): Promise<Answered> => {
      const isWish = asked.some(([name]) => name === 'a-im')
      wishes.push(isWish)
      return { status: isWish ? 226 : 200, headers, body: Buffer.from(isWish ? 'nonsense' : 'the page') }
    },
  }
  const follower = new SiteFollower({ base: SITE_BASE, copy, differences: 'delta' })
  await follower.visit(line, '/a', 0)
  await follower.visit(line, '/a', 0)
  assert.deepEqual(wishes, [true, false, false])
  assert.equal(copy.counts.broken, 1)
  assert.equal(Buffer.from(copy.pages.get('/a')!.body).toString(), 'the page')
})
