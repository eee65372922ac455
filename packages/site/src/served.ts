/** Served: what one answer was and cost, for whoever keeps count (the ledger). */
import type { SiteScheme } from './site-options.ts'

export interface Served {
  readonly scheme: SiteScheme
  /** User-Agent as sent, up to 200 characters. */
  readonly agent: string
  /** Host of the crawler that has proven to ask; undefined when none has, or nobody asked for a proof. */
  readonly proven?: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  /** Of the body as it went out, content coding on. */
  readonly bytes: number
  /** Processor time of this process meanwhile: exact when one answer is made at a time, an upper bound otherwise. */
  readonly cpuMs: number
  /** Pages that the answer holds, lists, or says to be unchanged. */
  readonly pages: number
  /** What those pages would have been as whole bodies, where the answer is instead of them. */
  readonly pageBytes: number
}
