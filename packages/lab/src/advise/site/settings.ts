/** Settings of the advice for a site: prices as 002 §6.4.1 estimates them, and what a log cannot tell. */
import { settingsWithin } from '../../setting-bounds.ts'

export interface AdviseSiteSettings {
  /** b: what a person's view of a page brings, in US dollars. */
  readonly viewUsd: number
  /** c_n and c_p: network and processor for serving one page with its pictures. Together at most 0.002 in the paper. */
  readonly networkUsd: number
  readonly processingUsd: number
  /** Bytes of that page: 40 KB in the paper. */
  readonly pageBytes: number
  /** What a page costs a crawler: connection, download, processing. */
  readonly crawlerUsd: number
  /** Share of it that is for the bytes; the rest is for processing the page. */
  readonly downloadShare: number
  /** A crawler that came at all within so many hours would have asked once for what changed. */
  readonly pollHours: number
  /** Pages without pictures, styles and scripts that make a crawler of a visitor without a name. */
  readonly unnamedPages: number
  /** Processor time of a server for a request as such, without making the answer. */
  readonly requestMs: number
  /** Share of a page that an edit changes, where no versions are known. */
  readonly editShare: number
  /** Pages that costs are measured on, at most, and how many of them change. */
  readonly samplePages: number
  readonly sampleChanges: number
  readonly seed: number
}

export const adviseSiteDefaults: AdviseSiteSettings = {
  viewUsd: 0.05,
  networkUsd: 0.0015,
  processingUsd: 0.0005,
  pageBytes: 40_000,
  crawlerUsd: 0.002,
  downloadShare: 0.5,
  pollHours: 24,
  unnamedPages: 20,
  // `comity lab schemes`, keep-alive: 3.3 s of the site's processor for 39,925 requests.
  requestMs: 0.083,
  // 002 §6.3, after Ntoulas et al.: half of the changed pages have changed by less.
  editShare: 0.05,
  samplePages: 150,
  sampleChanges: 40,
  seed: 1,
}

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function adviseSiteSettings(given: Partial<AdviseSiteSettings> = {}): AdviseSiteSettings {
  const odd = Object.entries(given).find(([, value]) => typeof value !== 'number')
  if (odd !== undefined) throw new RangeError(`${odd[0]} is ${JSON.stringify(odd[1])}, which is no number`)
  const settings = settingsWithin(given, adviseSiteDefaults, {
    whole: [
      ['unnamedPages', 1, 1e9],
      ['samplePages', 1, 100_000],
      ['sampleChanges', 1, 10_000],
      ['seed', 0, 2 ** 32],
    ],
    amounts: [
      ['viewUsd', 0, 1e6],
      ['networkUsd', 0, 1e6],
      ['processingUsd', 0, 1e6],
      ['pageBytes', 1, 1e12],
      ['crawlerUsd', 0, 1e6],
      ['downloadShare', 0, 1],
      ['pollHours', 1 / 60, 24 * 366],
      ['requestMs', 0, 60_000],
      ['editShare', 0, 1],
    ],
  })
  const { viewUsd, networkUsd, processingUsd } = settings
  if (viewUsd <= networkUsd + processingUsd)
    throw new RangeError(
      `a view brings ${viewUsd} and costs ${networkUsd + processingUsd}: such a site has nothing to pay schemes with (002 §6.4.1 has b ≥ c_n + c_p); raise viewUsd`,
    )
  return settings
}
