/** Why a cell of 002 Table 6.2 comes out otherwise, by the paper's row and what it is of. */
import { ownValue, tableOf } from '@comity/protocol'
import type { SchemeRow } from '../../cooperating/rows.ts'
import type { CostKind } from './verdict.ts'

type Reasons = Readonly<Record<string, Readonly<Record<CostKind, string>>>>

const FEWER_PAGES =
  'Who knows what changed neither fetches the rest nor compares it; against every page each time, that weighs more than reading what tells of it.'
const FEWER_ANSWERS =
  'Each answer costs more to make, and there are far fewer of them: a page that is not asked for costs nothing.'
const FEWER_POSTS =
  'Making, signing and posting what changed is more work for a page than sending it as it is, but it is done for pages that changed, and not for all of them at every poll.'
const LESS_READ =
  'Each page comes once for each change; proving who sent it and judging whether it is newer takes less than fetching and comparing those that did not change.'

const SENT_REASONS: Reasons = {
  'Send meta-data': {
    network:
      'A notice of about 900 bytes for each change comes on top of the page, as the paper has it. What it leaves out is that without it every page is fetched at every poll.',
    server: `A notice and an answer for every page that changed. ${FEWER_POSTS}`,
    crawler: LESS_READ,
  },
  'Send differences': {
    network: 'A page that changed much is sent whole.',
    server: `${FEWER_POSTS} A difference is made once, from the version that the subscriber has.`,
    crawler: `${LESS_READ} Putting a difference on is cheaper than receiving the page.`,
  },
  'Send changed pages': {
    network: 'Pages that change often are sent often: more of them than polls would find changed.',
    server: FEWER_POSTS,
    crawler: LESS_READ,
  },
  'Send batch update': {
    network:
      'A batch is packed, has each page once however often it changed, and one head for all of them. More than is necessary it would be only for who wants some of its pages.',
    server: `${FEWER_POSTS} Packing is the rest of it.`,
    crawler: LESS_READ,
  },
  'Send entire site': {
    network:
      'It is more than is necessary, but not more than every page by itself, and packed. Sent at every change it would be: the packed site, for each of them.',
    server: 'It is packed anew each time.',
    crawler: 'All pages are unpacked and compared, and those that did not change are left alone.',
  },
  'Remote agent': {
    network:
      'What the agent tells is little. Words of pages instead of pages are not less than the pages when they are sent as lines of text; packed they would be about a quarter.',
    server: 'Every run starts a sandbox and looks at all pages.',
    crawler: 'The agent has read the pages already, or the engine asks for nothing but differences.',
  },
}

const SERVED_REASONS: Reasons = {
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

export const reasonFor = (row: string, kind: CostKind): string =>
  (ownValue(SENT_REASONS, row) ?? ownValue(SERVED_REASONS, row))?.[kind] ?? ''

const FRESHNESS: ReadonlyMap<string, string> = tableOf({
  'Send batch update':
    'A batch is as fresh as its schedule: sent once a day it is what polling once a day is, and no more.',
  'Send entire site':
    'Nobody sends an entire site at every change: it is as fresh as its schedule, like one that is fetched.',
  'Remote agent':
    'An agent is as fresh as it is run often. To run it at every change takes a sandbox for each, which is its price (see at equal freshness).',
  'Filtering interface':
    'Whoever is polled is as fresh as the period lets it be. A filter is polled more often for the same bytes, and so are lists of changes and differences.',
})

/** Why a form is not as fresh as the paper says; empty where it is. */
export const freshnessReason = ({ name }: SchemeRow): string => FRESHNESS.get(name) ?? ''
