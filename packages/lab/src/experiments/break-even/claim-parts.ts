/** What 002 §6.1 and §6.4 claim of polls, interrupts and money, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

export const BREAK_EVEN_CLAIMS: readonly PaperClaim[] = [
  {
    id: '002.6',
    title: 'Polls that tend to interrupts',
    needs: '`lab break-even`, or `lab schemes` on a year of a site.',
    parts: [
      {
        id: '002.6a',
        says: 'As its period tends to zero, polling becomes as fresh as interrupts.',
        where: '§6.1',
        quote: 'polling becomes equivalent to an interrupt when the polling period tends to zero',
        tolerances: ['equally-fresh'],
      },
      {
        id: '002.6b',
        says: 'And it takes more and more of both ends.',
        where: '§6.1',
        quote: 'the usage of resources at both ends of the polling line increase at the same time',
      },
    ],
  },
  {
    id: '002.7',
    title: 'Money',
    needs: '`lab break-even`, or `lab advise-site` on an access log with crawlers in it.',
    parts: [
      {
        id: '002.7a',
        says: 'A view brings at least 0.05 US$, and serving a page costs at most 1/25 of it.',
        where: '§6.4.1',
        quote: 'serving a Web page costs at most 1/25 of the benefit',
        figure: '1/25',
      },
      {
        id: '002.7b',
        says: 'The network costs more of it than the processor.',
        where: '§6.4.1',
        quote: 'processing capacity is cheaper than network connectivity',
        figure: 'c_n > c_p',
      },
      {
        id: '002.7c',
        says: 'With little to spend, right HTTP/1.1 is best.',
        where: '§6.4.1',
        quote: 'using server software that correctly implements HTTP/1.1 is the best option',
      },
      {
        id: '002.7d',
        says: 'With more to spend, serving and sending metadata.',
        where: '§6.4.1',
        quote: 'serving and sending meta-data of updates is the best option',
        tolerances: ['tier-bytes'],
      },
      {
        id: '002.7e',
        says: 'With still more, differences or a filter.',
        where: '§6.4.1',
        quote: 'it can benefit from providing content differences and/or a filtering interface',
        tolerances: ['tier-bytes'],
      },
      {
        id: '002.7f',
        says: 'A crawler pays about as much as a site for a page, 0.002 US$.',
        where: '§6.4.2',
        quote: String.raw`or about US\$ 0.002 per page`,
        figure: '0.002 US$',
        standing: {
          verdict: 'cannot be tested here',
          why: 'It is the price of an entire crawl of 2004 over its pages, and takes the books of a search engine.',
        },
      },
    ],
  },
]
