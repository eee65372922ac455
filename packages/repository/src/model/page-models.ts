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
  SeveralModel,
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
  readonly collections: SeveralModel
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
  /** What can be searched: a collection, several, or a cluster. */
  readonly stock: Statistics | WholeModel | SeveralModel
  /** Of a demonstration. */
  readonly roles?: readonly RoleModel[] | undefined
}

/** Who is at work in a demonstration: what it does, in a sentence, and where that is seen. */
export interface RoleModel {
  readonly name: string
  readonly sentence: string
  readonly links: readonly { readonly text: string; readonly href: string }[]
}

export interface ShownAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly ShownResult[]
}

/** Of a cluster, the shard that has it. */
export interface ShownResult extends SearchResult {
  readonly shard?: number | undefined
  /** Of several collections, the one that has it. */
  readonly collection?: string | undefined
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
