/**
 * Page text: the HTML of one generated page at one version, and the small pictures that go with it. Pure.
 * A change rewrites one paragraph and the line at the foot, as an editor would; the links stay.
 */
import type { LivingPage, LivingSite, PageLink } from './site.ts'
import { createRandom, seedOf } from '../seeded-random.ts'
import type { Random } from '../seeded-random.ts'
import { closings, verbs } from './site-topics.ts'
import type { Topic } from './site-topics.ts'

export function htmlOf(site: LivingSite, page: LivingPage, version: number): string {
  const { topic, title: brand } = site.spec
  const style = createRandom(seedOf('style', page.seed))
  const anchors = (place: PageLink['place']): string[] =>
    page.links.filter((link) => link.place === place).map((link) => anchorTag(link, page, site.origin, style))
  const paragraphs = paragraphsOf(page, topic, version)
  const inText = anchors('text')
  const body = paragraphs.map((text, index) => {
    // Every link stands somewhere, also when there are more of them than paragraphs.
    const here = inText.filter((_, n) => n % paragraphs.length === index)
    return `<p>${text}${here.length === 0 ? '' : ` See ${here.join(' and ')}.`}</p>`
  })
  const list = anchors('list').map((anchor) => `<li>${anchor}</li>`)
  const fullTitle = page.title === brand ? brand : `${page.title} – ${brand}`
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapedHtml(fullTitle)}</title>`,
    `<meta name="description" content="${escapedHtml(firstSentence(page, topic))}">`,
    ...(page.canonical === undefined ? [] : [`<link rel="canonical" href="${escapedHtml(page.canonical)}">`]),
    '</head><body>',
    `<nav>${anchors('navigation').join(' · ')}</nav>`,
    `<main><h1>${escapedHtml(page.title)}</h1>`,
    ...(page.copyOf?.likeness === 'near' ? ['<p>Print version.</p>'] : []),
    ...body.slice(0, 2),
    ...page.images.map((path) => `<img src="${path}" alt="${escapedHtml(page.title)}" width="120" height="80">`),
    ...(body.length > 2
      ? [`<h2>More on the ${escapedHtml(topic.nouns[page.seed % topic.nouns.length] ?? '')}</h2>`]
      : []),
    ...body.slice(2),
    ...(list.length === 0 ? [] : [`<ul>${list.join('\n')}</ul>`]),
    `</main><footer>${escapedHtml(brand)}, revision ${version}</footer>`,
    '</body></html>\n',
  ].join('\n')
}

/** A quiet landscape of three bands, for pages that show a picture. */
export function svgOf(seed: number): string {
  const random = createRandom(seed)
  const bands = [0, 1, 2].map((band) => {
    const colour = `hsl(${random.int(360)} 40% ${40 + band * 15}%)`
    return `<rect y="${band * 27}" width="120" height="27" fill="${colour}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">${bands.join('')}</svg>\n`
}

export const escapedHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Each new version rewrites one paragraph, in turn. */
function paragraphsOf(page: LivingPage, topic: Topic, version: number): string[] {
  return Array.from({ length: page.paragraphs }, (_, index) => {
    const revision = Math.floor((version + index) / page.paragraphs)
    const random = createRandom(seedOf(page.seed, index, revision))
    return Array.from({ length: 3 + random.int(4) }, () => sentenceOf(random, topic)).join(' ')
  })
}

const firstSentence = (page: LivingPage, topic: Topic): string => sentenceOf(createRandom(page.seed), topic)

function sentenceOf(random: Random, { nouns, adjectives }: Topic): string {
  const subject = `${random.pick(adjectives)} ${random.pick(nouns)}`
  const object = `${random.chance(0.4) ? `${random.pick(adjectives)} ` : ''}${random.pick(nouns)}`
  return `${random.chance(0.5) ? 'The' : 'Every'} ${subject} ${random.pick(verbs)} the ${object} ${random.pick(closings)}.`
}

/** The same target is written in several ways, as people do: whole, from the root, from here, with a fragment. */
function anchorTag(link: PageLink, page: LivingPage, origin: string, random: Random): string {
  const href = hrefOf(link.url, page.path, origin, random)
  return `<a href="${escapedHtml(href)}">${escapedHtml(link.anchor)}</a>`
}

function hrefOf(url: string, fromPath: string, origin: string, random: Random): string {
  if (!url.startsWith(`${origin}/`)) return url
  const path = url.slice(origin.length)
  const directory = fromPath.slice(0, fromPath.lastIndexOf('/') + 1)
  const rest = path.slice(directory.length)
  const choice = random.int(8)
  if (choice === 0) return url
  if (choice === 1) return `${path}#more`
  if (choice <= 3 && path.startsWith(directory) && rest !== '') return rest
  return path
}
