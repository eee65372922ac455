/**
 * Graph page: the sites and the links between them, as a picture and as a table of the same. The picture is SVG that
 * the server draws; graph.js only lights up what a site is linked with.
 */
import { ownPath } from '../html/address.ts'
import { counted, formatCount, formatShare } from '../client/figures.js'
import { cut, plain, siteLink, siteName } from '../html/foreign-text.ts'
import { placeLabels } from './labels.ts'
import type { Label } from './labels.ts'
import { HEIGHT, WIDTH, layOut } from './layout.ts'
import type { Layout } from './layout.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { GraphModel } from '../model/models.ts'
import { renderShell } from '../html/page-shell.ts'

type Link = GraphModel['links'][number]

const MAX_SITES = 300
/** More strokes than this are a fog; every site keeps its strongest. */
const MAX_STROKES = 750
const MAX_LABELS = 70
/** How many clusters have a colour of their own; the style sheet has as many. */
const COLOURS = 8
const MAX_NAME = 28

export function renderGraphPage(model: GraphModel): string {
  const sites = model.sites.slice(0, MAX_SITES)
  const links = model.links.filter(([from, to]) => from < sites.length && to < sites.length && from !== to)
  const leftOut = model.leftOut + model.sites.length - sites.length
  return renderShell({
    title: 'Graph of the sites',
    place: 'graph',
    isWide: true,
    scripts: ['graph.js'],
    main: html`<h1>Sites and the links between them</h1>
      ${sites.length === 0 ? html`<p class="lead">No site is known yet. <a href="/live">See whether a crawl is running</a></p>` : graphPart(sites, links, leftOut, model.linkedOnly)}`,
  })
}

/** Most sites that pages link to were never visited, and would hide those that were. */
function linkedLine(linkedOnly: number): Html | false {
  if (linkedOnly === 0) return false
  return html`${counted(linkedOnly, 'site')} that pages merely link to ${linkedOnly === 1 ? 'is' : 'are'} not shown:
    <a href="${ownPath('/graph', { show: 'all' })}">show all</a>.`
}

function graphPart(sites: GraphModel['sites'], links: readonly Link[], leftOut: number, linkedOnly: number): Html {
  const strokes = strongest(links, sites.length)
  return html`<p class="lead">
      ${counted(sites.length, 'site')} and ${counted(links.length, 'pair')} of sites with
      links${leftOut > 0 && `; ${formatCount(leftOut)} less important sites are left out`}. ${linkedLine(linkedOnly)} A
      circle’s area goes with the pages held; a stroke bends to the right on its way to the site it leads
      to${strokes.length < links.length && `; of the strokes, the ${formatCount(strokes.length)} strongest are drawn`}.
      Colours are groups of sites that link to each other.
    </p>
    <p><a class="skip-here" href="#graph-table">Skip the picture: the same as a table</a></p>
    ${picture(sites, strokes)}
    <section id="graph-table" tabindex="-1">
      <h2>The same as a table</h2>
      ${table(sites, links)}
    </section>`
}

/** The heaviest links, but the heaviest of each site before all others. */
function strongest(links: readonly Link[], sites: number): readonly Link[] {
  if (links.length <= MAX_STROKES) return links
  const sorted = links.toSorted((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1])
  const isSeen = new Uint8Array(sites)
  const [first, rest]: [Link[], Link[]] = [[], []]
  for (const link of sorted) {
    const isFirst = isSeen[link[0]] === 0 || isSeen[link[1]] === 0
    if (isFirst) isSeen[link[0]] = isSeen[link[1]] = 1
    ;(isFirst ? first : rest).push(link)
  }
  return [...first, ...rest].slice(0, MAX_STROKES)
}

function picture(sites: GraphModel['sites'], links: readonly Link[]): Html {
  const names = sites.map(({ origin }) => plain(siteName(origin), MAX_NAME))
  const layout = layOut(
    sites.map(({ pages }) => pages),
    links,
  )
  const labels = placeLabels(layout, names, MAX_LABELS)
  return html`<div class="graph" role="region" aria-label="Picture of the sites" tabindex="0">
    <svg
      id="graph"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      data-links="${links.map(([from, to]) => `${from}-${to}`).join(' ')}"
    >
      <g class="strokes" aria-hidden="true">${strokePaths(links, layout)}</g>
      <g class="lit" aria-hidden="true"></g>
      <g class="nodes">${sites.map(({ origin }, i) => node(origin, names[i]!, i, layout, labels[i]!))}</g>
      <g class="names" aria-hidden="true">${labels.map((label, i) => label.isShown && labelText(names[i]!, label))}</g>
    </svg>
  </div>`
}

/** Which share of the strokes, from the lightest on, is drawn how: most are faint, or the picture is a fog. */
const WEIGHTS = [0.6, 0.85, 0.96, 1] as const

/** One path for each weight: a thousand elements would be ten times the bytes. */
function strokePaths(links: readonly Link[], layout: Layout): Html[] {
  const counts = links.map(([, , count]) => count).toSorted((a, b) => a - b)
  const bounds = WEIGHTS.map((share) => counts[Math.ceil(share * counts.length) - 1] ?? 0)
  const paths: string[] = WEIGHTS.map(() => '')
  for (const [from, to, count] of links) {
    const weight = bounds.findIndex((bound) => count <= bound)
    paths[weight] += arc(layout.x[from]!, layout.y[from]!, layout.x[to]!, layout.y[to]!)
  }
  return paths.map((d, weight) => html`${d !== '' && html`<path class="w${weight}" d="${d}" />`}`)
}

/** Bent to the right of the way, so that both directions are seen. graph.js draws the same. */
function arc(x1: number, y1: number, x2: number, y2: number): string {
  const [dx, dy] = [Math.round(x2) - Math.round(x1), Math.round(y2) - Math.round(y1)]
  const [cx, cy] = [Math.round(dx / 2 - dy * 0.16), Math.round(dy / 2 + dx * 0.16)]
  return `M${Math.round(x1)} ${Math.round(y1)}q${cx} ${cy} ${dx} ${dy}`
}

function node(origin: string, name: string, i: number, { x, y, radius, cluster }: Layout, label: Label): Html {
  const colour = cluster[i]! < COLOURS ? `k${cluster[i]!}` : 'k'
  const circle = html`<circle cx="${Math.round(x[i]!)}" cy="${Math.round(y[i]!)}" r="${radius[i]!.toFixed(1)}" />`
  const href = ownPath('/site', { origin })
  // A name that is shown stands above all circles, and so apart from its own.
  if (label.isShown) return html`<a href="${href}" class="${colour}" aria-label="${name}">${circle}</a> `
  return html`<a href="${href}" class="${colour}">${circle}${labelText(name, label)}</a> `
}

function labelText(name: string, { x, y, anchor }: Label): Html {
  const place = attributes({ 'text-anchor': anchor === 'start' ? undefined : anchor })
  return html`<text x="${Math.round(x)}" y="${Math.round(y)}" ${place}>${name}</text>`
}

function table(sites: GraphModel['sites'], links: readonly Link[]): Html {
  const [inLinks, outLinks] = [new Map<number, number>(), new Map<number, number>()]
  for (const [from, to, count] of links) {
    outLinks.set(from, (outLinks.get(from) ?? 0) + count)
    inLinks.set(to, (inLinks.get(to) ?? 0) + count)
  }
  const rows = sites.map(
    (site, i) =>
      html`<tr>
        <th scope="row">${siteLink(cut(site.origin))}</th>
        <td>${formatCount(site.pages)}</td>
        <td>${formatShare(site.importance)}</td>
        <td>${formatCount(inLinks.get(i) ?? 0)}</td>
        <td>${formatCount(outLinks.get(i) ?? 0)}</td>
      </tr> `,
  )
  return html`<table class="numbers">
    <caption class="unseen">
      Sites, with the links that lead to other sites of this picture and come from them
    </caption>
    <thead>
      <tr>
        <th scope="col">Site</th>
        <th scope="col">Pages</th>
        <th scope="col">Importance</th>
        <th scope="col">Links in</th>
        <th scope="col">Links out</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}
