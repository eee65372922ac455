/** Lease: the right to one connection to one site, and the tasks that are done on it. */
import type { Politeness } from './politeness.ts'
import type { Prerequisite, Site } from './site.ts'

export interface Lease {
  readonly site: Site
  /** The task that the lease was given for. */
  readonly first: Task
  /** Set again when the site's address is known. */
  politeness: Politeness
  /** The task under way. */
  task: Task
  /** Requests answered; those of them that count towards `pagesPerConnection`; the slowest. */
  requests: number
  counted: number
  slowestMs: number
}

export type Task =
  | {
      readonly kind: 'page'
      readonly page: number
      readonly url: string
      readonly depth: number
      readonly tries: number
    }
  | { readonly kind: 'prerequisite'; readonly prerequisite: Prerequisite; readonly url: string }

/** How a page's visit ended, as far as its place in the queue goes. `waiting`: it was not asked for after all. */
export type Disposition = 'done' | 'retry' | 'failed' | 'excluded' | 'forgotten' | 'waiting'

/**
 * k of 004 §4.2 counts whatever costs the server: pages, sitemaps, and a robots.txt that other sites refer to, which a
 * thousand of them may do. Only its own robots.txt is free, as no page may be asked for without it.
 */
export const countsAsPage = (task: Task, site: Site): boolean =>
  task.kind === 'page' || task.prerequisite.kind !== 'robots' || task.prerequisite.onBehalfOf !== site.id
