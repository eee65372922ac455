/** What 001 §III claims of crawlers in the log of a server, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

export const TRAFFIC_CLAIMS: readonly PaperClaim[] = [
  {
    id: '001.1',
    title: 'Crawlers in the traffic of a server',
    needs: 'An access log of two days or more, named to `lab crawler-share`.',
    parts: [
      {
        id: '001.1a',
        says: 'Crawlers make 27.3 % of the hits in a week.',
        where: '§III, Figure 1',
        quote: 'The average hit and byte percentages are 27.3% and 20.9% respectively.',
        figure: '27.3 %',
        tolerances: ['crawler-share'],
      },
      {
        id: '001.1b',
        says: 'And 20.9 % of the bytes.',
        where: '§III, Figure 1',
        quote: 'The average hit and byte percentages are 27.3% and 20.9% respectively.',
        figure: '20.9 %',
        tolerances: ['crawler-share'],
      },
      {
        id: '001.1c',
        says: 'At most they make 40.6 % of the hits.',
        where: '§III, Figure 1',
        quote: 'A maximum of 40.6% of all hits was due to crawlers.',
        figure: '40.6 %',
        tolerances: ['crawler-share'],
      },
      {
        id: '001.1d',
        says: 'At most they make 29.5 % of the bytes.',
        where: '§III, Figure 1',
        quote: 'The percentage of bytes fetched by crawlers reaches a maximum of 29.5%.',
        figure: '29.5 %',
        tolerances: ['crawler-share'],
      },
      {
        id: '001.1e',
        says: 'Their share of bytes is always below that of hits.',
        where: '§III, Figure 1',
        quote: 'The crawler byte percentage is always lower than the crawler hit percentage',
      },
    ],
  },
]
