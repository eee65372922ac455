/**
 * URLs as a crawl finds them: sites of very different sizes, paths of about 60 characters. The n-th URL of a stream is
 * always the same, so any of them can be offered again without keeping it.
 */
const WORDS = (
  'archive news article product research library history member gallery forum review the annual report city council ' +
  'garden summer winter early notes open letters collection science music travel kitchen market north river village'
).split(' ')
const HOME = ['example', 'test', 'invalid']

export interface UrlStream {
  readonly sites: number
  /** The n-th URL. Different numbers give different URLs. */
  readonly url: (n: number) => string
}

export function urlStream(sites: number): UrlStream {
  const origins = Array.from(
    { length: sites },
    (_, site) => `https://www.${word(site, 1)}-${word(site, 2)}-${site}.${HOME[site % 3]}`,
  )
  return {
    sites,
    url: (n) => flat(origins[siteOfPage(n, sites)]! + pathOf(n)),
  }
}

/** Few large sites and many small ones: the density of u³ falls as rank to the power of -2/3. */
const siteOfPage = (n: number, sites: number): number => Math.floor(sites * (mix(n, 7) / 2 ** 32) ** 3)

const pathOf = (n: number): string =>
  `/${word(n, 3)}/${2000 + (mix(n, 4) % 26)}/${word(n, 5)}-${word(n, 6)}-${word(n, 8)}-${word(n, 9)}-${n.toString(36)}.html`

const word = (n: number, salt: number): string => WORDS[mix(n, salt) % WORDS.length]!

/** A bijection of 32 bits for every salt (the finalizer of MurmurHash3). */
function mix(n: number, salt: number): number {
  let mixed = Math.imul(n ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A string in one piece, as it comes off the network; one made of parts would be put together in the time of others. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
