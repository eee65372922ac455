/** What 001 §IV claims of the size of an index, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

export const RELEVANCE_CLAIMS: readonly PaperClaim[] = [
  {
    id: '001.2',
    title: 'What an inverted file weighs',
    needs: 'A set of HTML pages, named to `lab relevance`.',
    parts: [
      {
        id: '001.2a',
        says: 'The compressed inverted file is about 7 % of the HTML.',
        where: '§IV',
        quote: 'The resulting index is consistently about 7% the size of the input HTML text.',
        figure: '7 %',
        tolerances: ['index-size'],
      },
      {
        id: '001.2b',
        says: 'When only new and changed pages are indexed, what is sent is much less.',
        where: '§IV',
        quote: 'the final index sent to the repository will decrease in size significantly',
        standing: {
          verdict: 'cannot be tested here',
          why: 'How much less depends on how often the same version of a page passes a gateway. It takes the traffic of one, with what was answered.',
        },
      },
    ],
  },
]
