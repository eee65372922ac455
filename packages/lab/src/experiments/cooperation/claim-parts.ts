/** What 002 §6.5 claims of a list of all pages in one file, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

export const COOPERATION_CLAIMS: readonly PaperClaim[] = [
  {
    id: '002.2',
    title: 'HEAD on each page, or one list',
    needs: '`lab cooperation` on `paper`, the history of a site, or a folder with pages.tsv and edges.tsv.',
    parts: [
      {
        id: '002.2a',
        says: 'HEAD on each of 249 pages takes 108,777 bytes, 434 a page.',
        where: '§6.5.3',
        quote: 'generates 108,777 bytes of traffic, with an average of 434 bytes per page',
        figure: '434 bytes',
        tolerances: ['head-bytes'],
      },
      {
        id: '002.2b',
        says: 'robots.rdf takes 61,504 bytes, 247 a page.',
        where: '§6.5.3',
        quote: 'file is about 61,504 bytes, with an average of 247 bytes per page',
        figure: '247 bytes',
        tolerances: ['head-bytes'],
      },
      {
        id: '002.2c',
        says: 'That saves more than 40 % of the bytes.',
        where: '§6.5.3',
        quote: 'this is more than 40% of savings in bandwidth',
        figure: '> 40 %',
        tolerances: ['head-savings'],
      },
      {
        id: '002.2d',
        says: 'It takes one request.',
        where: '§6.5.3',
        quote: 'everything is done in just one request in less than 5 seconds',
        figure: '1 request',
      },
      {
        id: '002.2e',
        says: 'HEAD on each page takes five minutes, robots.rdf five seconds.',
        where: '§6.5.3',
        quote: 'It takes about 5 minutes to sequentially make all of these requests',
        figure: '5 min',
        standing: {
          verdict: 'cannot be tested here',
          why: 'It is as many round trips as requests, and takes a line of 2004 between crawler and site.',
        },
      },
    ],
  },
  {
    id: '002.3',
    title: 'A site in one session',
    needs: '`lab cooperation` on a folder with pages.tsv and edges.tsv.',
    parts: [
      {
        id: '002.3a',
        says: 'By links pages are discovered level by level.',
        where: '§6.5.3',
        quote: 'Web pages are usually discovered slowly, level by level',
      },
      {
        id: '002.3b',
        says: 'With the list in one file a whole site is downloaded in one session, without parsing pages for links.',
        where: '§6.5.3',
        quote:
          'the Web crawler can download the entire site in just one session, without having to parse data to discover pages',
        figure: '1 session',
      },
    ],
  },
  {
    id: '002.4',
    title: 'One changed page and a large list',
    needs: '`lab cooperation` on a site of some thousand pages.',
    parts: [
      {
        id: '002.4a',
        says: 'When one page changed, a large robots.rdf is a waste, as all of it is transferred.',
        where: '§6.5.3',
        quote:
          'this scheme can waste network resources because the complete file with the metadata is transferred each time',
      },
      {
        id: '002.4b',
        says: 'Split it, with important pages in a small part, as by levels.',
        where: '§6.5.3',
        quote: 'by dividing the Web site by levels',
        tolerances: ['worth-splitting'],
      },
    ],
  },
  {
    id: '002.5',
    title: 'When to ask again',
    needs: '`lab cooperation`; it makes the sites.',
    parts: [
      {
        id: '002.5a',
        says: 'A limit on the probability of being outdated keeps copies within it.',
        where: '§6.5.3',
        quote: 'but the maximum acceptable outdated probability',
      },
      {
        id: '002.5b',
        says: 'A fixed period instead asks more often than necessary, or leaves more outdated.',
        where: '§6.5.3',
        quote: 'otherwise, bandwidth can be wasted by requesting the meta-data file more often than it is necessary',
      },
    ],
  },
]
