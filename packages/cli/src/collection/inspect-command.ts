/** `comity inspect`: look at a collection, or at one page's whole story. Reads only; a crawl may be at work. */
import { requireOnePlace, wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { findBrokenLinks } from '../crawl/broken-links.ts'
import type { BrokenLinks } from '../crawl/broken-links.ts'
import { collectFacts } from './collection-facts.ts'
import { collectionReport } from './collection-report.ts'
import { openView } from './collection-view.ts'
import { pageReport } from './page-report.ts'
import { pageStory } from './page-story.ts'
import { counted, countFrom } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface InspectSettings extends WholeSettings {
  readonly links: number
  readonly agent: string
  readonly broken: boolean
  readonly json: boolean
}

/** More than anybody mends at one sitting. */
const MOST_BROKEN = 1_000

export const inspectCommand: Command<InspectSettings> = {
  name: 'inspect',
  summary: 'look at a collection, or at the whole story of one page',
  operands: [
    { name: 'DIR', help: 'the collection to look at; none with --cluster', optional: true },
    { name: 'URL', help: 'the page to tell about', optional: true },
  ],
  flags: {
    links: { argument: 'N', default: 10, shown: '10', parse: countFrom(0), help: 'links shown in each direction' },
    agent: {
      argument: 'NAME',
      default: 'comity',
      shown: 'comity',
      parse: String,
      help: 'whose rules in robots.txt count',
    },
    broken: off('the links that lead nowhere: to what is not there, or to a #place that its page does not have'),
    json: off('print one JSON object'),
    ...wholeFlags,
  },
  examples: [
    ['comity inspect example', 'totals, sites, statuses, errors, what is due next'],
    ['comity inspect example https://example.org/about', 'where it was found, every capture, links in and out'],
  ],
  run: async ({ settings, operands, terminal }: Call<InspectSettings>) => {
    if (settings.cluster === undefined) {
      const [dir, url] = operands
      requireOnePlace(dir, settings)
      return await inspectCollection(dir ?? '', url, settings, terminal)
    }
    const [url, more] = operands
    requireOnePlace(more, settings)
    if (settings.broken) throw new UsageError('--broken looks at one collection: name the directory of a shard.')
    const { inspectWhole } = await import('../cluster/whole-inspect.ts')
    return await inspectWhole(settings, url, terminal)
  },
}

async function inspectCollection(
  dir: string,
  url: string | undefined,
  { links, agent, broken, json }: InspectSettings,
  terminal: Terminal,
): Promise<number> {
  if (broken && url !== undefined) throw new UsageError('--broken is about all pages: leave out the URL.')
  await using view = openView(dir)
  if (broken) return tellBroken(findBrokenLinks(view, MOST_BROKEN), dir, json, terminal)
  if (url === undefined) {
    const facts = collectFacts(view, Date.now())
    terminal.print(json ? JSON.stringify(facts) : collectionReport(facts, Date.now(), terminal.paint).join('\n'))
  } else {
    const story = pageStory(view, url, { links, agent, now: Date.now() })
    terminal.print(json ? JSON.stringify(story) : pageReport(story, Date.now(), terminal.paint).join('\n'))
  }
  return 0
}

function tellBroken(found: BrokenLinks, dir: string, json: boolean, terminal: Terminal): number {
  const { pages, links, unknown, broken, brokenCount } = found
  if (json) terminal.print(JSON.stringify({ collection: dir, ...found }))
  else {
    for (const { from, to, anchor, problem } of broken)
      terminal.print(`${from}\n  "${visible(anchor)}" → ${to}\n  ${terminal.paint('red', problem)}`)
    if (brokenCount > broken.length) terminal.print(`and ${counted(brokenCount - broken.length, 'more')}`)
    const unseen = unknown === 0 ? '' : `; ${counted(unknown, 'leads', 'lead')} to what was not visited`
    terminal.print(
      `${counted(brokenCount, 'broken link')} among ${counted(links, 'link')} on ${counted(pages, 'page')}${unseen}`,
    )
  }
  return brokenCount === 0 ? 0 : 1
}
