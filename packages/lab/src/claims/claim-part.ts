/**
 * Claim parts: what a paper claims, sentence by sentence. A compound claim hides its headline when all of it must hold at once,
 * so each sentence that can be true or false by itself is a part, with an answer of its own. Plain data, beside the experiment
 * that answers it.
 */
import type { ToleranceName } from './tolerances.ts'

export interface PaperClaim {
  /** `003.3`: number of the paper, and of the claim within it. */
  readonly id: string
  readonly title: string
  /** What it takes to test it, for those who have it not. */
  readonly needs: string
  readonly parts: readonly ClaimPart[]
}

export interface ClaimPart {
  /** `003.3b` */
  readonly id: string
  /** In our own words. */
  readonly says: string
  /** Where in the paper: `§6, Graph 2`. */
  readonly where: string
  /** The paper's own words, a line of them, so that everyone can see what we read. */
  readonly quote: string
  /** The paper's figure, where it has one. */
  readonly figure?: string
  readonly tolerances?: readonly ToleranceName[]
  /** For what no run can answer: how it stands, and why. */
  readonly standing?: {
    readonly verdict: 'holds by construction' | 'cannot be tested here' | 'not claimed'
    readonly why: string
  }
}
