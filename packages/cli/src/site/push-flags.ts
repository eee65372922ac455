/** The flags of `comity publish` that say who is called when something changes. */
import type { AllowPrivate } from '@comity/protocol'
import type { PushScheme } from '@comity/site'
import { allowPrivateFlag } from '../crawl/allow-private.ts'
import { off } from '../command.ts'
import type { FlagTable } from '../command.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { BadValue } from '../usage-error.ts'

export interface PushSettings {
  readonly hub: boolean
  readonly push: readonly string[]
  readonly pushScheme: PushScheme | undefined
  readonly pushSchedule: string | undefined
  readonly announceBatches: boolean
  readonly indexnow: readonly string[]
  readonly outsideHub: readonly string[]
  readonly allowPrivate: AllowPrivate
}

const SENT: readonly PushScheme[] = ['changes', 'differences', 'pages', 'batches', 'site', 'agent']

// oxfmt-ignore
export const pushFlags: FlagTable<PushSettings> = {
  hub: off('with --serve or --proxy: be a WebSub hub, so that crawlers can subscribe to changes, differences, pages, batches or the entire site'),
  push: { argument: 'URL', default: [], parse: pushAddress('https://crawler.example/push'), many: true, help: 'send what changes to this crawler, signed with the keys of the site' },
  pushScheme: { argument: 'NAME', default: undefined, shown: 'differences', parse: parseScheme, help: `what --push sends: ${SENT.join(', ')}` },
  pushSchedule: { argument: 'WHEN', default: undefined, shown: 'hourly', parse: String, help: 'when batches are sent: "every 6h", "daily at 03:00" (UTC), "sunday at 03:00"' },
  announceBatches: off('do not send batches: say that the change dump has something new, and let crawlers fetch it'),
  indexnow: { argument: 'ENDPOINT', default: [], parse: pushAddress('https://api.indexnow.org/indexnow'), many: true, help: 'tell search engines that take IndexNow which addresses changed' },
  outsideHub: { argument: 'URL', default: [], parse: pushAddress('https://hub.example/'), many: true, help: 'tell this WebSub hub too when something changed' },
  allowPrivate: allowPrivateFlag('call subscribers at private and loopback addresses too, for networks of your own (those of --push may be anywhere)'),
}

function pushAddress(example: string): (text: string) => readonly string[] {
  return (text) => {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new BadValue(`is no address that can be called: write ${example}`)
    if (url.username !== '' || url.password !== '')
      throw new BadValue('has a password in it, which everybody who sees the list of processes could read')
    return [url.href]
  }
}

function parseScheme(text: string): PushScheme {
  const scheme = SENT.find((name) => name === text)
  if (scheme === undefined) throw new BadValue(`is nothing that is sent: ${SENT.join(', ')}.${didYouMean(text, SENT)}`)
  return scheme
}
