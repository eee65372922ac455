/** `comity inspect --cluster`: all shards in numbers, or a page's story as its home tells it, with the links that the others know of. */
import { shardOf } from '@comity/cluster'
import { canonicalUrl, defaultUrlRules, siteOf } from '@comity/protocol'
import type { CollectionFacts } from '../collection/collection-facts.ts'
import { collectionReport } from '../collection/collection-report.ts'
import { pageReport } from '../collection/page-report.ts'
import type { PageStory } from '../collection/page-story.ts'
import { withScheme } from '../crawl/options.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { NotThere, UsageError } from '../usage-error.ts'
import { joinedFacts } from './joined-facts.ts'
import { openCluster } from './place.ts'
import type { WholeSettings } from './place-flags.ts'
import { jsonOfShard, jsonOfShards, shardsOf } from './whole-tasks.ts'
import type { Whole } from './whole-tasks.ts'

interface WholeInspectSettings extends WholeSettings {
  readonly links: number
  readonly agent: string
  readonly json: boolean
}

export async function inspectWhole(
  settings: WholeInspectSettings,
  url: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  const whole = { road, settings: made }
  const { links, agent, json } = settings
  const asked = { word: 'inspect', links, agent }
  if (url === undefined) {
    const all = await jsonOfShards<CollectionFacts>(whole, shardsOf(whole), asked)
    const facts = joinedFacts(made.name, all)
    const told = { cluster: made.name, shards: made.shards, ...facts }
    terminal.print(json ? JSON.stringify(told) : collectionReport(facts, Date.now(), terminal.paint).join('\n'))
    return 0
  }
  const story = await storyOf(whole, url, { ...asked, url }, links)
  terminal.print(json ? JSON.stringify(story) : pageReport(story, Date.now(), terminal.paint).join('\n'))
  return 0
}

interface WholeStory extends PageStory {
  /** Where the page is at home; its number counts there alone. */
  readonly shard: number
}

async function storyOf(
  whole: Whole,
  typed: string,
  asked: Readonly<Record<string, string | number>>,
  links: number,
): Promise<WholeStory> {
  const url = canonicalUrl(withScheme(typed), undefined, defaultUrlRules)
  if (url === undefined) throw new UsageError(`"${typed}" is not a URL: write it like https://example.org/page.`)
  const home = shardOf(siteOf(url), whole.settings.shards)
  const story = await jsonOfShard<PageStory>(whole, home, asked)
  const others = await Promise.all(
    shardsOf(whole)
      .filter((shard) => shard !== home)
      .map(async (shard) => await linksAt(whole, shard, asked)),
  )
  const linksIn = [...story.linksIn, ...others.flatMap((one) => one?.linksIn ?? [])]
  return {
    ...story,
    shard: home,
    linksIn: linksIn.slice(0, links),
    linksInCount: others.reduce((sum, one) => sum + (one?.linksInCount ?? 0), story.linksInCount),
  }
}

/** Undefined where the page is not known, as nothing there leads to it. */
async function linksAt(
  whole: Whole,
  shard: number,
  asked: Readonly<Record<string, string | number>>,
): Promise<PageStory | undefined> {
  try {
    return await jsonOfShard<PageStory>(whole, shard, asked)
  } catch (error) {
    if (error instanceof NotThere) return undefined
    throw error
  }
}
