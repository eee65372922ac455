/**
 * `comity receive`: hear sites that push and gateways, take in what they send, and make it searchable, without crawling. It is
 * `comity watch` that visits no page: what a site or gateway does not send is left alone.
 */
import type { CrawlSummary } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import type { ProgramsView } from '@comity/receiver'
import type { Call, Command, FlagTable } from '../command.ts'
import { parseListen } from '../site/flags.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import { plain } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { pushText } from './push-report.ts'
import { keepFresh, watchFlags } from './command.ts'
import type { WatchSettings } from './command.ts'
import { heardLines } from './report.ts'

/** Flags that mean the same as for a watch, and stand there. */
const SHARED = [
  'listen',
  'gateways',
  'programs',
  'agents',
  'publicUrl',
  'behind',
  'hitsHalfLife',
  'for',
  'scope',
  'include',
  'exclude',
  'types',
  'delay',
  'userAgent',
  'identity',
  'signatureAgent',
  'ignoreRobots',
  'allowPrivate',
  'ca',
  'index',
  'threads',
  'json',
  'config',
  'sites',
  'limits',
  'urls',
] as const

type ReceiveSettings = Pick<WatchSettings, (typeof SHARED)[number]>

/** Beside what a watch has under the same name, where something else is to be said of it. */
const PORT = 8091

export const receiveFlags: FlagTable<ReceiveSettings> = {
  ...sharedFlags(),
  listen: {
    argument: '[HOST:]PORT',
    default: parseListen(String(PORT)),
    shown: String(PORT),
    parse: parseListen,
    help: 'hear sites and gateways here: 8091 is for this machine alone, 0.0.0.0:8091 for all',
  },
}

export const receiveCommand: Command<ReceiveSettings> = {
  name: 'receive',
  summary: 'take in what sites and gateways send, and make it searchable, without crawling',
  operands: [{ name: 'DIR', help: 'the collection; with --gateways it may be new' }],
  flags: receiveFlags,
  examples: [
    ['comity receive campus --listen 0.0.0.0:8091 --gateways gateways.json', 'what people read, by gateways'],
    ['comity receive example --public-url https://crawler.example', 'what the sites of a collection push'],
  ],
  notes: [
    'Beside it, `comity search DIR WORDS` finds what came, and `comity serve DIR` shows it.',
    'No page is visited. Of a site that pushes, robots.txt and the keys that prove who it is are asked for; of one that a ' +
      'gateway stands before, nothing. Pages that should be visited wait for `comity watch DIR`, which also does all of this.',
  ],
  run: runReceive,
}

async function runReceive({ settings, ...call }: Call<ReceiveSettings>): Promise<number> {
  // Nobody is asked what changed, and no hub is asked to call.
  const unasked = { explore: 0, signals: false, subscriptions: 0 }
  const watch = { ...watchDefaultsOf(), ...settings, ...unasked }
  return await keepFresh({ ...call, settings: watch }, { visits: false, textOf: receiveText, report: receiveReport })
}

export function receiveText({ pages, bytes, pushes }: WatchSample, _perSecond: number, columns: number): string {
  const parts = [`${formatCount(pages)} held`, formatBytes(bytes), ...(pushes === undefined ? [] : pushText(pushes))]
  return parts.join(' · ').slice(0, columns)
}

export function receiveReport(
  summary: CrawlSummary,
  sample: WatchSample,
  paint: Paint = plain,
  programs?: ProgramsView,
): string[] {
  const took = formatDuration(summary.seconds * 1000)
  return [
    '',
    `${paint('bold', counted(sample.pages, 'page'))} held; ${formatBytes(sample.bytes)} came in ${took}`,
    ...heardLines(sample, paint, programs),
  ]
}

function sharedFlags(): FlagTable<ReceiveSettings> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just these rows of the table.
  return Object.fromEntries(SHARED.map((name) => [name, watchFlags[name]])) as FlagTable<ReceiveSettings>
}

function watchDefaultsOf(): WatchSettings {
  const entries = Object.entries(watchFlags).map(([name, flag]) => [name, (flag as { default: unknown }).default])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has one row for each setting.
  return Object.fromEntries(entries) as WatchSettings
}
