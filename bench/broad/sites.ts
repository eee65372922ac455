/**
 * Broad sites: thousands of small sites, each at an address of its own, made from their numbers alone. A page of about 4 KB
 * links to six pages of its site and four of others; all can be reached from their start page. Whose turn it is to answer
 * slowly is decided by the page, so that every crawler waits as long for the same page.
 */
import { createRandom } from '@comity/testbed'

export interface BroadWeb {
  readonly sites: number
  readonly pages: number
  readonly port: number
}

const QUICKEST_MS = 50
const SLOWEST_MS = 300
const SENTENCES = 4_096
const SENTENCES_A_PAGE = 36

export const addressOf = (site: number): string => `127.20.${(site + 1) >> 8}.${(site + 1) & 255}`

const pathOf = (page: number): string => (page === 0 ? '/' : `/page-${page}.html`)

export function urlOf({ port }: BroadWeb, site: number, page: number): string {
  return `http://${addressOf(site)}:${port}${pathOf(page)}`
}

/** The number of a page by its path, -1 for no page. */
export function pageAt(path: string, pages: number): number {
  if (path === '/') return 0
  const page = Number(/^\/page-([1-9]\d{0,6})\.html$/.exec(path)?.[1] ?? -1)
  return page < pages ? page : -1
}

/** Spread over the range in steps of five, so that a timer stands in one of few queues. */
export function answersAfterMs(site: number, page: number): number {
  return QUICKEST_MS + 5 * (mixed(site, page, 1) % ((SLOWEST_MS - QUICKEST_MS) / 5 + 1))
}

let sentences: readonly string[] | undefined

export function pageOf(web: BroadWeb, site: number, page: number): string {
  const texts = (sentences ??= madeSentences())
  const within = [2 * page + 1, 2 * page + 2, page + 1, page + 7, mixed(site, page, 2), 0].map((to) => to % web.pages)
  const inside = within.map((to) => `<li><a href="${pathOf(to)}">page ${to} of this site</a></li>`)
  const outside = [3, 4, 5, 6].map((salt) => {
    const to = mixed(site, page, salt) % web.sites
    return `<li><a href="${urlOf(web, to, mixed(site, page, salt + 4) % web.pages)}">a page of site ${to}</a></li>`
  })
  const paragraphs: string[] = []
  for (let at = 0; at < SENTENCES_A_PAGE; at++) {
    if (at % 6 === 0) paragraphs.push(at === 0 ? '<p>' : '</p>\n<p>')
    paragraphs.push(texts[mixed(site, page, 100 + at) % SENTENCES]!)
  }
  return (
    `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Page ${page} of site ${site}</title></head>\n<body>\n` +
    `<h1>Page ${page} of site ${site}</h1>\n<ul>\n${[...inside, ...outside].join('\n')}\n</ul>\n${paragraphs.join('')}</p>\n</body>\n</html>\n`
  )
}

/** Words of three syllables at most, the first of them by far the most frequent, as in texts of people. */
function madeSentences(): string[] {
  const random = createRandom(18)
  const syllables = [
    'ba',
    'den',
    'fi',
    'gor',
    'hu',
    'kel',
    'la',
    'mon',
    'ni',
    'pra',
    'so',
    'tu',
    've',
    'wi',
    'xa',
    'zer',
  ]
  const words = Array.from({ length: 8_000 }, () =>
    Array.from({ length: random.between(1, 3) }, () => random.pick(syllables)).join(''),
  )
  return Array.from({ length: SENTENCES }, () => {
    const sentence = Array.from(
      { length: random.between(10, 18) },
      () => words[Math.floor(words.length * random.next() ** 3)]!,
    )
    return `${sentence.join(' ')}. `
  })
}

/** The same number for the same three, whatever was asked before. */
function mixed(site: number, page: number, salt: number): number {
  let hash = Math.imul(site + 1, 0x9e3779b1) ^ Math.imul(page + 1, 0x85ebca77) ^ Math.imul(salt, 0xc2b2ae3d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
