/** Pages: what the server draws for people, by name. Each is a pure function from its model to HTML. */
import { readAssets } from '../html/assets.ts'
import type { Extent } from '../html/page-shell.ts'
import { renderCopyPage } from './copy-page.ts'
import { renderClusterPage } from './cluster-page.ts'
import { renderCollectionsPage } from './collections-page.ts'
import { renderPushesPage } from './pushes-page.ts'
import { renderDifferencePage } from './difference-page.ts'
import { renderErrorPage } from '../html/error-page.ts'
import { renderFreshnessPage } from './freshness-page.ts'
import { renderGraphPage } from '../graph/page.ts'
import { renderLivePage } from './live-page.ts'
import type { PageModels, PageName } from '../model/page-models.ts'
import type { PagesPort } from '../ports.ts'
import { renderReadingPage } from './reading-page.ts'
import { renderSearchPage } from './search-page.ts'
import { renderSitePage } from './site-page.ts'
import { renderSitesPage } from './sites-page.ts'
import { renderStoryPage } from './story-page.ts'

type Renderers = { readonly [Name in PageName]: (model: PageModels[Name]) => string }

const RENDERERS: Renderers = {
  search: renderSearchPage,
  live: renderLivePage,
  freshness: renderFreshnessPage,
  calls: renderPushesPage,
  reading: renderReadingPage,
  sites: renderSitesPage,
  site: renderSitePage,
  page: renderStoryPage,
  copy: renderCopyPage,
  difference: renderDifferencePage,
  graph: renderGraphPage,
  cluster: renderClusterPage,
  collections: renderCollectionsPage,
  problem: (model) => renderErrorPage(model),
}

export function createPages(extent: Extent = 'collection'): PagesPort {
  const assets = readAssets()
  const renderers: Renderers = {
    ...RENDERERS,
    graph: rememberLast(renderGraphPage),
    problem: (model) => renderErrorPage(model, extent),
  }
  return {
    render: (name, model) => renderers[name](model),
    asset: (name) => assets.get(name),
  }
}

/**
 * The page of the same model again costs a comparison. Laying out a graph of 300 sites takes a tenth of a second, in
 * which nothing else is answered, and it changes only as often as the sites are counted anew.
 */
function rememberLast<Model>(render: (model: Model) => string): (model: Model) => string {
  let last = { key: '', page: '' }
  return (model) => {
    const key = JSON.stringify(model)
    if (key !== last.key) last = { key, page: render(model) }
    return last.page
  }
}
