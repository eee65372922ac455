/**
 * Generated settings: every setting of a generated web with its default and its limits, and the name that carries them
 * on a command line: `generated`, or `generated:pages=200000,sites=4000,seed=1,bowTie=off`.
 */
import { textOf } from '@comity/protocol'
import { webUnreadable } from '../../lab-error.ts'
import type { LabError } from '../../lab-error.ts'

export interface GeneratedWebSettings {
  readonly pages: number
  readonly sites: number
  readonly seed: number
  /** No site is larger (004 §4 took at most 25,000 pages from a site). */
  readonly maxSitePages: number
  /** Off: every site is in the core and every home page is a start page, as in 004 §5. */
  readonly bowTie: boolean
  /** 000 §3.4 measured 13 KB. */
  readonly meanBytes: number
  /** Medians over the sites. 004 §5 used observed ones and prints none: ours are those of a modem-era server. */
  readonly latencyMs: number
  readonly bandwidth: number
}

interface NumberSetting {
  readonly key: Exclude<keyof GeneratedWebSettings, 'bowTie'>
  readonly least: number
  readonly most: number
  readonly means: string
}

// Ten million pages take about 1.5 GB while they are made; more would outgrow the 24 bits that ranking packs a page into.
const numberSettings: readonly NumberSetting[] = [
  { key: 'pages', least: 1, most: 10_000_000, means: 'pages of the web' },
  { key: 'sites', least: 1, most: 1_000_000, means: 'sites they lie on' },
  { key: 'seed', least: 0, most: 0xffff_ffff, means: 'the same seed gives the same web' },
  { key: 'maxSitePages', least: 1, most: 10_000_000, means: 'pages of the largest site allowed' },
  { key: 'meanBytes', least: 256, most: 10_000_000, means: 'mean bytes of a page' },
  { key: 'latencyMs', least: 0, most: 60_000, means: 'median latency of the sites, in milliseconds' },
  { key: 'bandwidth', least: 1, most: 1e9, means: 'median bandwidth of the sites, in bytes a second' },
]

/** Mean pages of a site: 3.5 million on 50,000 (004 §4). Used where the number of sites is left open. */
const meanSitePages = 70

const generatedWebDefaults: Omit<GeneratedWebSettings, 'sites'> = {
  pages: 200_000,
  seed: 1,
  maxSitePages: 25_000,
  bowTie: true,
  meanBytes: 13_000,
  latencyMs: 200,
  bandwidth: 20_000,
}

/** Fills in the defaults and checks every setting. Throws a LabError (WEB_UNREADABLE) that says what to change. */
export function generatedSettings(given: Partial<GeneratedWebSettings> = {}): GeneratedWebSettings {
  const known = { ...generatedWebDefaults, ...given }
  const settings = { ...known, sites: given.sites ?? defaultSites(known.pages, known.maxSitePages) }
  for (const { key, least, most } of numberSettings) {
    const value: unknown = settings[key]
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > most) {
      throw badSetting(`${key} is ${textOf(value)}; it must be a whole number from ${least} to ${most}`)
    }
  }
  const { pages, sites, maxSitePages } = settings
  if (sites > pages) throw badSetting(`${sites} sites need at least as many pages, not ${pages}`)
  if (pages > sites * maxSitePages) {
    throw badSetting(`${pages} pages do not fit on ${sites} sites of at most ${maxSitePages}; give more sites`)
  }
  return settings
}

/** Reads `generated` or `generated:key=value,…`. Other names, unknown keys and bad values throw a LabError. */
export function parseGeneratedName(name: string): GeneratedWebSettings {
  const [, list] = /^generated(?::(.*))?$/.exec(name) ?? fail(`"${name}" does not begin with "generated"`)
  const given = new Map<string, number | boolean>()
  for (const pair of (list ?? '').split(',').filter((part) => part.trim() !== '')) {
    const [key = '', value = '', ...more] = pair.split('=').map((part) => part.trim())
    if (more.length > 0 || value === '') throw badSetting(`"${pair}" is not of the form key=value`)
    if (given.has(key)) throw badSetting(`${key} is given twice`)
    given.set(key, valueOf(key, value))
  }
  return generatedSettings(Object.fromEntries(given))
}

export const isGeneratedName = (name: string): boolean => name === 'generated' || name.startsWith('generated:')

function valueOf(key: string, value: string): number | boolean {
  if (key === 'bowTie') {
    if (value !== 'on' && value !== 'off') throw badSetting(`bowTie is "${value}"; it is on or off`)
    return value === 'on'
  }
  if (!numberSettings.some((setting) => setting.key === key)) throw badSetting(`there is no setting "${key}"`)
  if (!/^\d{1,10}$/.test(value)) throw badSetting(`${key} is "${value}"; it must be a whole number`)
  return Number(value)
}

// A web of a few thousand pages still gets enough sites when the largest allowed one is small.
const defaultSites = (pages: number, maxSitePages: number): number =>
  Math.max(1, Math.round(pages / Math.min(meanSitePages, Math.max(1, maxSitePages / 4))))

const badSetting = (problem: string): LabError =>
  webUnreadable(
    'generated',
    `a web cannot be made: ${problem}. ` +
      `Settings: ${[...numberSettings.map(({ key, means }) => `${key} (${means})`), 'bowTie (on or off)'].join(', ')}. ` +
      `Example: generated:pages=200000,sites=4000,seed=1`,
  )

function fail(problem: string): never {
  throw badSetting(problem)
}
