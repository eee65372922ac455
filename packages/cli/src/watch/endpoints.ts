/** Watch endpoints: where `comity watch` hears sites that push, and what it wants of them. */
import { textOf } from '@comity/protocol'
import { INBOX_SCHEMES } from '@comity/collection'
import type { InboxScheme } from '@comity/collection'
import type { AllowPrivate, IntakePort } from '@comity/crawler'
import { didYouMean } from '../terminal/nearest-name.ts'
import type { ListenPlace } from '../site/flags.ts'
import { BadValue, UsageError } from '../usage-error.ts'

interface EndpointSettings {
  readonly listen: ListenPlace | undefined
  readonly publicUrl: string | undefined
  /** Addresses of proxies in front of it. */
  readonly behind?: readonly string[] | undefined
  readonly agents?: string | undefined
  /** File that lists the gateways that are heard. */
  readonly gateways?: string | undefined
  /** File that says which programs they are to run. */
  readonly programs?: string | undefined
  readonly identity: string | undefined
  readonly allowPrivate: AllowPrivate
}

/** Nobody is heard unless somebody said where. */
export async function doorsOf(
  { listen, publicUrl, behind = [], agents, gateways, programs, identity, allowPrivate }: EndpointSettings,
  dir: string,
  say: (text: string) => void,
): Promise<IntakePort | undefined> {
  if (programs !== undefined && gateways === undefined)
    throw new UsageError('--programs is for gateways that are listed: give --gateways too.')
  if (listen === undefined) {
    if (publicUrl !== undefined) throw new UsageError('--public-url says where --listen is reached: give both.')
    if (behind.length > 0) throw new UsageError('--behind says what stands in front of --listen: give both.')
    if (gateways !== undefined) throw new UsageError('Gateways are heard at --listen: give both.')
    if (agents !== undefined) throw new UsageError('What agents say is heard at --listen: give both.')
    return undefined
  }
  const { WatchEndpoints } = await import('@comity/receiver')
  const { KeyFile } = await import('@comity/site')
  const keys = identity === undefined ? undefined : KeyFile.open(identity, { now: Date.now }).ring()
  return new WatchEndpoints({
    dir,
    listen,
    publicUrl,
    proxies: behind,
    gateways,
    programs,
    // On a network of one's own there is often no TLS.
    mayBeHttp: allowPrivate !== false,
    keys,
    agents: agents === undefined ? undefined : new (await import('../agent/engine-agents.ts')).EngineAgents(agents),
    onOpen: (url) => say(`sites that push${gateways === undefined ? '' : ' and gateways'} are heard at ${url}`),
    onError: (error) => say(`the receiver: ${textOf(error)}`),
    tell: say,
  })
}

/** What is wrong with the place, so that it can be put right; any other error as it is. */
export function doorsFailed(error: unknown, listen: ListenPlace | undefined): unknown {
  const { code, message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string }
  if (listen === undefined || !/^(?:listen|getaddrinfo|bind) /.test(message)) return error
  const { host, port } = listen
  if (code === 'EADDRINUSE')
    return new UsageError(`--listen: port ${port} of ${host} is taken. Choose another; 0 takes any that is free.`)
  if (code === 'EACCES')
    return new UsageError(`--listen: port ${port} may not be listened on: below 1024 only root may.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UsageError(`--listen: ${host} is no address of this machine.`)
  return error
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
