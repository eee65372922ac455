/** Demo callers: what the sites of `comity demo` that push have sent, what came of it, and who is believed. */
import { cooperationOf, cooperationStory } from '@comity/follow'
import type { PushStory, WatchSample } from '@comity/follow'
import type { LivingWeb } from '@comity/testbed'
import type { Instant } from '@comity/protocol'
import { pushLines } from '../watch/push-report.ts'
import { openView } from '../collection/collection-view.ts'

export interface DemoCaller {
  readonly origin: string
  readonly calls: PushStory
}

/** As the watch left it written. */
export async function callersOf(into: string, web: LivingWeb, dayMs: number, now: Instant): Promise<DemoCaller[]> {
  await using view = openView(into)
  const { collection, frontier } = view
  const calling = new Set(web.sites.filter(({ spec }) => spec.calls !== undefined).map(({ origin }) => origin))
  return frontier.sites
    .filter(({ origin }) => calling.has(origin))
    .flatMap(({ id, origin }) => {
      const { calls } = cooperationStory(cooperationOf(collection, id) ?? {}, dayMs, now)
      return calls === undefined ? [] : [{ origin, calls }]
    })
}

/** A line for each, and what they came to together. */
export function callerLines(callers: readonly DemoCaller[], watch: WatchSample | undefined): string[] {
  return [...callers.map(callerLine), ...pushLines(watch?.pushes)]
}

function callerLine({ origin, calls }: DemoCaller): string {
  const { subscription, heard, why, taken, checked } = calls
  const sent = `${new URL(origin).host} sent ${heard} by ${subscription?.scheme ?? 'nothing yet'}`
  const trust =
    taken + checked === 0 ? undefined : why.find((sentence) => / (?:taken as sent|other pages)/.test(sentence))
  return `  ${sent}${trust === undefined ? '.' : `: ${trust}`}`
}
