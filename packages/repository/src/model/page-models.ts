/** Page models: which pages there are for people, and what each is drawn from. */
import type { RankName, SearchAnswer } from '@comity/index'
import type {
  PushesModel,
  DifferenceModel,
  FreshnessModel,
  GraphModel,
  PageModel,
  ReadingModel,
  SiteModel,
  SiteRowModel,
  Statistics,
} from './models.ts'
import type { SiteSort } from '../ports.ts'
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
  readonly difference: DifferenceModel
  readonly graph: GraphModel
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
  readonly answer?: SearchAnswer | undefined
  readonly statistics: Statistics
}

/** Some of the sites, in one of the orders. */
export interface SitesModel {
  readonly sites: readonly SiteRowModel[]
  readonly total: number
  readonly sort: SiteSort
  readonly offset: number
  readonly limit: number
}
