/**
 * How much of a server's traffic crawlers are (001 §III; 000 §4.1, §4.2 and §5), by its own access logs, one server or several.
 *
 *   logs ──▶ who is a crawler ──▶ hits and bytes a day, by crawler and by type, 304 answers ──▶ claims of 001 and 000
 *
 * Crawlers are told as `advise-site` tells them: by name, by robots.txt, and by what they do. The logs are read twice, line by
 * line; what is remembered of them is bounded.
 */
import { basename } from 'node:path'
import { trafficShareClaims } from '../site/claims.ts'
import { orderedLogs, readLogs } from '../site/log.ts'
import { adviseSiteDefaults } from '../site/settings.ts'
import { crawlerShareOf, TrafficCount, trafficOfAll } from '../site/traffic.ts'
import type { SharedTraffic, Side, Traffic } from '../site/traffic.ts'
import { VisitorCount } from '../site/visitors.ts'
import { CrawlerShareCount } from './count.ts'
import { dayFigure, kindTable, robotTable, dayTable, lineFigure, trafficLine, typeTable } from './figures.ts'
import type { TrafficLine } from './figures.ts'
import { answerTo, holds, untestedClaim } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { ExperimentResult } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from '../../experiments/servers/answer.ts'
import { HTML, IMAGES, logMix, mediaCrawls } from '../../experiments/servers/media.ts'
import { serversDefaults } from '../../experiments/servers/settings.ts'
import { mediaTable } from '../../experiments/servers/tables.ts'
import { mediaClaims, mixFigure, notModifiedClaim } from '../../experiments/servers/traffic.ts'

interface CrawlerShareHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a LabError for logs that are missing, damaged, or none. */
export async function crawlerShare(
  logs: readonly string[],
  { onPart = () => undefined }: CrawlerShareHooks = {},
): Promise<ExperimentResult> {
  const files = await orderedLogs(logs)
  const [visitors, store, traffic] = [new VisitorCount(adviseSiteDefaults), new CrawlerShareCount(), new TrafficCount()]
  onPart('who comes', 0, 2)
  await readLogs(files, (request) => {
    visitors.note(request)
    store.look(request)
  })
  onPart('what they fetch', 1, 2)
  const reading = await readLogs(files, (request) => {
    const robot = visitors.robotOf(request)
    traffic.note(request, robot)
    store.note(request, robot)
  })
  const malformed = reading.lines - reading.requests
  const name = files.length === 1 ? basename(files[0]!) : `${basename(files[0]!)} and ${files.length - 1} more`
  return resultOf(name, store, traffic.traffic(), malformed, visitors.unremembered)
}

function resultOf(
  name: string,
  store: CrawlerShareCount,
  traffic: ReturnType<TrafficCount['traffic']>,
  malformed: number,
  unremembered: number,
): ExperimentResult {
  const id = 'crawler-share'
  const facts = store.facts(name, malformed)
  const context = { id, web: name }
  const mix = logMix(facts)
  const crawls = mediaCrawls(mix, serversDefaults)
  const hasBoth = [HTML, IMAGES].every((type) => mix.groups.some((group) => group.type === type))
  const line = trafficLine(traffic.hours)
  const told = dayTable(id, traffic.days)
  return {
    id,
    name: `Crawlers in the traffic of ${name}`,
    paper: '001',
    finding: findingOf(traffic, store),
    parameters: [],
    seeds: [],
    webs: [
      {
        name,
        pages: [...facts.files.values()].reduce((sum, { count }) => sum + count, 0),
        links: 0,
        sites: 1,
        about: `${formatNumber(facts.requests)} requests on ${facts.days} days`,
      },
    ],
    figures: [dayFigure(id, traffic.days), lineFigure(id, traffic.hours, line), mixFigure(id, mix)],
    tables: [
      told,
      robotTable(id, store.robots()),
      typeTable(id, store.types()),
      mediaTable(id, mix.name, crawls),
      kindTable(id, traffic),
    ],
    toldTable: told.id,
    claims: [
      ...trafficShareClaims(context, traffic, ['days']),
      { ...notModifiedClaim(context, facts), shownIn: [`${id}-crawlers`] },
      ...(hasBoth
        ? mediaClaims(context, crawls, false)
        : untestedClaim('000.11', context, 'There are not both pages and images. It takes a log with both.')),
      lineClaim(context, line, traffic.days),
    ],
    notes: [
      ...NOTES,
      ...(malformed === 0 ? [] : [`${formatNumber(malformed)} lines are no requests and were left out.`]),
      ...(store.forgotten + unremembered === 0
        ? []
        : [
            `Of ${formatNumber(store.forgotten + unremembered)} requests something was not remembered, as there was no room.`,
          ]),
    ],
  }
}

function findingOf(traffic: SharedTraffic, store: CrawlerShareCount): string {
  const share = (key: keyof Traffic): string => percent(crawlerShareOf(traffic, key))
  const hits = (side: Side): string => percent(traffic[side].requests / trafficOfAll(traffic, 'requests'))
  const all = store.robots().filter(({ kind }) => kind === 'crawler')
  const told = all.filter(({ notModified }) => notModified > 0).length
  return (
    `Crawlers make ${share('requests')} of the hits and ${share('bytes')} of the bytes (001: 27.3 and 20.9 %), feed readers ${hits('feedReaders')} of the hits, tools ${hits('tools')}, previews ${hits('previews')}. ` +
    `${formatNumber(told)} of ${formatNumber(all.length)} crawlers ever got a 304.`
  )
}

/** Days enough for a line through them to say something. */
const MIN_DAYS = 10

/** 000 claim 12 compares servers; over time one server only says whether its own crawlers come with its readers. */
function lineClaim(context: AnswerContext, line: TrafficLine, days: readonly SharedTraffic[]): ClaimAnswer {
  const isEnough = days.length >= MIN_DAYS && Number.isFinite(line.slope)
  return answerTo('000.12a', context, {
    verdict: isEnough ? holds(line.slope < 0) : 'cannot be tested here',
    ours: Number.isFinite(line.slope)
      ? `hour by hour ${formatNumber(line.slope * 100 * 100)} points for each 100 hits an hour more; ${percent(line.at(line.middle))} at ${formatNumber(Math.round(line.middle))} hits an hour`
      : '',
    why: `In the paper a dot is a server by its hits a day; here an hour of the logs that were named. Held when the line falls over ${MIN_DAYS} days or more; ${days.length === 1 ? 'one is' : `${formatNumber(days.length)} are`} here.`,
    shownIn: ['line'],
  })
}

const NOTES: readonly string[] = [
  'Crawlers, feed readers, previews and tools are told by a table of names and by words in the User-Agent field, and crawlers without a name by asking for robots.txt or by taking many pages and nothing else. Some pass for people and are counted as such.',
  '000 counts addresses that asked for robots.txt; the table of crawlers counts by name, whatever their addresses.',
  'Types are told by the endings of addresses; what has none counts as a page.',
]
