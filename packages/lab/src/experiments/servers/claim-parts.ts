/** What 000 claims, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

const METADATA_NEEDS = 'A folder with pages.tsv (url, bytes, mtime) of sites, named to `lab servers`.'
const HISTORY_NEEDS = 'The history of a site (epoch, A/M/D, path, content, bytes), named to `lab servers`.'
const LOG_NEEDS = 'An access log in combined format, named to `lab servers` or `lab crawler-share`.'

export const SERVERS_CLAIMS: readonly PaperClaim[] = [
  {
    id: '000.1',
    title: 'What an entry weighs',
    needs: METADATA_NEEDS,
    parts: [
      {
        id: '000.1a',
        says: 'An entry of date, path and size is 64 bytes plain.',
        where: '§3.2',
        quote: 'To store this entry as an uncompressed ASCII file on most filesystems takes 64 bytes.',
        figure: '64 bytes',
        tolerances: ['entry-bytes'],
      },
      {
        id: '000.1b',
        says: 'Compressed it is about 22 bytes.',
        where: '§3.4',
        quote: 'the size of a compressed page description is 22 bytes',
        figure: '22 bytes',
        tolerances: ['about-a-limit'],
      },
    ],
  },
  {
    id: '000.2',
    title: 'One file for most sites',
    needs: METADATA_NEEDS,
    parts: [
      {
        id: '000.2a',
        says: '100 KB hold the metadata of about 5,000 pages.',
        where: '§3.2',
        quote: '100KB can store meta-data for roughly 5000 pages',
        figure: '5,000 pages',
        tolerances: ['about-a-limit'],
      },
      {
        id: '000.2b',
        says: 'Most sites are smaller, so one such file is enough for them.',
        where: '§3.2',
        quote: 'Most websites contain well under 5000 pages',
        figure: 'most sites',
      },
    ],
  },
  {
    id: '000.3',
    title: 'How many archives, and how large',
    needs: METADATA_NEEDS,
    parts: [
      {
        id: '000.3a',
        says: 'Segments of 2,000 entries make files of at most about 42 KB.',
        where: '§3.3',
        quote: 'the largest compressed meta-data file will be about 42KB',
        figure: '42 KB',
        tolerances: ['about-a-limit'],
      },
      {
        id: '000.3b',
        says: 'Five types and 100,000 pages make about 250 archives.',
        where: '§3.3',
        quote: 'a website with 100,000 pages will have about 250 archives',
        figure: '250',
        tolerances: ['archive-count'],
      },
    ],
  },
  {
    id: '000.4',
    title: 'Irrelevant entries',
    needs: METADATA_NEEDS,
    parts: [
      {
        id: '000.4a',
        says: 'Who wants what changed since a date downloads at most one archive of irrelevant entries, 42 KB, of each type.',
        where: '§3.3',
        quote:
          'Crawlers looking for recently changed material will never download more than 42KB of irrelevant meta-data.',
        figure: '42 KB',
        tolerances: ['about-a-limit'],
      },
    ],
  },
  {
    id: '000.5',
    title: 'The group “other”',
    needs: LOG_NEEDS,
    parts: [
      {
        id: '000.5a',
        says: 'Groups of 50 entries or fewer merge into “other”.',
        where: '§3.3',
        quote: 'Very small groups (e.g., 50 page descriptions) can be merged with other small groups',
        figure: '50 entries',
        standing: {
          verdict: 'holds by construction',
          why: 'It is a rule of the scheme, and the archives are made by it.',
        },
      },
      {
        id: '000.5b',
        says: 'Types under 5 % of the pages are together about 15 %.',
        where: '§3.3, Figure 4',
        quote: 'the “other” category typically makes up about 15% of total pages',
        figure: '15 %',
        tolerances: ['other-share'],
      },
    ],
  },
  {
    id: '000.6',
    title: 'What metadata costs',
    needs: METADATA_NEEDS,
    parts: [
      {
        id: '000.6a',
        says: 'Compressing a file of 42 KB takes 0.010 seconds of a processor of 2000.',
        where: '§3.3',
        quote: 'compressing a 42KB file on a 400 MHz PC running Linux consumes 0.010 CPU seconds',
        figure: '0.010 s',
        tolerances: ['processor-seconds'],
      },
      {
        id: '000.6b',
        says: 'Metadata is 0.16 % of the content, at a mean page of 13 KB.',
        where: '§3.4',
        quote: 'the size ratio of meta-data to data is about 1:600, or 0.16% overhead',
        figure: '0.16 %',
        tolerances: ['about-a-limit'],
      },
    ],
  },
  {
    id: '000.7',
    title: 'How often pages change',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.7a',
        says: '23 % of the pages change at least once a day.',
        where: '§4.1, Figure 2',
        quote: 'around 23% of pages changed at least once every day during our experiment',
        figure: '23 %',
        tolerances: ['class-share'],
      },
      {
        id: '000.7b',
        says: 'More than 30 % change less than once in four months.',
        where: '§4.1, Figure 2',
        quote: 'more than 30% of pages changes less than once every 4 months',
        figure: '> 30 %',
      },
    ],
  },
  {
    id: '000.8',
    title: 'The bound on needless requests',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.8a',
        says: 'Of R requests for a page that changes C times at least R − (C + 1) are needless.',
        where: '§4.1, Figure 1',
        quote: 'We can calculate a lower bound for the number of needless requests for a single page',
        figure: 'R − (C + 1)',
      },
      {
        id: '000.8b',
        says: 'The bound is R − (C + 1) as soon as R > C − 1.',
        where: '§4.1',
        quote: String.raw`R - (C + 1) & \text{if } R > C - 1`,
        figure: 'R > C − 1',
        standing: {
          verdict: 'not claimed',
          why: 'As printed R = C would give −1 needless requests, so we read max(0, R − (C + 1)).',
        },
      },
    ],
  },
  {
    id: '000.9',
    title: 'Needless visits',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.9a',
        says: 'Of daily visits about 77 % are needless.',
        where: '§4.1, Figure 3',
        quote: 'when the crawler visits all pages once every day, around 77% of downloads are needless',
        figure: '77 %',
        tolerances: ['needless-share'],
      },
      {
        id: '000.9b',
        says: 'The share rises fast with the number of visits, and then levels off.',
        where: '§4.1, Figure 3',
        quote: 'the fraction of needless downloads increases very rapidly in the beginning and then levels off',
      },
    ],
  },
  {
    id: '000.10',
    title: 'Who ever gets a 304',
    needs: LOG_NEEDS,
    parts: [
      {
        id: '000.10a',
        says: 'Only 13 % of the addresses that asked for robots.txt ever got a 304.',
        where: '§4.1',
        quote: 'only 13% of crawlers got even a single server response',
        figure: '13 %',
        tolerances: ['not-modified'],
      },
    ],
  },
  {
    id: '000.11',
    title: 'Images through HTML',
    needs: LOG_NEEDS,
    parts: [
      {
        id: '000.11a',
        says: 'When images are found through HTML, 66 % of the requests are not for images.',
        where: '§4.2',
        quote: 'In this case 66% of the requests are for HTML rather than images.',
        figure: '66 %',
        tolerances: ['media-share'],
      },
      {
        id: '000.11b',
        says: 'And 30 % of the bytes are not of images.',
        where: '§4.2',
        quote: '30% of the used bandwidth is wasted',
        figure: '30 %',
        tolerances: ['media-share'],
      },
    ],
  },
  {
    id: '000.12',
    title: 'Crawlers and traffic',
    needs: 'Access logs of several servers of different traffic: the claim compares servers.',
    parts: [
      {
        id: '000.12a',
        says: 'The share of crawlers falls with the traffic of a server, by 0.47 points for each 1,000 hits a day.',
        where: '§5, Figure 5',
        quote: 'decreases as the total traffic increases with a slope of -0.47 % points/1000 hits',
        figure: '−0.47 points',
      },
      {
        id: '000.12b',
        says: 'At 10,000 hits a day it is about 18 %.',
        where: '§5',
        quote: 'crawler overhead is about 18%',
        figure: '18 %',
        standing: {
          verdict: 'cannot be tested here',
          why: 'It is a point on the line through eight servers. It takes logs of several servers of about 10,000 hits a day.',
        },
      },
    ],
  },
  {
    id: '000.13',
    title: 'Perfect freshness',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.13a',
        says: 'With metadata all pages are fresh at about a fifth of the bandwidth that it takes without.',
        where: '§6, Figure 6(a)',
        quote:
          'able to maintain a perfectly fresh repository at about a fifth of the bandwidth required by the conventional crawler',
        figure: '1/5',
        tolerances: ['a-fifth'],
      },
    ],
  },
  {
    id: '000.14',
    title: 'What metadata gains',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.14a',
        says: 'Metadata keeps up to 25 % more pages fresh at low bandwidth.',
        where: '§6, Figure 6(b)',
        quote: 'At low bandwidth using meta-data increases repository freshness by up to 25%.',
        figure: '25 %',
        tolerances: ['freshness-gain'],
      },
      {
        id: '000.14b',
        says: 'The gain shrinks past 0.22 of the repository a day.',
        where: '§6, Figure 6(b)',
        quote: 'When the bandwidth reaches a value of .22',
        figure: '0.22',
        tolerances: ['freshness-gain'],
      },
    ],
  },
  {
    id: '000.15',
    title: 'What metadata saves',
    needs: HISTORY_NEEDS,
    parts: [
      {
        id: '000.15a',
        says: 'At 80 % freshness metadata saves 62 % of the bandwidth.',
        where: '§6, Figure 6(c)',
        quote:
          'if the crawler desires a repository that contains 80% fresh pages, it can save 62% of the bandwidth costs',
        figure: '62 %',
        tolerances: ['freshness-gain'],
      },
    ],
  },
]
