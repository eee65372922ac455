/** An agent of the engine at a site, from end to end: what it sends, what the engine makes of it, and what when somebody lies. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AgentStore, writeRevocations } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { Collection } from '@comity/collection'
import { openSearch } from '@comity/search'
import type { CooperationRow } from '@comity/follow'
import type { SearchResult } from '@comity/index'
import { newKeyRing } from '@comity/protocol'
import type { Capture } from '@comity/protocol'
import type { AgentOutboxItem, AgentOutbox, Subscribers } from '@comity/site'
import { placeAgent } from '../../packages/cli/src/agent/placement.ts'
import { EngineAgents } from '../../packages/cli/src/agent/engine-agents.ts'
import { openSiteAgents } from '../../packages/cli/src/site/site-agents.ts'
import type { SiteAgents } from '../../packages/cli/src/site/site-agents.ts'
import { toldTruly } from '../crawl/archive-records.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { CALLS_ONLY, page, PushWatch, until } from '../push/push-watch.ts'
import type { PushWatchOptions } from '../push/push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples/agents')
const VISIBLE = readFileSync(join(EXAMPLES, 'visible-text-change.js'), 'utf8')
const PARTIAL = readFileSync(join(EXAMPLES, 'partial-index.js'), 'utf8')
const IMPORTANT = readFileSync(join(EXAMPLES, 'important-pages.js'), 'utf8')
/** The host that the watch listens at: what the agent says goes there. */
const ENGINE = 'http://127.0.51.9/keys'

const OTHERS = Array.from({ length: 12 }, (_, number) => `/other/${number}`)
const SITE: Readonly<Record<string, string>> = {
  '/': page('Home', '/news', ...OTHERS),
  '/news': page('News 1'),
  ...Object.fromEntries(OTHERS.map((path) => [path, page(`Other ${path}`, '/news')])),
}

interface Placed {
  readonly agents: string
  readonly bundles: string
  readonly bundle: AgentBundle
}

async function place(source: string, key = newKeyRing(Buffer.alloc(32, 7), 0)[0], version?: string): Promise<Placed> {
  const [agents, bundles] = [newDirectory(), newDirectory()]
  const manifest = version === undefined ? {} : { version }
  const bundle = await placeAgent({ source, engine: ENGINE, agents, bundles, at: Date.now(), key, manifest })
  return { agents, bundles, bundle }
}

interface Pair extends AsyncDisposable {
  readonly site: CooperatingSite
  readonly watch: PushWatch
  /** What the owner was told of the agents. */
  readonly told: readonly string[]
}

async function pair(
  { agents, bundles }: Placed,
  forge: (results: AgentOutbox) => AgentOutbox = (results) => results,
  options: PushWatchOptions = {},
): Promise<Pair> {
  const told: string[] = []
  const tell = (sentence: string): void => void told.push(sentence)
  const open = (subscribers: Subscribers, base: string): SiteAgents => {
    const own = openSiteAgents({ dir: agents, file: join(agents, 'told.json'), subscribers, base, tell })
    return { ...own, results: forge(own.results) }
  }
  const site = await createCooperatingSite(SITE, { schemes: CALLS_ONLY, calls: { agents: open } })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  const watch = new PushWatch(into, {
    ...options,
    watch: { subscribeTo: ['agent', 'changes'], ...options.watch },
    doors: { agents: new EngineAgents(bundles) },
  })
  await until('a subscription', () => [...site.subscribers.all()].some(({ scheme }) => scheme === 'agent'))
  const dispose = async (): Promise<void> => {
    await watch[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  }
  return { site, watch, told, [Symbol.asyncDispose]: dispose }
}

async function cooperationOf({ watch, site }: Pair): Promise<CooperationRow> {
  await using collection = Collection.openReadOnly(watch.into)
  for (const [key, { origin }] of collection.sites())
    if (origin === site.origin) return collection.cooperation(key) as CooperationRow
  return {}
}

const forged = (line: string): string => line.replace(/"fingerprint":"[0-9a-f]{8}/, '"fingerprint":"00000000')

/** A site that says what its agent did not. */
const forge = (results: AgentOutbox): AgentOutbox => ({
  isWaiting: (subscriber) => results.isWaiting(subscriber),
  taken: async (subscriber, letter) => await results.taken(subscriber, letter),
  next: async (subscriber): Promise<AgentOutboxItem | undefined> => {
    const letter = await results.next(subscriber)
    if (letter === undefined) return undefined
    return { ...letter, records: letter.records.map(({ url, wish, line }) => ({ url, wish, line: forged(line) })) }
  },
})

describe('an agent at a site', { concurrency: 3 }, () => {
  it('says what changed by its own idea of a change: other markup is none, other words are sent', async () => {
    await using both = await pair(await place(VISIBLE))
    const { site, watch } = both
    const news = `${site.origin}/news`
    // The first run tells of all pages; nothing has changed since the crawl.
    await until('the first result', () => watch.outcomes(news).includes('same'))
    await site.set('/news', page('News 1').replace('<p>', '<p class="new" lang="en">'))
    await site.set('/other/1', page('Another one'))
    await until('the other words', () => watch.holds(`${site.origin}/other/1`, 'Another one'))
    const { captures } = (await watch.held(`${site.origin}/other/1`))!
    assert.ok(captures.some(({ source }) => source === 'push'))
    assert.deepEqual(watch.outcomes(news), ['same'])
    assert.ok(!(await watch.holds(news, 'class="new"')))
    await site.set('/news', undefined)
    await until('what is gone', async () => (await watch.held(news))?.status === 404)
    const { checked = 0, different } = (await cooperationOf(both)).pushes ?? {}
    assert.ok(checked > 0)
    assert.equal(different, 0)
  })

  it('is audited: a site that puts other words into its mouth is found out, and is not believed', async () => {
    await using both = await pair(await place(VISIBLE), forge)
    await until('a quarantine', async () => ((await cooperationOf(both)).pushes?.strikes ?? 0) > 0)
    const { restsUntil = 0, different = 0 } = (await cooperationOf(both)).pushes ?? {}
    assert.ok(different >= 2)
    assert.ok(restsUntil > Date.now())
    await both.site.set('/other/2', page('Not believed'))
    await until('a hint', () => both.watch.outcomes(`${both.site.origin}/other/2`).includes('hint'))
  })

  it('of an engine that is not ours is not heard, and once revoked it does not run', async () => {
    const key = newKeyRing(Buffer.alloc(32, 9), 0)[0]
    const placed = await place(VISIBLE, key)
    await using both = await pair(placed)
    const { site, watch, told } = both
    await until('the first result', () => watch.outcomes(`${site.origin}/news`).includes('same'))
    const revoked = [{ kind: 'bundle', id: placed.bundle.digest, reason: 'a mistake' }] as const
    const list = Buffer.from(writeRevocations(Date.now(), revoked, key))
    assert.equal(new AgentStore(placed.agents).revoke(list, Date.now()).kind, 'applied')
    await site.set('/other/3', page('Nobody says so'))
    await until('the owner is told', () =>
      told.some((sentence) => sentence.includes('revoked by its engine (a mistake)')),
    )
    assert.deepEqual(watch.outcomes(`${site.origin}/other/3`), ['same'])
    // Another of the same site, that the engine does not know.
    await placeAgent({
      source: VISIBLE,
      engine: ENGINE,
      agents: placed.agents,
      bundles: newDirectory(),
      at: Date.now(),
      key,
      manifest: { version: '1.0.1' },
    })
    await until('what it says is not heard', () => watch.events.some(({ outcome }) => outcome === 'unoffered'))
    assert.deepEqual(watch.outcomes(`${site.origin}/other/3`), ['same'])
  })

  it('that loops or allocates without end is ended, and the site goes on serving', async () => {
    const source = `export const manifest = { name: 'bad', version: '1.0.0', about: 'Never ends.', perPage: true, emits: ['meta'],
      caps: { cpuMs: 300, wallMs: 5_000, memoryBytes: ${32 << 20} } }
      export function onPage(page) { if (page.url.endsWith('/news')) for (;;); const all = []; for (;;) all.push('x'.repeat(1 << 20)) }`
    await using both = await pair(await place(source))
    const { site, told } = both
    await until('three faults', () => told.some((sentence) => /withdrawn: 3 runs failed in a row/.test(sentence)))
    assert.ok(
      told.some((sentence) => /too-slow|too-large/.test(sentence)),
      told.join('\n'),
    )
    const answer = await fetch(`${site.origin}/news`)
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /News 1/)
  })

  it('that ranks pages puts them in order within the site, and nothing else', async () => {
    await using both = await pair(await place(IMPORTANT))
    await until('an order', async () => ((await cooperationOf(both)).order?.length ?? 0) > 2)
    const [first] = (await cooperationOf(both)).order!
    await using collection = Collection.openReadOnly(both.watch.into)
    assert.equal(collection.url(first!), `${both.site.origin}/news`)
  })

  it('that makes a part of the index lets new pages be found without a request, and audits agree', async () => {
    // Nothing is explored: a page that is new is not fetched but to be compared.
    const seen: Capture[] = []
    const hooks = { onCapture: (capture: Capture) => void seen.push(capture) }
    const crawl = { index: true, hooks }
    await using both = await pair(await place(PARTIAL), undefined, { watch: { explore: 0 }, crawl })
    const { site, watch } = both
    await until('the first result', () => watch.outcomes(`${site.origin}/news`).includes('same'))
    await until('audits', async () => ((await cooperationOf(both)).pushes?.checked ?? 0) >= 3)
    const paths = Array.from({ length: 8 }, (_, number) => `/fresh/${number}`)
    for (const [i, path] of paths.entries()) await site.set(path, page(`Quokka ${i} hops`))
    for (const path of paths)
      await until(`words of ${path}`, () => watch.outcomes(site.origin + path).includes('applied'))
    const search = async (): Promise<readonly SearchResult[]> => {
      await using collection = Collection.openReadOnly(watch.into)
      await using found = openSearch(watch.into, () => collection)
      return (await found.engine.search({ query: '"quokka 3 hops"' })).results
    }
    await until('it can be found', async () => (await search()).length > 0)
    const [result] = await search()
    assert.equal(result?.url, `${site.origin}/fresh/3`)
    assert.equal(result.title, 'Quokka 3 hops')
    assert.match(result.snippet.text, /Quokka 3 hops/)
    const fetched = site.asked.filter(({ path }) => path.startsWith('/fresh/'))
    assert.ok(fetched.length < paths.length / 2, `${fetched.length} of ${paths.length} were fetched`)
    assert.equal((await cooperationOf(both)).pushes?.different, 0)
    const kinds = await toldTruly(watch.into, seen)
    assert.ok(
      [...kinds.values()].some((some) => some.has('resource, extracted text')),
      JSON.stringify([...kinds.keys()]),
    )
  })

  it('is not subscribed to by who has none there: the next best is', async () => {
    const site = await createCooperatingSite(SITE, {
      schemes: CALLS_ONLY,
      calls: {
        agents: (subscribers, base) =>
          openSiteAgents({
            dir: newDirectory(),
            file: `${newDirectory()}.json`,
            subscribers,
            base,
            tell: () => undefined,
          }),
      },
    })
    await using _ = site
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    const doors = { agents: new EngineAgents((await place(VISIBLE)).bundles) }
    await using watch = new PushWatch(into, { watch: { subscribeTo: ['agent', 'pages'] }, doors })
    await until('a subscription', () => [...site.subscribers.all()].some(({ scheme }) => scheme === 'pages'))
    assert.ok([...site.subscribers.all()].every(({ scheme }) => scheme !== 'agent'))
    assert.ok(watch.port > 0)
  })
})
