/**
 * Generated sources: pages that may link to a site from outside, by the parts of the bow tie and by topic.
 * All pages are kept in one array, grouped by the part and the topic of their site, so a draw is a place in a group.
 */
import { linkedFrom, webParts } from './sites.ts'
import type { SitePlan } from './sites.ts'
import { topicCount } from './vocabulary.ts'
import type { Random } from '@comity/testbed'

export interface SourcePool {
  /** A page, of the same site perhaps, that may link to this site; undefined when there is none. */
  draw(random: Random, site: number): number | undefined
}

/** A page of another part is this much less likely than one of the same part: neighbours of a part link most. */
const otherPart = 0.15
/** Pages link to their own subject (003 §7.1: children of a page on a topic tend to be on it). */
const sameTopic = 0.5

export function createSourcePool({ pageStarts, parts, topics, siteOf }: SitePlan): SourcePool {
  const groups = webParts.length * topicCount
  const groupStarts = new Uint32Array(groups + 1)
  const groupOf = (site: number): number => parts[site]! * topicCount + topics[site]!
  for (let site = 0; site < parts.length; site += 1) {
    groupStarts[groupOf(site) + 1]! += pageStarts[site + 1]! - pageStarts[site]!
  }
  for (let group = 0; group < groups; group += 1) groupStarts[group + 1]! += groupStarts[group]!
  const pages = new Uint32Array(siteOf.length)
  const next = groupStarts.slice(0, groups)
  for (let page = 0; page < pages.length; page += 1) {
    const group = groupOf(siteOf[page]!)
    pages[next[group]!] = page
    next[group]! += 1
  }
  const within = (random: Random, first: number, last: number): number | undefined => {
    const start = groupStarts[first]!
    const size = groupStarts[last]! - start
    return size === 0 ? undefined : pages[start + random.int(size)]
  }
  const sizeOf = (part: number): number => groupStarts[(part + 1) * topicCount]! - groupStarts[part * topicCount]!
  const mixes = webParts.map((part, own) => {
    const from = linkedFrom[part].map((name) => webParts.indexOf(name))
    return from.map((other) => ({ part: other, weight: sizeOf(other) * (other === own ? 1 : otherPart) }))
  })
  const totals = mixes.map((mix) => mix.reduce((sum, { weight }) => sum + weight, 0))
  return {
    draw: (random, site) => {
      let mark = random.next() * totals[parts[site]!]!
      const chosen = mixes[parts[site]!]!.find(({ weight }) => (mark -= weight) < 0)
      if (chosen === undefined) return undefined
      const first = chosen.part * topicCount
      const group = first + topics[site]!
      const found = random.chance(sameTopic) ? within(random, group, group + 1) : undefined
      return found ?? within(random, first, first + topicCount)
    },
  }
}
