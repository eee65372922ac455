/** What 001 claims of its simulated network (§V, §VI), part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

const NEEDS = '`lab network`, with the cases of 0, 20 and 40 % crawlers and of 0, 3 and 7 % indexing.'

export const NETWORK_CLAIMS: readonly PaperClaim[] = [
  {
    id: '001.4',
    title: 'Throughput without crawlers',
    needs: NEEDS,
    parts: [
      {
        id: '001.4a',
        says: 'Clients get about 222 bits a tick at most.',
        where: '§VI, Figure 2',
        quote: 'Both simulations achieve the same peak throughput of about 222 bits/tick',
        figure: '222',
        tolerances: ['about-throughput'],
      },
      {
        id: '001.4b',
        says: 'Past saturation they get about 140.',
        where: '§VI, Figure 2',
        quote: 'Thereafter, the throughput remains constant at about 140 bits/tick.',
        figure: '140',
        tolerances: ['about-throughput'],
      },
    ],
  },
  {
    id: '001.5',
    title: 'Throughput with indexing',
    needs: NEEDS,
    parts: [
      {
        id: '001.5a',
        says: 'With indexing at 0, 3 and 7 % overhead clients get alike, about 220 bits a tick at most.',
        where: '§VI, Figure 2',
        quote: 'All three active indexing cases support approximately the same maximum throughput of 220 bits/tick.',
        figure: '220',
        tolerances: ['about-throughput'],
      },
    ],
  },
  {
    id: '001.6',
    title: 'What crawlers cost clients',
    needs: NEEDS,
    parts: [
      {
        id: '001.6a',
        says: '20 % crawlers leave clients 175 bits a tick, 20 % less.',
        where: '§VI, Figure 2',
        quote: 'the 20% with-crawler case shows a 20% reduction in client throughput to 175 bits/tick',
        figure: '−20 %',
        tolerances: ['loss-share'],
      },
      {
        id: '001.6b',
        says: '40 % crawlers leave clients 120 bits a tick, 45 % less.',
        where: '§VI, Figure 2',
        quote: 'the 40% with-crawler case shows a 45% reduction to 120 bits/tick',
        figure: '−45 %',
        tolerances: ['loss-share'],
      },
      {
        id: '001.6c',
        says: 'The loss can be larger than the share of crawlers.',
        where: '§VI',
        quote: 'The impact can be greater than 1:1 due to the effects of finite buffers',
        figure: '> 1:1',
      },
    ],
  },
  {
    id: '001.7',
    title: 'What crawlers get',
    needs: NEEDS,
    parts: [
      {
        id: '001.7a',
        says: 'Crawlers get twice as much in the 40 % case as in the 20 % case, at all rates.',
        where: '§VI, Figure 3',
        quote: 'crawler throughput in the 40% case is overall twice that in the 20% case',
        figure: '2 ×',
        tolerances: ['same-delay'],
      },
    ],
  },
  {
    id: '001.8',
    title: 'Delays',
    needs: NEEDS,
    parts: [
      {
        id: '001.8a',
        says: 'Clients wait much longer with crawlers than with indexing.',
        where: '§VI, Figure 4',
        quote: 'has much longer average client delays than for the active network',
        tolerances: ['much-longer'],
      },
      {
        id: '001.8b',
        says: 'Crawlers wait alike, whatever their share.',
        where: '§VI, Figure 5',
        quote: 'The two curves are nearly identical',
        tolerances: ['same-delay'],
      },
    ],
  },
  {
    id: '001.9',
    title: 'Completed requests',
    needs: NEEDS,
    parts: [
      {
        id: '001.9a',
        says: 'At 0.0025 client requests a tick 40 % crawlers cut completed requests by nearly 60 %.',
        where: '§VI, Figure 6',
        quote: '40% crawler traffic is sufficient to decrease client rates by nearly 60%',
        figure: '−60 %',
        tolerances: ['loss-share'],
      },
      {
        id: '001.9b',
        says: 'With indexing, whatever its overhead, as many requests complete.',
        where: '§VI, Figure 6',
        quote: 'All three active indexing cases have nearly identical client completion rates.',
        tolerances: ['about-throughput'],
      },
    ],
  },
  {
    id: '001.10',
    title: 'How much more efficient',
    needs: 'What the 30 % are of: the paper does not say.',
    parts: [
      {
        id: '001.10a',
        says: 'Active indexing is up to 30 % more efficient than crawling.',
        where: 'abstract',
        quote: 'active indexing is up to 30% more efficient than the current crawler-based techniques',
        figure: '30 %',
      },
    ],
  },
]
