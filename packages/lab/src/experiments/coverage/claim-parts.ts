/** What 001 §II claims of pages that crawls do not find, part by part. */
import type { PaperClaim } from '../../claims/claim-part.ts'

export const COVERAGE_CLAIMS: readonly PaperClaim[] = [
  {
    id: '001.3',
    title: 'What crawlers and gateways see',
    needs:
      '`lab coverage` on a web that has pages outside of its core and OUT; for 001.3b the log of a gateway, and all pages behind it.',
    parts: [
      {
        id: '001.3a',
        says: 'From the core a crawler reaches the core and OUT, and nothing else.',
        where: '§II',
        quote: 'it would never find any of the pages in',
      },
      {
        id: '001.3b',
        says: 'A gateway sees every page that people read, also in IN, in tendrils and disconnected.',
        where: '§II',
        quote: 'active indexing will see all pages fetched by clients',
        tolerances: ['hidden-seen'],
      },
    ],
  },
]
