/**
 * Living plan: draw the sites of a web and the links between them from one seed. Pure.
 *
 *   home ──▶ every section ──▶ every article of the section ──▶ some articles here, few elsewhere
 *                   └────────▶ the odd ones: moved, looping, failing, lost, copied, forbidden
 *
 * Every ordinary page is found from its home page by links alone. Targets inside a site are drawn with a strong taste
 * for the first articles, so in-links follow a power law as on the Web (Broder et al. 2000).
 */
import type { Instant } from '@comity/protocol'
import type { LivingPage, LivingSite, PageLink, Resource, SiteSpec } from './site.ts'
import { oddResources } from './oddities.ts'
import { linkTo, plainPage } from './page-sketch.ts'
import type { PageSketch } from './page-sketch.ts'
import { createRandom, seedOf } from '../seeded-random.ts'
import type { Random } from '../seeded-random.ts'

/** A site that has its place on the network. */
interface PlacedSite {
  readonly spec: SiteSpec
  readonly origin: string
}

export function planWeb(seed: number, placed: readonly PlacedSite[], epoch: Instant): LivingSite[] {
  const sketches = placed.map(({ spec }) => sketchSite(seed, spec))
  const abroad = placed.flatMap(({ origin, spec }, index) =>
    (sketches[index]?.articles ?? [])
      .slice(0, 12)
      .map((page) => ({ site: spec.name, link: linkTo(origin, page, 'text') })),
  )
  return placed.map(({ spec, origin }, index) => {
    const elsewhere = abroad.filter(({ site }) => site !== spec.name).map(({ link }) => link)
    const resources = planSite(seed, { spec, origin }, sketches[index]!, elsewhere, epoch)
    return { spec, origin, epoch, resources: new Map(resources.map((resource) => [resource.path, resource])) }
  })
}

interface SiteSketch {
  readonly home: PageSketch
  readonly sections: readonly { readonly index: PageSketch; readonly articles: readonly PageSketch[] }[]
  readonly articles: readonly PageSketch[]
}

function sketchSite(seed: number, spec: SiteSpec): SiteSketch {
  const random = createRandom(seedOf(seed, spec.name, 'sketch'))
  const sectionCount = Math.max(0, Math.min(spec.topic.sections.length, Math.floor(Math.sqrt(spec.pages - 1))))
  const names = spec.topic.sections.slice(0, sectionCount)
  const articleCount = Math.max(0, spec.pages - 1 - sectionCount)
  const articles = Array.from({ length: articleCount }, (_, index) => {
    const [adjective, noun] = [random.pick(spec.topic.adjectives), random.pick(spec.topic.nouns)]
    const section = names[index % Math.max(1, sectionCount)]
    const directory = section === undefined ? '/' : `/${section}/`
    return { path: `${directory}${adjective}-${noun}-${index + 1}`, title: `The ${adjective} ${noun}` }
  })
  const sections = names.map((name) => ({
    index: { path: `/${name}/`, title: capitalised(name) },
    articles: articles.filter(({ path }) => path.startsWith(`/${name}/`)),
  }))
  return { home: { path: '/', title: spec.title }, sections, articles }
}

function planSite(
  seed: number,
  { spec, origin }: PlacedSite,
  sketch: SiteSketch,
  elsewhere: readonly PageLink[],
  epoch: Instant,
): Resource[] {
  const random = createRandom(seedOf(seed, spec.name, 'plan'))
  const navigation = [sketch.home, ...sketch.sections.map(({ index }) => index)]
  const menu = navigation.map((page) => linkTo(origin, page, 'navigation'))
  const make = (page: PageSketch, links: readonly PageLink[]): LivingPage => ({
    ...plainPage(seed, spec.name, page, [...menu, ...links]),
    images: random.chance(0.3) ? [`/images/${1 + random.int(4)}.svg`] : [],
    changeEveryMs: periodOf(random, spec, page.path === '/'),
    ...(random.chance(0.2) ? { canonical: origin + page.path } : {}),
  })
  const articles = sketch.articles.map((page, index) =>
    make(page, articleLinks(random, origin, sketch.articles, index, elsewhere)),
  )
  const odd = spec.odd
    ? oddResources({ seed, spec, origin, epoch, articles, menu, elsewhere })
    : { resources: [], links: [] }
  // The odd ones hang off the first section, or the home page of a site without sections.
  const oddHost = sketch.sections[0]?.index.path ?? '/'
  const indexes = sketch.sections.map(({ index, articles: own }) =>
    make(index, [...own.map((page) => linkTo(origin, page, 'list')), ...(index.path === oddHost ? odd.links : [])]),
  )
  const homeLinks = sketch.sections.length === 0 ? sketch.articles.map((page) => linkTo(origin, page, 'list')) : []
  const greetings = elsewhere.length === 0 ? [] : [random.pick(elsewhere), random.pick(elsewhere)]
  const home = make(sketch.home, [...homeLinks, ...greetings, ...(oddHost === '/' ? odd.links : [])])
  const images = [1, 2, 3, 4].map(
    (n) => ({ kind: 'image', path: `/images/${n}.svg`, seed: seedOf(seed, spec.name, n) }) as const,
  )
  return [home, ...indexes, ...articles, ...odd.resources, ...images]
}

function articleLinks(
  random: Random,
  origin: string,
  articles: readonly PageSketch[],
  index: number,
  elsewhere: readonly PageLink[],
): PageLink[] {
  const inside = Array.from({ length: 1 + random.int(4) }, () => {
    // The square pulls the draw towards the first articles: those become the hubs.
    return Math.floor(articles.length * random.next() ** 2)
  })
    .filter((target) => target !== index)
    .map((target) => linkTo(origin, articles[target]!, 'text'))
  const next = articles[index + 1]
  const outside = elsewhere.length > 0 && random.chance(0.3) ? [random.pick(elsewhere)] : []
  return [...inside, ...outside, ...(next === undefined ? [] : [linkTo(origin, next, 'list')])]
}

/** The home page changes most; of the others some never do (two in five), and the rest at rates spread over (eight) octaves. */
function periodOf(random: Random, spec: SiteSpec, isHome: boolean): number {
  const octaves = random.int(spec.changeOctaves)
  if (isHome) return spec.changeEveryMs
  return random.chance(spec.stillShare) ? Infinity : spec.changeEveryMs * 2 ** octaves
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
