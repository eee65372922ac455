/** Loudness: a terminal that says less, or what happens besides. Results on stdout are the same, and what went wrong is always said. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EVENT_NAMES } from '@comity/ingest'
import type { CommitEvent, RobotsEvent, SentEvent, SiteGivenUpEvent, VisitEvent } from '@comity/ingest'
import { counted, formatBytes, formatDuration } from './quantity.ts'
import { visible } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export const quietly = (terminal: Terminal): Terminal => {
  return { ...terminal, liveColumns: () => undefined, say: () => undefined, draw: () => undefined }
}

/** Lines instead of one that rewrites itself: the two would write over each other. */
export const plainly = (terminal: Terminal): Terminal => ({ ...terminal, liveColumns: () => undefined })

const TEXTS: ReadonlyMap<string, (event: never) => string> = new Map<string, (event: never) => string>([
  ['comity:visited', visitText],
  [
    'comity:robots',
    ({ origin, verdict, status }: RobotsEvent) => `robots ${origin} ${verdict}${status === 0 ? '' : `, ${status}`}`,
  ],
  [
    'comity:committed',
    ({ pages, tookMs }: CommitEvent) => `durable ${counted(pages, 'page')}, in ${formatDuration(tookMs)}`,
  ],
  [
    'comity:site-given-up',
    ({ origin, outcome, problem }: SiteGivenUpEvent) => `given up ${origin} ${outcome}: ${problem}`,
  ],
  ['comity:sent', ({ origin, url, scheme, outcome }: SentEvent) => `sent ${url ?? origin} ${scheme}: ${outcome}`],
])

function visitText({ url, outcome, status, bytes, tookMs, problem }: VisitEvent): string {
  const how = [outcome, ...(status === 0 ? [] : [String(status)]), formatBytes(bytes), formatDuration(tookMs)]
  return `visit ${url} ${how.join(', ')}${problem === undefined ? '' : `: ${problem}`}`
}

/** Every event of this process is a line, until it is disposed of; then, what the command took. */
export function sayEvents(terminal: Terminal): Disposable {
  const begun = performance.now()
  const told = EVENT_NAMES.map((name) => {
    const listener = (event: unknown): void => {
      const text = TEXTS.get(name)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- channels do not know their messages' type.
      if (text !== undefined) terminal.say(visible(text(event as never)))
    }
    subscribe(name, listener)
    return [name, listener] as const
  })
  return {
    [Symbol.dispose]: () => {
      for (const [name, listener] of told) unsubscribe(name, listener)
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
      const processor = formatDuration((userCPUTime + systemCPUTime) / 1_000)
      const memory = formatBytes(maxRSS * 1_024)
      terminal.say(
        `took ${formatDuration(performance.now() - begun)}, ${processor} of processor, ${memory} of memory at most`,
      )
    },
  }
}
