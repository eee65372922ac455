/** The claims of all five papers, gathered from beside the experiments that answer them, and what is known of a part by its id. */
import { TRAFFIC_CLAIMS } from '../advise/crawlers/claim-parts.ts'
import { BREAK_EVEN_CLAIMS } from '../experiments/break-even/claim-parts.ts'
import { COOPERATION_CLAIMS } from '../experiments/cooperation/claim-parts.ts'
import { COVERAGE_CLAIMS } from '../experiments/coverage/claim-parts.ts'
import { NETWORK_CLAIMS } from '../experiments/network/claim-parts.ts'
import { ORDERING_CLAIMS } from '../experiments/ordering/claim-parts.ts'
import { RELEVANCE_CLAIMS } from '../experiments/relevance/claim-parts.ts'
import { SCHEDULING_CLAIMS } from '../experiments/scheduling/claim-parts.ts'
import { SCHEMES_CLAIMS } from '../experiments/schemes/claim-parts.ts'
import { SERVERS_CLAIMS } from '../experiments/servers/claim-parts.ts'
import type { ClaimPart, PaperClaim } from './claim-part.ts'

const byNumber = ({ id: a }: PaperClaim, { id: b }: PaperClaim): number => Number(a.slice(4)) - Number(b.slice(4))
const byPaper = ({ id: a }: PaperClaim, { id: b }: PaperClaim): number => Number(a.slice(0, 3)) - Number(b.slice(0, 3))

/** In the order of papers and numbers. */
export const PAPER_CLAIMS: readonly PaperClaim[] = [
  ...SERVERS_CLAIMS,
  ...TRAFFIC_CLAIMS,
  ...RELEVANCE_CLAIMS,
  ...COVERAGE_CLAIMS,
  ...NETWORK_CLAIMS,
  ...SCHEMES_CLAIMS,
  ...COOPERATION_CLAIMS,
  ...BREAK_EVEN_CLAIMS,
  ...ORDERING_CLAIMS,
  ...SCHEDULING_CLAIMS,
].toSorted((a, b) => byPaper(a, b) || byNumber(a, b))

const claimsById = new Map(PAPER_CLAIMS.map((claim) => [claim.id, claim]))
const partsById = new Map(PAPER_CLAIMS.flatMap(({ parts }) => parts.map((part) => [part.id, part] as const)))

export const paperClaim = (id: string): PaperClaim | undefined => claimsById.get(id)
export const claimPart = (id: string): ClaimPart | undefined => partsById.get(id)
