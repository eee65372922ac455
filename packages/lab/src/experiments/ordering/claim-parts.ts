/** What 003 claims, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

const LINK_NEEDS = 'A graph of pages, named to `lab ordering`.'
const TOPIC_NEEDS =
  'A web with the words of its pages on which twenty or more are about the topic: `lab ordering` on WebKB, on a collection, or on a generated web.'

export const ORDERING_CLAIMS: readonly PaperClaim[] = [
  {
    id: '003.1',
    title: 'How many pages are hot',
    needs: LINK_NEEDS,
    parts: [
      {
        id: '003.1a',
        says: '47 % of the pages have 3 or more backlinks.',
        where: '§6',
        quote: '85,000$ (47%), 17,500 (10%) and 1,400 (0.8%) pages out of 179,000 total valid web pages',
        figure: '47 %',
        tolerances: ['share-factor'],
      },
      {
        id: '003.1b',
        says: '10 % have 10 or more.',
        where: '§6',
        quote: '17,500 (10%)',
        figure: '10 %',
        tolerances: ['share-factor'],
      },
      {
        id: '003.1c',
        says: '0.8 % have 100 or more.',
        where: '§6',
        quote: '1,400 (0.8%) pages out of 179,000 total valid web pages were considered hot',
        figure: '0.8 %',
        tolerances: ['share-factor'],
      },
    ],
  },
  {
    id: '003.2',
    title: 'Backlink order by threshold',
    needs: LINK_NEEDS,
    parts: [
      {
        id: '003.2a',
        says: 'In backlink order, the higher the threshold the sooner hot pages are found.',
        where: '§6, Graph 1',
        quote: 'the faster the crawler can locate the hot pages',
      },
      {
        id: '003.2b',
        says: 'Past 80 % of the crawl they are found at the speed of a random crawler.',
        where: '§6, Graph 1',
        quote: 'the crawler finds hot pages at roughly the same rate as a random crawler',
        tolerances: ['random-speed'],
      },
    ],
  },
  {
    id: '003.3',
    title: 'PageRank, breadth-first and backlink order',
    needs: LINK_NEEDS,
    parts: [
      {
        id: '003.3a',
        says: 'PageRank order beats backlink order, even for pages with 100 backlinks.',
        where: '§6, Graph 2',
        quote: 'metric outperforms the',
        tolerances: ['significance'],
      },
      {
        id: '003.3b',
        says: 'Breadth-first is between the two.',
        where: 'Graph 2',
        quote:
          'In our next experiment we compare three different ordering metrics, breadth-first, backlink-count, and PageRank',
        standing: {
          verdict: 'not claimed',
          why: 'The text does not say where breadth-first lies; Graph 2 has to be looked at. What we found is told all the same.',
        },
      },
      {
        id: '003.3c',
        says: 'Backlink order behaves like depth-first, staying in one cluster before it moves on.',
        where: '§6, Figure 3',
        quote:
          'crawler behaved like a depth-first one, frequently visiting pages in one "cluster" before moving on to the next',
      },
    ],
  },
  {
    id: '003.4',
    title: 'The other models, and PageRank as importance',
    needs: LINK_NEEDS,
    parts: [
      {
        id: '003.4a',
        says: 'Under Crawl & Stop, too, PageRank order beats backlink order.',
        where: '§6, Graph 3',
        quote: 'The results are analogous to those of the Crawl & Stop with Threshold model.',
        tolerances: ['significance'],
      },
      {
        id: '003.4b',
        says: 'When importance is PageRank of 13 or more, PageRank order leads.',
        where: '§6, Graph 4',
        quote: 'The results are similar to those of Graph 2',
        tolerances: ['significance'],
      },
      {
        id: '003.4c',
        says: 'And it is further ahead than when importance is backlinks.',
        where: '§6, Graph 4',
        quote: 'is even more effective now',
        tolerances: ['significance'],
      },
      {
        id: '003.4d',
        says: 'Under Crawl & Stop without ties, where exactly K pages are hot, PageRank order beats backlink order.',
        where: '§3',
        quote: 'will contain only M pages with rank higher than or equal to',
        standing: {
          verdict: 'not claimed',
          why: 'The paper counts all pages that are worth as much as the K-th; where most have one backlink, nearly all pages are hot from some K on. This is our variant, beside the paper’s.',
        },
      },
    ],
  },
  {
    id: '003.5',
    title: 'One small site',
    needs: 'A web with a site of 550 to 4,400 pages that lead to each other: graphs with URLs, or `--hosts`.',
    parts: [
      {
        id: '003.5a',
        says: 'On one small site every order is at times worse than random.',
        where: '§6, Graph 5',
        quote: 'performance can be even worse than that of a random crawler at times, for all ordering metrics',
        tolerances: ['below-random'],
      },
      {
        id: '003.5b',
        says: 'Most pages there have fewer than 10 backlinks.',
        where: '§6, Graph 6',
        quote: 'most pages have fewer than 10 backlinks',
        figure: 'most',
      },
    ],
  },
  {
    id: '003.6',
    title: 'A topic, by anchors and addresses',
    needs: TOPIC_NEEDS,
    parts: [
      {
        id: '003.6a',
        says: 'With a hot queue by anchor and address, backlink and PageRank order are no better than random.',
        where: '§7, Graph 7',
        quote: 'the backlink-count and the PageRank crawler behaved no better than a random crawler',
        tolerances: ['like-random'],
      },
      {
        id: '003.6b',
        says: 'Only breadth-first is good.',
        where: '§7, Graph 7',
        quote: 'Only the breadth-first crawler gave a reasonable result.',
        tolerances: ['like-random'],
      },
    ],
  },
  {
    id: '003.7',
    title: 'A topic, near hot pages',
    needs: TOPIC_NEEDS,
    parts: [
      {
        id: '003.7a',
        says: 'Pages near hot ones first helps every order.',
        where: '§7, Graph 8',
        quote: 'All crawlers showed significant improvement',
      },
      {
        id: '003.7b',
        says: 'The lead of breadth-first shrinks.',
        where: '§7, Graph 8',
        quote: 'the difference between the breadth-first crawler and the others decreased',
      },
      {
        id: '003.7c',
        says: 'Breadth-first still leads.',
        where: '§7, Graph 8',
        quote: 'the breadth-first strategy is still superior',
      },
      {
        id: '003.7d',
        says: 'More than a third of the hot pages have one backlink.',
        where: '§7',
        quote: 'more than a third of the hot pages have only one backlink to them',
        figure: '> 1/3',
      },
    ],
  },
  {
    id: '003.8',
    title: 'A topic, and five backlinks',
    needs: TOPIC_NEEDS,
    parts: [
      {
        id: '003.8a',
        says: 'After 40 % of the crawl PageRank and breadth-first have over 80 % of the hot pages.',
        where: '§7, Graph 9',
        quote: 'after having seen only 40% of the pages, these crawlers have obtained over 80% of the hot pages',
        figure: '> 80 %',
      },
      {
        id: '003.8b',
        says: 'After 60 % they have most of them.',
        where: '§7, Graph 9',
        quote: 'After visiting 60% of the pages, most of the hot pages have been gathered.',
        figure: 'most',
        tolerances: ['most-found'],
      },
      {
        id: '003.8c',
        says: 'A second word behaves alike.',
        where: '§7, Graph 10',
        quote: 'The performance details vary from the previous case, but the overall conclusion is the same',
        figure: '> 80 %',
      },
    ],
  },
  {
    id: '003.9',
    title: 'A random crawl',
    needs: LINK_NEEDS,
    parts: [
      {
        id: '003.9a',
        says: 'A crawler that draws any page, and may draw it again, has K / T after K visits.',
        where: '§3',
        quote: 'may revisit pages, would have a performance of',
        figure: 'K / T',
        tolerances: ['like-random'],
      },
      {
        id: '003.9b',
        says: 'One that draws any page, and each only once, has K / T.',
        where: '§6',
        quote: 'the performance of a random crawler is a straight diagonal line',
        figure: 'K / T',
      },
      {
        id: '003.9c',
        says: 'One that draws from the pages found so far has K / T.',
        where: '§3',
        quote: 'A crawler that somehow manages to visit pages entirely at random',
        tolerances: ['like-random'],
        standing: {
          verdict: 'not claimed',
          why: 'The paper’s random crawler needs no links. Ours does, as every crawler: what many link to it finds early.',
        },
      },
    ],
  },
]
