/** Freshness report: why a page is visited when it is, for a person. Pure. */
import { isBelieved } from '@comity/follow'
import type { PushStory } from '@comity/follow'
import type { Instant } from '@comity/protocol'
import type { PageStory } from '../collection/page-story.ts'
import { counted, formatDuration } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'
import { percent } from './report.ts'

const DAY_MS = 86_400_000

export function freshnessLines({ freshness }: Pick<PageStory, 'freshness'>, now: Instant): string[] {
  if (freshness === undefined) return []
  const { visits, changesEveryMs, heard, heardAt, outdated, dueAt, policy, dayMs, site } = freshness
  const signals = heard.map(({ channel, signals: count }) => `${counted(count, 'signal')} by ${channel}`).join(', ')
  const facts: [string, string | undefined][] = [
    [
      'changes',
      changesEveryMs === undefined
        ? 'not known before it is visited again'
        : `about every ${formatDuration(changesEveryMs)}, by ${counted(visits, 'visit')}`,
    ],
    [
      'heard since',
      signals === '' ? 'nothing' : `${signals}${heardAt === undefined ? '' : `, last ${ago(heardAt, now)}`}`,
    ],
    ['outdated', `with a probability of ${percent(outdated)}`],
    ['worth a visit', `${dueWords(dueAt, now)}, by the policy ${policy}`],
    ['its site', site.uses === undefined ? 'is asked for nothing but pages' : `is asked for its ${site.uses}`],
    ['it pushes', pushWords(site.calls)],
    ['a day', dayMs === DAY_MS ? undefined : `lasts ${formatDuration(dayMs)} here: it was a demonstration`],
  ]
  return [
    ...textTable(
      facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, visible(value)]])),
      ['left', 'left'],
    ),
    ...[...site.why, ...(site.calls?.why ?? [])].map((sentence) => `  ${visible(sentence)}`),
  ]
}

/** Nothing of a site that is only ever asked. */
export function pushWords(calls: PushStory | undefined): string | undefined {
  if (calls === undefined || (calls.heard === 0 && calls.subscription === undefined)) return undefined
  const { subscription, schemes, heard } = calls
  const sends = subscription?.scheme ?? Object.keys(schemes).join(', ')
  const doubt = isBelieved(calls) ? '' : '; not believed at present'
  return `${sends}, ${counted(heard, 'page or notice', 'pages and notices')} so far${doubt}`
}

function dueWords(dueAt: Instant | undefined, now: Instant): string {
  if (dueAt === undefined) return 'not before something is heard of it'
  return dueAt <= now ? 'now' : `in ${formatDuration(dueAt - now)}`
}

const ago = (at: Instant, now: Instant): string => `${formatDuration(Math.max(0, now - at))} ago`
