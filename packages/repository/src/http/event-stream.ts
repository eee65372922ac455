/**
 * Event stream: live samples as server-sent events (HTML, "server-sent events").
 *
 *   event: sample · id: instant · data: a LiveSample as JSON
 *   event: end    · the crawl has ended
 *   : a comment every fifteen seconds, so that both ends notice when the other is gone
 *
 * Who does not read is let go before much has gathered: a browser connects again by itself.
 */
import type { ServerResponse } from 'node:http'
import type { Instant } from '@comity/protocol'
import type { LiveHub } from './live-hub.ts'
import type { LiveSample } from '../model/models.ts'

const HEARTBEAT_MS = 15_000
/** How soon a browser is to connect again. */
const RETRY_MS = 2_000
/** Room for all that the hub remembers: some five hundred samples of a kilobyte. */
const MAX_UNREAD_BYTES = 768 << 10

export function sendEvents(
  hub: LiveHub,
  since: Instant | undefined,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined
    let isOver = false
    const finish = (): void => {
      isOver = true
      clearInterval(heartbeat)
      signal.removeEventListener('abort', finish)
      stop?.()
      resolve()
    }
    const write = (text: string): void => {
      if (isOver) return
      if (response.writableLength > MAX_UNREAD_BYTES) finish()
      else response.write(text)
    }
    const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
    signal.addEventListener('abort', finish)
    write(`retry: ${RETRY_MS}\n\n`)
    stop = hub.listen({ sample: (sample) => write(eventOf(sample)), end: () => write(END) }, since)
    // It may have been over before there was anything to stop.
    if (isOver || signal.aborted) finish()
  })
}

/** JSON has no line ends of its own, so that a sample is one line whatever stands in it. */
const eventOf = (sample: LiveSample): string => `event: sample\nid: ${sample.at}\ndata: ${JSON.stringify(sample)}\n\n`

const END = 'event: end\ndata: {}\n\n'

/** The instant after which a listener wants to hear; undefined when it comes for the first time. */
export function lastEventAt(header: string | undefined): Instant | undefined {
  return header !== undefined && /^\d{1,16}$/.test(header) ? Number(header) : undefined
}
