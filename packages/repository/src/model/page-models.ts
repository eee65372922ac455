/** Page models: which pages there are for people, and what each is drawn from. */
import type { RankName, SearchAnswer, SearchResult } from '@comity/index'
import type {
  CopyModel,
  PushesModel,
  DifferenceModel,
  FreshnessModel,
  GraphModel,
  PageModel,
  ReadingModel,
  SiteModel,
  SiteRowModel,
  Statistics,
  WholeModel,
} from './models.ts'
import type { SiteChoice, SiteSort } from '../ports.ts'
import type { ProblemModel } from '@comity/receiver'

export interface PageModels {
  /** Without an answer: the empty form. */
  readonly search: SearchPageModel
  readonly live: Statistics
  readonly freshness: FreshnessModel
  readonly calls: PushesModel
  readonly reading: ReadingModel
  readonly sites: SitesModel
  readonly site: SiteModel
  readonly page: PageModel
  readonly copy: CopyModel
  readonly difference: DifferenceModel
  readonly graph: GraphModel
  readonly cluster: WholeModel
  readonly problem: ProblemModel
}

export type PageName = keyof PageModels

export interface SearchPageModel {
  readonly request: {
    readonly query: string
    readonly rank: RankName
    readonly limit: number
    readonly offset: number
    readonly unfolded: boolean
  }
  readonly answer?: ShownAnswer | undefined
  /** What can be searched: a collection, or a cluster. */
  readonly stock: Statistics | WholeModel
}

export interface ShownAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly ShownResult[]
}

/** Of a cluster, the shard that has it. */
export interface ShownResult extends SearchResult {
  readonly shard?: number | undefined
}

/** Some of the sites, in one of the orders. */
export interface SitesModel {
  readonly sites: readonly SiteRowModel[]
  /** Of those shown; visited and merely linked ones together are all. */
  readonly total: number
  readonly visited: number
  readonly linked: number
  readonly show: SiteChoice
  readonly sort: SiteSort
  readonly offset: number
  readonly limit: number
}
