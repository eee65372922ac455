/** The web of `comity demo`: six small sites on loopback, each with a character of its own; one helps crawlers. */
import type { LivingWeb } from '@comity/lab'
import { formatDuration } from './quantity.ts'
import type { Paint } from './terminal.ts'
import { textTable } from './text-table.ts'

type Site = LivingWeb['sites'][number]

/** Pages that change do so every twelve seconds, twenty-four or forty-eight. */
const LIFE = { changeEveryMs: 12_000, changeOctaves: 3, stillShare: 0.2 }

/**
 * Sizes chosen so that the slow and the strict site, which set the pace, take about as long as the large one, and so that
 * the site that helps has about as many pages as those that do not. All change alike: what differs is what they tell.
 */
export async function openDemoWeb(seed: number): Promise<LivingWeb> {
  // Here and not above: no other command needs the lab, and each would pay for loading it.
  const { createLivingWeb } = await import('@comity/lab')
  const sites = [
    // Its front makes validators and codings.
    { ...LIFE, pages: 60, cooperates: true, validators: 'none' as const, gzip: false },
    { ...LIFE, pages: 40 },
    { ...LIFE, pages: 9, odd: false, sitemap: false },
    { ...LIFE, pages: 10, odd: false },
    { ...LIFE, pages: 8, odd: false },
    { ...LIFE, pages: 24, odd: false },
  ]
  return await createLivingWeb({ seed, sites, crawlDelaySeconds: 1, troubleMs: 6_000 })
}

export function siteMap(sites: readonly Site[], paint: Paint): string[] {
  const rows = sites.map(({ spec, origin, resources }) => {
    const pages = [...resources.values()].filter(({ kind }) => kind === 'page').length
    const help = spec.cooperates ? 'yes' : 'no'
    return [spec.title, new URL(origin).host, `${pages}`, formatDuration(spec.latencyMs), help, character(spec)]
  })
  const head = ['site', 'address', 'pages', 'speed', 'helps', 'robots.txt']
  const [first = '', ...rest] = textTable([head, ...rows], ['left', 'left', 'right', 'right', 'left', 'left'])
  return [
    paint('bold', 'A small web on this machine'),
    paint('dim', first),
    ...rest,
    'The first two also have moved, lost, copied and failing pages. A site that helps tells crawlers what has changed.',
  ]
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
