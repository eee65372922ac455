/**
 * What the advice for a site is measured on: pages of its document root, with real versions of them where the site's journal
 * kept some; or pages made to the sizes that the log shows. Where each figure comes from is told with it.
 */
import type { SiteAccounts } from './account.ts'
import type { SiteKnowledge } from './knowledge.ts'
import type { AdviseSiteSettings } from './settings.ts'
import type { CountedPage } from '../../cooperating/counted-site.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { measureUnits } from '../../cooperating/scheme-units.ts'
import type { SchemeUnits } from '../../cooperating/scheme-units.ts'
import { createRandom } from '@comity/testbed'

interface SiteUnits {
  readonly units: SchemeUnits
  /** What was measured, in words. */
  readonly measuredOn: string
  /** What had to be assumed for it. */
  readonly assumed: readonly string[]
}

const SAMPLE_BYTES = 32 << 20
/** Versions that follow each other; with fewer than this chance would decide. */
const MIN_PAIRS = 5
/** Made pages are no longer than this: shares of them count, not their bytes. */
const [LEAST_BYTES, MOST_BYTES] = [500, 16_000]
const LEAST_PAGES = 10

const isText = ({ type = '' }: CountedPage): boolean => type.startsWith('text/')

export async function unitsFor(
  site: SiteKnowledge | undefined,
  accounts: Pick<SiteAccounts, 'textPages' | 'textBytes'>,
  base: string,
  settings: AdviseSiteSettings,
): Promise<SiteUnits> {
  const random = createRandom(settings.seed)
  const { samplePages, sampleChanges, editShare } = settings
  const edit = ({ body }: CountedPage): Uint8Array => editedBody(body, editShare, 'place', random)
  const edits = `an edit writes ${formatQuantity(editShare, 'share')} of a page anew, in one place (002 §6.3)`
  const sample = (await site?.sample(samplePages, SAMPLE_BYTES)) ?? []
  if (site === undefined || sample.length === 0) {
    const pages = Math.min(samplePages, Math.max(LEAST_PAGES, accounts.textPages))
    const mean = accounts.textPages === 0 ? 0 : accounts.textBytes / accounts.textPages
    const meanBytes = Math.round(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, mean)))
    const made = madePages({ pages, meanBytes, seed: settings.seed })
    return {
      units: await measureUnits(made, { base, edit, changed: sampleChanges }),
      measuredOn: `a made site of ${formatNumber(pages)} pages of ${formatQuantity(meanBytes, 'bytes')} on average, seed ${settings.seed}`,
      assumed: ['texts pack to about a third, and nothing else packs', edits],
    }
  }
  const pairs = site.pairs(sampleChanges)
  if (pairs.length < MIN_PAIRS) {
    return {
      units: await measureUnits(sample, { base, edit, changed: sampleChanges, isChanging: isText }),
      measuredOn: `${formatNumber(sample.length)} pages of the document root`,
      assumed: [edits],
    }
  }
  const after = new Map(pairs.map((pair) => [pair.path, pair.after]))
  const before: CountedPage[] = pairs.map(({ path, before: body }) => ({
    path,
    body,
    modifiedAt: 0,
    type: 'text/html',
  }))
  const pages = [...new Map([...sample, ...before].map((page) => [page.path, page])).values()]
  return {
    units: await measureUnits(pages, {
      base,
      changed: sampleChanges,
      edit: (page) => after.get(page.path) ?? edit(page),
      isChanging: ({ path }) => after.has(path),
    }),
    measuredOn: `${formatNumber(pages.length)} pages of the document root, ${formatNumber(after.size)} of them with versions that the journal kept`,
    assumed: [],
  }
}
