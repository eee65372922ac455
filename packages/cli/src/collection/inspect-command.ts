/** `comity inspect`: look at a collection, or at one page's whole story. Reads only; a crawl may be at work. */
import { requireOnePlace, wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { collectFacts } from './collection-facts.ts'
import { collectionReport } from './collection-report.ts'
import { openView } from './collection-view.ts'
import { pageReport } from './page-report.ts'
import { pageStory } from './page-story.ts'
import { countFrom } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface InspectSettings extends WholeSettings {
  readonly links: number
  readonly agent: string
  readonly json: boolean
}

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
    const { inspectWhole } = await import('../cluster/whole-inspect.ts')
    return await inspectWhole(settings, url, terminal)
  },
}

async function inspectCollection(
  dir: string,
  url: string | undefined,
  { links, agent, json }: InspectSettings,
  terminal: Terminal,
): Promise<number> {
  await using view = openView(dir)
  if (url === undefined) {
    const facts = collectFacts(view, Date.now())
    terminal.print(json ? JSON.stringify(facts) : collectionReport(facts, Date.now(), terminal.paint).join('\n'))
  } else {
    const story = pageStory(view, url, { links, agent, now: Date.now() })
    terminal.print(json ? JSON.stringify(story) : pageReport(story, Date.now(), terminal.paint).join('\n'))
  }
  return 0
}
