/** What 004 claims, and 002 of sites and their PageRank, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

const SITES_NEEDS = 'A graph of ten sites or more, with URLs or `--hosts`, named to `lab scheduling`.'
const MANY_NEEDS =
  'A web of which the largest site is under 1 % of all pages: 50,000 sites, as the paper had, named to `lab scheduling`.'

export const SCHEDULING_CLAIMS: readonly PaperClaim[] = [
  {
    id: '004.1',
    title: 'Sizes of sites',
    needs: 'A graph of fifty sites or more, with URLs or `--hosts`, named to `lab scheduling`.',
    parts: [
      {
        id: '004.1a',
        says: 'Site sizes follow a power law.',
        where: '§3, Figure 3',
        quote: 'the distribution of pages to sites, shown in Figure 3, is very bad in terms of crawler scalability',
        tolerances: ['good-fit'],
      },
      {
        id: '004.1b',
        says: 'Most of the pages are on a small number of sites.',
        where: '§3',
        quote: 'most of the pages are located in a small number of sites',
        figure: 'most',
      },
      {
        id: '004.1c',
        says: 'At most 25,000 pages are taken from a site.',
        where: '§4',
        quote: 'We restricted the crawler to download at most 25,000 pages from each Web site.',
        figure: '25,000',
        standing: { verdict: 'holds by construction', why: 'It is a setting (maxPagesPerSite).' },
      },
    ],
  },
  {
    id: '004.2',
    title: 'The least time',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.2a',
        says: 'No crawl is faster than T* = ΣP / B.',
        where: '§3, Figure 1',
        quote: 'is the optimal time to use all the available bandwidth',
        figure: 'T*',
      },
      {
        id: '004.2b',
        says: 'Politeness, slow sites and too few sites waste the rest.',
        where: '§3, Figure 2',
        quote: 'some bandwidth is wasted due to limitations in the',
      },
    ],
  },
  {
    id: '004.3',
    title: 'Orders with one robot',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.3a',
        says: 'Length beats Depth, Batch and Partial.',
        where: '§5, Figure 5',
        quote: 'strategy is better than the strategies based on periodical Pagerank calculations and',
      },
      {
        id: '004.3b',
        says: 'Depth and Batch are alike.',
        where: '§5, Figure 5',
        quote: 'are similar, with a small difference in favor of',
        tolerances: ['small-lead'],
      },
      {
        id: '004.3c',
        says: 'Of the two Batch is a little better.',
        where: '§5, Figure 5',
        quote: 'are similar, with a small difference in favor of',
      },
      {
        id: '004.3d',
        says: 'Partial is close to random.',
        where: '§5, Figure 5',
        quote: 'strategy performs poorly and close to random',
        tolerances: ['small-lead'],
      },
    ],
  },
  {
    id: '004.4',
    title: 'Optimal',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.4a',
        says: 'Optimal leads at first.',
        where: '§5, Figure 5',
        quote: 'it downloads all the pages with good Pagerank very early',
      },
      {
        id: '004.4b',
        says: 'Past 75 % of the pages it is overtaken.',
        where: '§5, Figure 5',
        quote: 'strategy is too greedy if a high coverage (more than 75%) is expected',
        figure: '75 %',
        tolerances: ['overtaken-from'],
      },
    ],
  },
  {
    id: '004.5',
    title: 'More robots',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.5a',
        says: 'Length stays more stable than Depth.',
        where: '§5, Figure 6',
        quote: 'is more stable than',
      },
      {
        id: '004.5b',
        says: 'Depth improves with the number of robots.',
        where: '§5, Figure 6',
        quote: 'though it improves as the number of robots increases',
      },
    ],
  },
  {
    id: '004.6',
    title: 'Speed-up by robots (Table 1)',
    needs: MANY_NEEDS,
    parts: [
      {
        id: '004.6a',
        says: 'On a wide link robots speed a crawl up nearly in proportion to their number.',
        where: 'Table 1',
        quote: '20000000 1.0 54.6 220.1',
        figure: '54.6, 220.1',
        tolerances: ['nearly-linear', 'largest-site'],
      },
      {
        id: '004.6b',
        says: 'A saturated link makes several robots pointless.',
        where: '§5, Table 1',
        quote: 'bandwidth saturation makes pointless the use of several robots',
        figure: '1.6, 3.0',
        tolerances: ['pointless'],
      },
      {
        id: '004.6c',
        says: 'A narrower link never makes a crawl faster.',
        where: 'Table 1',
        quote: '200 0.2 1.6 3.0',
      },
      {
        id: '004.6d',
        says: 'One robot takes 0.7 and 0.2 of its speed on the two narrowest links, 256 robots 16 and 3 times that of one on the widest.',
        where: 'Table 1',
        quote: '2000 0.7 3.8 16.0',
        figure: '16.0, 3.0',
      },
    ],
  },
  {
    id: '004.7',
    title: 'Pages a connection',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.7a',
        says: '100 pages a connection instead of one shorten a batch.',
        where: '§6, Figure 7',
        quote:
          'Downloading several pages per connection resulted in significant savings in terms of the total time needed',
        figure: '33 → 29, 9 → 3 hours',
      },
      {
        id: '004.7b',
        says: 'More so on a wide link than on a narrow one.',
        where: '§6, Figure 7',
        quote: 'in the case of a large bandwidth scenario, the time was reduced from 9 hours to 3 hours',
        figure: '9 → 3 hours',
      },
      {
        id: '004.7c',
        says: 'More robots stay at work.',
        where: '§6, Figure 7',
        quote: 'more robots are kept active for a longer part of the crawl',
      },
    ],
  },
  {
    id: '004.8',
    title: 'The real crawl',
    needs: SITES_NEEDS,
    parts: [
      {
        id: '004.8a',
        says: 'Half of the pages hold about 80 % of PageRank.',
        where: '§7, Figure 8',
        quote: '50% of the pages were downloaded, and about 80% of the total Pagerank was achieved',
        figure: '80 %',
        tolerances: ['rank-by-day'],
      },
      {
        id: '004.8b',
        says: '80 % of the pages hold more than 95 % of it.',
        where: '§7, Figure 8',
        quote: '80% of the pages were downloaded, and more than 95% of the Pagerank',
        figure: '> 95 %',
      },
      {
        id: '004.8c',
        says: 'Half of the pages are there by the end of day 2 of 8, 80 % by the end of day 4.',
        where: '§7, Figure 8',
        quote: 'by the end of day 2, 50% of the pages were downloaded',
        figure: '50 %, 80 %',
        tolerances: ['pages-by-day'],
      },
      {
        id: '004.8d',
        says: 'Mean PageRank falls much after a few days.',
        where: '§7, Figure 9',
        quote: 'the average Pagerank decreased dramatically after a few days',
      },
    ],
  },
  {
    id: '004.9',
    title: 'PageRank and depth',
    needs: 'A graph with URLs that is six clicks deep or more, named to `lab scheduling`.',
    parts: [
      {
        id: '004.9a',
        says: 'In the first levels PageRank falls with depth.',
        where: '§7, Figure 10',
        quote: 'an inverse relation between Pagerank and depth in the first few levels',
        tolerances: ['no-correlation'],
      },
      {
        id: '004.9b',
        says: 'Past 3 or 4 clicks it does not depend on it.',
        where: '§7, Figure 10',
        quote: '3-4 clicks away from the home page the correlation is very low',
        tolerances: ['no-correlation'],
      },
    ],
  },
  {
    id: '002.9',
    title: 'Sizes of sites and PageRank',
    needs: 'A graph of fifty sites of two pages or more, with URLs or `--hosts`, named to `lab scheduling`.',
    parts: [
      {
        id: '002.9a',
        says: 'The size of a site and the mean PageRank of its pages do not correlate.',
        where: '§6.4.3, Figure 6.4',
        quote: 'we compare average Pagerank with site size and find no correlation',
        tolerances: ['no-correlation', 'fewest-pages'],
      },
    ],
  },
]
