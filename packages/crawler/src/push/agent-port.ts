/**
 * AgentPort: what a run needs to know of the agents that its engine has at sites (002 §6.3): whether what came is of one of
 * ours, and whether that program says the same of a page as we fetched it. `cli` has the one with a sandbox.
 */
import type { Instant, TooMuchWork } from '@comity/protocol'

export interface AgentPort {
  /**
   * What a site's agent said; or why it is not heard: it cannot be read, or is of no program of ours that may still run. A long
   * one is read by a thread.
   */
  read(body: Uint8Array): Promise<AgentClaims | RefusedAgentClaims>
  /** Whether the program says of a page what the site says it said; undefined when nobody can tell. Never throws. */
  audit(news: AgentClaims, page: AuditedPage, signal: AbortSignal): Promise<boolean | undefined>
}

export interface RefusedAgentClaims {
  readonly problem: string
  readonly outcome: 'unoffered' | 'unreadable' | TooMuchWork
}

export interface AgentClaims {
  readonly agent: string
  readonly version: string
  /** Digest of the program. */
  readonly bundle: string
  /** By the site's clock. */
  readonly at: Instant
  /** Each claim follows from one page alone, so that one page is enough to see whether it is right. */
  readonly isPerPage: boolean
  readonly claims: readonly AgentClaim[]
}

/** All that was said of one page. */
export interface AgentClaim {
  /** As the site spells it. */
  readonly url: string
  /** `sha-256:…` of the page that it was said of; undefined for one that is gone. */
  readonly digest?: string | undefined
  readonly change?: 'created' | 'updated' | 'deleted' | undefined
  /** Among the site's own pages, more is more; between sites it means nothing. */
  readonly importance?: number | undefined
  /** Its words at their places, as the agent wrote them. */
  readonly words?: Readonly<Record<string, unknown>> | undefined
}

/** A page as we fetched it. */
export interface AuditedPage {
  readonly url: string
  readonly type: string
  readonly body: Uint8Array
}
