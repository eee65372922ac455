/** A small web of a seed: domains with a few hosts, few addresses for many names, some of which move, and links across. */
import type { Random } from '@comity/testbed'

export interface ModelWeb {
  readonly seeds: readonly string[]
  readonly reachable: ReadonlySet<string>
  linksOf(url: string): readonly string[]
  addressOf(origin: string, at: number): string
}

const PAGES = 30

export function createModelWeb(random: Random): ModelWeb {
  const origins = Array.from({ length: random.between(3, 8) }, (_, domain) =>
    Array.from({ length: random.between(1, 2) }, (__, host) => `https://h${host}.d${domain}.example`),
  ).flat()
  const urls = origins.flatMap((origin) => Array.from({ length: random.between(1, PAGES) }, (_, n) => `${origin}/${n}`))
  const links = new Map(urls.map((url): [string, string[]] => [url, []]))
  // Nearly a tree: what is lost on its way is found by no other.
  const grown = random.shuffle(urls)
  for (const [i, url] of grown.entries()) {
    if (i > 0) links.get(grown[random.between(Math.max(0, i - 12), i - 1)]!)!.push(url)
    if (random.chance(0.2)) links.get(url)!.push(random.pick(urls))
  }
  const addresses = Array.from({ length: random.between(1, 4) }, (_, n) => `192.0.2.${n + 1}`)
  const homes = new Map(origins.map((origin) => [origin, [random.pick(addresses), random.pick(addresses)] as const]))
  const moving = new Set(origins.filter(() => random.chance(0.25)))
  const seeds = [grown[0]!, random.pick(urls)]
  const reachable = new Set<string>()
  for (const open = [...seeds]; open.length > 0;) {
    const url = open.pop()!
    if (reachable.has(url)) continue
    reachable.add(url)
    open.push(...links.get(url)!)
  }
  return {
    seeds,
    reachable,
    linksOf: (url) => links.get(url) ?? [],
    // A name whose address changes every second.
    addressOf: (origin, at) => homes.get(origin)![moving.has(origin) ? Math.floor(at / 1_000) % 2 : 0]!,
  }
}
