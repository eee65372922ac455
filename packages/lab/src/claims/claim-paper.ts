/** Claim papers: who made the claims, so that a reader who never saw our numbering knows what `003` is. */
import { tableOf } from '@comity/protocol'
interface Paper {
  readonly title: string
  readonly authors: string
  readonly year: number
}

const papers: ReadonlyMap<string, Paper> = tableOf({
  '000': {
    title: 'Crawler-Friendly Web Servers',
    authors: 'Brandman, Cho, Garcia-Molina and Shivakumar',
    year: 2000,
  },
  '001': {
    title: 'An Efficient Scheme to Remove Crawler Traffic from the Internet',
    authors: 'Yuan, MacGregor and Harms',
    year: 2002,
  },
  '002': {
    title: 'Effective Web Crawling, chapter 6: Proposals for Web Server Cooperation',
    authors: 'Castillo',
    year: 2004,
  },
  '003': {
    title: 'Efficient Crawling Through URL Ordering',
    authors: 'Cho, Garcia-Molina and Page',
    year: 1998,
  },
  '004': {
    title: 'Scheduling Algorithms for Web Crawling',
    authors: 'Castillo, Marin, Rodriguez and Baeza-Yates',
    year: 2004,
  },
})

export function paperOf(id: string): Paper | undefined {
  return papers.get(id)
}
