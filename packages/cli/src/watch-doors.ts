/** Watch doors: where `comity watch` hears sites that call, and what it wants of them. */
import { INBOX_SCHEMES } from '@comity/collection'
import type { InboxScheme } from '@comity/collection'
import type { AllowPrivate, IntakePort } from '@comity/crawler'
import { didYouMean } from './nearest-name.ts'
import { parseListen } from './publish-flags.ts'
import { BadValue, UsageError } from './usage-error.ts'

export interface DoorSettings {
  readonly listen: string | undefined
  readonly publicUrl: string | undefined
  readonly identity: string | undefined
  readonly allowPrivate: AllowPrivate
}

/** Nobody is heard unless somebody said where. */
export async function doorsOf(
  { listen, publicUrl, identity, allowPrivate }: DoorSettings,
  dir: string,
  say: (text: string) => void,
): Promise<IntakePort | undefined> {
  if (listen === undefined) {
    if (publicUrl !== undefined) throw new UsageError('--public-url says where --listen is reached: give both.')
    return undefined
  }
  const place = parseListen(listen)
  const { WatchDoors } = await import('@comity/repository')
  const { KeyFile } = await import('@comity/site')
  const keys = identity === undefined ? undefined : KeyFile.open(identity, { now: Date.now }).ring()
  return new WatchDoors({
    dir,
    listen: place,
    publicUrl,
    // On a network of one's own there is often no TLS.
    mayBeHttp: allowPrivate !== false,
    keys,
    onOpen: (url) => say(`sites that call are heard at ${url}`),
    onError: (error) => say(`the receiver: ${String(error)}`),
  })
}

export function parseSchemes(text: string): readonly InboxScheme[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !(INBOX_SCHEMES as readonly string[]).includes(name))
  if (wrong === undefined) return names as InboxScheme[]
  const all = INBOX_SCHEMES.join(', ')
  throw new BadValue(`"${wrong}" is nothing that sites send: ${all}.${didYouMean(wrong, INBOX_SCHEMES)}`)
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new BadValue('is no number of sites: write 100')
}

export function publicAddress(text: string): string {
  const url = URL.parse(text)
  const isPlain = (url?.protocol === 'https:' || url?.protocol === 'http:') && url.search === '' && url.hash === ''
  if (url === null || !isPlain) throw new BadValue('is no address: write https://crawler.example')
  return url.href.replace(/\/$/, '')
}
