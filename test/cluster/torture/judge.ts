/** Judge: what the sites' own log says of a torture. */
import { violations } from '@comity/testbed'
import type { RequestLog } from '@comity/testbed'
import type { Befallen } from './mishaps.ts'

interface Facts {
  readonly log: RequestLog
  readonly mishaps: readonly Befallen[]
  readonly wanted: ReadonlySet<string>
  readonly held: ReadonlySet<string>
  readonly delayMs: number
  readonly toleranceMs: number
  /** Shards may go on from older copies, elsewhere: then what is fetched again is counted and not judged. */
  readonly mayMove: boolean
  readonly peerOf: (connectionId: number) => string | undefined
}

export interface Judgement {
  /** Broken promises, a sentence each. */
  readonly offences: readonly string[]
  /** Of a process stopped together with its watchdog: what was in flight then met another's connection. */
  readonly excused: number
  readonly requests: number
  readonly again: number
}

export function judge(facts: Facts): Judgement {
  const { log, mishaps, wanted, held, delayMs, toleranceMs } = facts
  const stops = mishaps.filter(({ stoppedTogether }) => stoppedTogether !== undefined)
  const openedAt = new Map(log.connections.map((one) => [one.connectionId, one]))
  let excused = 0
  const impolite = violations(log, { connectionGapMs: delayMs, toleranceMs }).flatMap((one) => {
    if (!/for-address|to-address/.test(one.rule)) return []
    // The other connection was open before its machine was stopped, and ended after.
    const isLeftOver = stops.some(({ at, until, stoppedTogether }) =>
      log.connections.some(
        (left) =>
          left.address === one.key &&
          left.openedAt <= at &&
          left.closedAt >= at &&
          one.at >= at &&
          one.at <= until &&
          (facts.peerOf(left.connectionId) === stoppedTogether || left.address.startsWith('127.')),
      ),
    )
    if (isLeftOver) excused++
    return isLeftOver ? [] : [`${one.rule} at ${new Date(one.at).toISOString()}: ${one.sentence}`]
  })
  // After waking, on a connection from before: nothing.
  const woken = stops.flatMap(({ at, until, stoppedTogether }) =>
    log.requests
      .filter((request) => {
        const connection = openedAt.get(request.connectionId)
        const isTheirs = facts.peerOf(request.connectionId) === stoppedTogether && !request.address.startsWith('127.')
        return (
          isTheirs &&
          connection !== undefined &&
          connection.openedAt < at &&
          request.startedAt > at + 200 &&
          request.startedAt < until
        )
      })
      .map(
        ({ path, startedAt }) =>
          `${path} was asked ${startedAt - at} ms after its machine and watchdog had been stopped`,
      ),
  )
  const missing = [...wanted].filter((url) => !held.has(url))
  const foreign = [...held].filter((url) => !wanted.has(url))
  const { again, unexplained } = fetchedAgain(facts)
  return {
    offences: [
      ...impolite,
      ...woken,
      ...missing.map((url) => `${url} is missing`),
      ...foreign.map((url) => `${url} is nobody's`),
      ...(facts.mayMove ? [] : unexplained),
    ],
    excused,
    requests: log.requests.length,
    again,
  }
}

/** A page that came whole and came again, though nothing befell about that time. */
function fetchedAgain({ log, mishaps }: Facts): { again: number; unexplained: string[] } {
  const whole = log.requests.filter(({ status, path }) => status === 200 && path !== '/robots.txt')
  let again = 0
  const unexplained: string[] = []
  for (const [page, requests] of Map.groupBy(whole, ({ site, path }) => site + path)) {
    again += requests.length - 1
    for (const { startedAt, endedAt } of requests.slice(0, -1)) {
      const isExplained = mishaps.some(({ at, until }) => endedAt > at - 3_000 && startedAt < until)
      if (!isExplained)
        unexplained.push(`${page} came whole at ${new Date(endedAt).toISOString()} and was fetched again`)
    }
  }
  return { again, unexplained }
}
