/**
 * The web of `comity demo`: small sites on loopback, each with a character of its own. One tells crawlers that ask what has
 * changed; the others of those that help call: with differences, with notices, with what an agent of ours says there, and
 * with other pages than it serves.
 */
import type { LivingWeb } from '@comity/testbed'
import type { DemoAgent } from './agent.ts'
import { LOG_EVENTS } from './audit.ts'
import { formatDuration } from '../terminal/quantity.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

type Site = LivingWeb['sites'][number]

/** Pages that change do so every twelve seconds, twenty-four or forty-eight. */
const LIFE = { changeEveryMs: 12_000, changeOctaves: 3, stillShare: 0.2 }

const CALLING = {
  odd: false,
  latencyMs: 8,
  bytesPerSecond: Infinity,
  robots: 'allow',
  sitemap: false,
  validators: 'none',
  gzip: false,
} as const

/**
 * Sizes chosen so that the slow and the strict site, which set the pace, take about as long as the large one, and so that
 * the site that helps has about as many pages as those that do not. All change alike: what differs is what they tell.
 */
export async function openDemoWeb(seed: number, agent: DemoAgent | undefined): Promise<LivingWeb> {
  // Here and not above: no other command needs the lab, and each would pay for loading it.
  const { createLivingWeb } = await import('@comity/testbed')
  const sites = [
    // Its front makes validators and codings.
    { ...LIFE, pages: 60, cooperates: true, validators: 'none' as const, gzip: false },
    { ...LIFE, pages: 40 },
    { ...LIFE, pages: 9, odd: false, sitemap: false },
    { ...LIFE, pages: 10, odd: false },
    { ...LIFE, pages: 8, odd: false },
    { ...LIFE, pages: 24, odd: false },
    { ...LIFE, ...CALLING, pages: 24, calls: ['differences'] as const },
    { ...LIFE, ...CALLING, pages: 12, calls: ['changes'] as const },
    ...(agent === undefined ? [] : [{ ...LIFE, ...CALLING, pages: 12, calls: ['agent'] as const }]),
    // It says when its pages changed: who does not may have changed them again before somebody looked.
    { ...LIFE, ...CALLING, pages: 10, calls: ['pages'] as const, lies: true, validators: 'both' as const },
  ]
  const agents = agent === undefined ? {} : { agentsOf: agent.agentsOf }
  return await createLivingWeb({
    seed,
    sites,
    crawlDelaySeconds: 1,
    troubleMs: 6_000,
    logEvents: LOG_EVENTS,
    ...agents,
  })
}

export function siteMap(sites: readonly Site[], paint: Paint): string[] {
  const rows = sites.map(({ spec, origin, resources }) => {
    const pages = [...resources.values()].filter(({ kind }) => kind === 'page').length
    return [spec.title, new URL(origin).host, `${pages}`, formatDuration(spec.latencyMs), help(spec), character(spec)]
  })
  const head = ['site', 'address', 'pages', 'speed', 'helps', 'robots.txt']
  const [first = '', ...rest] = textTable([head, ...rows], ['left', 'left', 'right', 'right', 'left', 'left'])
  return [
    paint('bold', 'A small web on this machine'),
    paint('dim', first),
    ...rest,
    'The first two also have moved, lost, copied and failing pages. A site that helps tells crawlers what has changed, when it is',
    'asked or by calling them; the last one sends other pages than it serves.',
  ]
}

function help({ cooperates, calls }: Site['spec']): string {
  if (calls?.includes('agent') === true) return 'sends what our agent says'
  if (calls !== undefined) return `sends ${calls.join(', ')}`
  return cooperates ? 'when asked' : 'no'
}

function character({ robots, crawlDelaySeconds }: Site['spec']): string {
  return {
    allow: 'everybody is welcome',
    'disallow-directory': 'not /drafts/',
    'crawl-delay': `${crawlDelaySeconds} s between requests`,
    missing: 'none',
    'server-error': 'broken',
  }[robots]
}
