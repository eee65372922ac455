/** The web of `comity demo`: six small sites on loopback, each with a character of its own. */
import type { LivingWeb } from '@comity/lab'
import { formatDuration } from './quantity.ts'
import type { Paint } from './terminal.ts'
import { textTable } from './text-table.ts'

type Site = LivingWeb['sites'][number]

/** Sizes chosen so that the slow and the strict site, which set the pace, take about as long as the large one. */
export async function openDemoWeb(seed: number): Promise<LivingWeb> {
  // Here and not above: no other command needs the lab, and each would pay for loading it.
  const { createLivingWeb } = await import('@comity/lab')
  const sites = [
    { pages: 60 },
    { pages: 40 },
    { pages: 9, odd: false },
    { pages: 10, odd: false },
    { pages: 8, odd: false },
    { pages: 24, odd: false },
  ]
  return await createLivingWeb({ seed, sites, crawlDelaySeconds: 1, troubleMs: 6_000 })
}

export function siteMap(sites: readonly Site[], paint: Paint): string[] {
  const rows = sites.map(({ spec, origin, resources }) => {
    const pages = [...resources.values()].filter(({ kind }) => kind === 'page').length
    return [spec.title, new URL(origin).host, `${pages}`, formatDuration(spec.latencyMs), character(spec)]
  })
  const head = ['site', 'address', 'pages', 'speed', 'robots.txt']
  const [first = '', ...rest] = textTable([head, ...rows], ['left', 'left', 'right', 'right', 'left'])
  return [
    paint('bold', 'A small web on this machine'),
    paint('dim', first),
    ...rest,
    'The first two also have moved, lost, copied and failing pages.',
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
