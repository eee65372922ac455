/** Why a cell of 002 Table 6.2 comes out otherwise, by the paper's row and what it is of. */
import type { CostKind } from './schemes-verdict.ts'

const FEWER_PAGES =
  'Who knows what changed neither fetches the rest nor compares it; against every page each time, that weighs more than reading what tells of it.'
const FEWER_ANSWERS =
  'Each answer costs more to make, and there are far fewer of them: a page that is not asked for costs nothing.'

const REASONS: Readonly<Record<string, Readonly<Partial<Record<CostKind, string>>>>> = {
  'Serve meta-data': {
    network:
      'What tells of changes is more to send only for who would not fetch unchanged pages anyway. Beside the pages that did change it is a few per cent.',
    server: FEWER_ANSWERS,
    crawler: FEWER_PAGES,
  },
  'Serve differences': {
    network: 'Most of what is sent is pages that are new, whole.',
    server: `${FEWER_ANSWERS} Making a difference takes about as long as packing the page.`,
    crawler: `${FEWER_PAGES} Putting a difference on is cheaper than receiving the page was.`,
  },
  'Only if modified': {
    network: 'Too many pages change from poll to poll for the answers 304 to save much.',
    server: 'No body is sent for most pages, and sending is part of the work.',
    crawler: 'No body is received, compared or read for most pages.',
  },
  'Many pages in one request': {
    network:
      'At the sockets one connection carries the same bytes as many. What is saved is below them: opening and closing a TCP connection takes at least seven packets of 40 bytes, 1 to 2 % of a page and its answer here.',
    server: 'Opening and closing connections is about half of the work of a site that sends files as they are.',
    crawler:
      'Opening and closing connections is more than a third of the work of a crawler that finds most pages unchanged.',
  },
  'Entire site compressed': {
    network:
      'It is more than is necessary, but not more than every page by itself, and packed. Beside the changed pages alone, packed too, it is many times as much (see the filter).',
    server: 'Packages of pages that did not change are not packed again.',
    crawler: 'Unpacking takes less than as many answers.',
  },
  'Filtering interface': {
    network: 'Most of what is sent is pages that did change.',
    server: FEWER_ANSWERS,
    crawler: FEWER_PAGES,
  },
}

/** Of the filter, which the paper has as fresh as what is pushed. */
export const FRESHNESS_REASON =
  'Whoever is polled is as fresh as the period lets it be. A filter is polled more often for the same bytes, and so are lists of changes and differences.'

export const reasonFor = (row: string, kind: CostKind): string => REASONS[row]?.[kind] ?? ''
