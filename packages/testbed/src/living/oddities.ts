/**
 * Living oddities: what every real site has beside its pages. Moved pages, chains and one loop of redirects, pages
 * that are lost or fail for a while, exact and near copies, drafts that robots.txt forbids, and orphans that only the
 * sitemap knows.
 */
import type { Instant } from '@comity/protocol'
import { draftsDirectory } from './site.ts'
import type { LivingPage, LivingRedirect, PageLink, Resource, SiteSpec, Trouble } from './site.ts'
import { linkTo, plainPage } from './page-sketch.ts'
import type { PageSketch } from './page-sketch.ts'

interface OddityFacts {
  readonly seed: number
  readonly spec: SiteSpec
  readonly origin: string
  readonly epoch: Instant
  readonly articles: readonly LivingPage[]
  readonly menu: readonly PageLink[]
  readonly elsewhere: readonly PageLink[]
}

/** The resources, and the links that lead to those of them which any page may link to. */
export function oddResources(facts: OddityFacts): { resources: Resource[]; links: PageLink[] } {
  const groups = [moved(facts), lost(facts), failing(facts), copies(facts), drafts(facts), orphans(facts)]
  return { resources: groups.flatMap((group) => group.resources), links: groups.flatMap((group) => group.links) }
}

interface Group {
  readonly resources: readonly Resource[]
  readonly links: readonly PageLink[]
}

const nothing: Group = { resources: [], links: [] }

const redirect = (path: string, status: LivingRedirect['status'], location: string): LivingRedirect => ({
  kind: 'redirect',
  path,
  status,
  location,
})

/** Pages link only to these: the rest are what a redirect leads to. */
const entrances = new Set(['/old/permanent', '/old/for-now', '/old/for-good', '/moved/1', '/round/a', '/partner'])

function moved({ origin, articles, elsewhere }: OddityFacts): Group {
  const [first, second] = [articles[0], articles[1]]
  if (first === undefined || second === undefined) return nothing
  const partner = elsewhere[0]
  const resources = [
    redirect('/old/permanent', 301, origin + first.path),
    redirect('/old/for-now', 302, second.path),
    redirect('/old/for-good', 308, first.path),
    redirect('/moved/1', 301, '/moved/2'),
    redirect('/moved/2', 302, `${origin}/moved/3`),
    redirect('/moved/3', 301, second.path),
    redirect('/round/a', 302, '/round/b'),
    redirect('/round/b', 302, '/round/a'),
    ...(partner === undefined ? [] : [redirect('/partner', 301, partner.url)]),
  ]
  const links = resources
    .filter(({ path }) => entrances.has(path))
    .map(({ path }) => linkTo(origin, { path, title: `Our ${path.slice(1).replace('/', ' ')} page` }, 'list'))
  return { resources, links }
}

function lost({ origin }: OddityFacts): Group {
  const resources: Resource[] = [
    { kind: 'loss', path: '/lost/page', status: 404 },
    { kind: 'loss', path: '/lost/for-good', status: 410 },
    { kind: 'loss', path: '/lost/broken', status: 500 },
  ]
  return {
    resources,
    links: resources.map(({ path }) => linkTo(origin, { path, title: 'A page from before' }, 'list')),
  }
}

function failing(facts: OddityFacts): Group {
  const until = facts.epoch + facts.spec.troubleMs
  const troubles: readonly (readonly [PageSketch, Trouble])[] = [
    [
      { path: '/shaky/engine', title: 'The shaky engine' },
      { status: 500, until, retryAfter: 'none' },
    ],
    [
      { path: '/shaky/repairs', title: 'Closed for repairs' },
      { status: 503, until, retryAfter: 'seconds' },
    ],
    [
      { path: '/shaky/holiday', title: 'Back after the holiday' },
      { status: 503, until, retryAfter: 'date' },
    ],
    [
      { path: '/shaky/queue', title: 'The long queue' },
      { status: 429, until, retryAfter: 'seconds' },
    ],
  ]
  return {
    resources: troubles.map(([sketch, trouble]) => ({ ...ordinary(facts, sketch), trouble })),
    links: troubles.map(([sketch]) => linkTo(facts.origin, sketch, 'list')),
  }
}

/** In the same directory as the original, so that relative links in the same bytes lead to the same places. */
function copies(facts: OddityFacts): Group {
  const original = facts.articles[0]
  if (original === undefined) return nothing
  const near: LivingPage = {
    ...original,
    path: `${original.path}-print`,
    canonical: facts.origin + original.path,
    copyOf: { path: original.path, likeness: 'near' },
  }
  const exact: LivingPage = {
    ...original,
    path: `${original.path}-copy`,
    copyOf: { path: original.path, likeness: 'exact' },
  }
  return { resources: [near, exact], links: [near, exact].map((page) => linkTo(facts.origin, page, 'list')) }
}

/** The second draft is linked from the first alone: whoever holds it has read what was forbidden. */
function drafts(facts: OddityFacts): Group {
  if (facts.spec.robots !== 'disallow-directory') return nothing
  const first = { path: `${draftsDirectory}unfinished`, title: 'An unfinished draft' }
  const second = { path: `${draftsDirectory}hidden`, title: 'A hidden draft' }
  return {
    resources: [ordinary(facts, first, [linkTo(facts.origin, second, 'text')]), ordinary(facts, second)],
    links: [linkTo(facts.origin, first, 'list')],
  }
}

function orphans(facts: OddityFacts): Group {
  if (!facts.spec.sitemap) return nothing
  return { resources: [ordinary(facts, { path: '/orphan', title: 'A page only the sitemap knows' })], links: [] }
}

const ordinary = (facts: OddityFacts, sketch: PageSketch, links: readonly PageLink[] = []): LivingPage =>
  plainPage(facts.seed, facts.spec.name, sketch, [...facts.menu, ...links])
