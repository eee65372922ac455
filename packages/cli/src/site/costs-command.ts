/** `comity costs`: what crawlers cost this week and what cooperation would save, out of a server's access logs. */
import { createReadStream, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readAccessLogLine } from '@comity/protocol'
import type { CrawlerVisit, CrawlerWeek, WeekOfCrawlers } from '@comity/site'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { priceFlags, pricesOf } from './price-flags.ts'
import type { PriceSettings } from './price-flags.ts'
import { requireFile } from '../terminal/input-file.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

interface CostsSettings extends PriceSettings {
  readonly page: string | undefined
  readonly json: boolean
}

export const costsCommand: Command<CostsSettings> = {
  name: 'costs',
  summary: 'what did crawlers cost this week, and what would cooperation save? from access logs',
  operands: [
    {
      name: 'LOG',
      help: 'access logs in common or combined format, packed by gzip or not, the oldest first',
      many: true,
    },
  ],
  flags: {
    ...priceFlags,
    page: { argument: 'FILE', default: undefined, parse: String, help: 'write a web page of it, too' },
    json: off('print it as JSON'),
  },
  examples: [
    ['comity costs /var/log/nginx/access.log.1 /var/log/nginx/access.log', 'the last seven days in them'],
    ['comity costs access.log --price-gb 0.12 --currency EUR --page costs.html', 'by your own prices, and as a page'],
  ],
  notes: [
    'The week is the last seven days in the logs. A crawler is who calls itself one; a page that is sent to it once more with the same length ' +
      'counts as one that it had. What could be saved is that, less a question an hour for what has changed.',
    'A site that is served or stood before by comity publish has the same at the head of its ledger, with what was saved already.',
  ],
  run: runCosts,
}

interface LogFigures {
  lines: number
  malformed: number
}

async function runCosts({ settings, operands, terminal }: Call<CostsSettings>): Promise<number> {
  const { CrawlerWeek: Week, costPage, money, priceOf, savingsOf } = await import('@comity/site')
  const prices = pricesOf(settings)
  for (const log of operands) await requireFile(log, 'an access log')
  const found = new Week()
  const figures: LogFigures = { lines: 0, malformed: 0 }
  for (const log of operands) await readLog(log, found, figures, Date.now())
  const week = found.week()
  const title = operands.map((log) => basename(log)).join(', ')
  if (settings.page !== undefined) writeFileSync(settings.page, costPage(week, title, prices))
  const { possible } = savingsOf(week)
  const cost = { ...week.total, price: priceOf(week.total, prices) }
  const couldSave = { ...possible, price: priceOf(possible, prices) }
  if (settings.json) terminal.print(JSON.stringify({ ...week, ...figures, prices, cost, couldSave }))
  else
    terminal.print(
      costLines(week, figures, (saving) => money(priceOf(saving, prices), prices), possible, terminal.paint).join('\n'),
    )
  return 0
}

type Costing = (saving: { readonly requests: number; readonly bytes: number }) => string

function costLines(
  { from, to, crawlers, total }: WeekOfCrawlers,
  { lines, malformed }: LogFigures,
  costing: Costing,
  possible: { readonly requests: number; readonly bytes: number },
  paint: Paint,
): string[] {
  const broken =
    malformed === 0
      ? []
      : [
          paint(
            'yellow',
            `${formatCount(malformed)} of ${counted(lines, 'line')} are no requests in common or combined format`,
          ),
        ]
  if (from === undefined || to === undefined) return [...broken, 'No crawler is in these logs.']
  const figure = ({ requests, bytes }: typeof possible): string =>
    `${counted(requests, 'request')}, ${formatBytes(bytes)}`
  const shown = crawlers.slice(0, MAX_SHOWN)
  return [
    ...broken,
    `${day(from)} to ${day(to)}`,
    `  crawlers cost you       ${paint('bold', costing(total))}  ${figure(total)}`,
    `  cooperation would save  ${paint('bold', costing(possible))}  ${figure(possible)}`,
    '',
    ...textTable(
      [
        ['crawler', 'requests', 'sent', 'had it', 'costs'],
        ...shown.map((one) => [
          visible(one.crawler),
          formatCount(one.requests),
          formatBytes(one.bytes),
          formatBytes(one.repeatBytes),
          costing(one),
        ]),
      ],
      ['left', 'right', 'right', 'right', 'right'],
    ),
    ...(crawlers.length > shown.length
      ? [`  … and ${formatCount(crawlers.length - shown.length)} more (--json, --page)`]
      : []),
  ]
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

const MAX_SHOWN = 12
const DAY_MS = 86_400_000

/** Nothing that is yet to come: a clock that went wrong would push the real week out. */
async function readLog(log: string, week: CrawlerWeek, figures: LogFigures, now: number): Promise<void> {
  for await (const line of linesOf(log)) {
    figures.lines++
    const read = readAccessLogLine(line)
    if (read.kind === 'malformed' || read.request.at > now + DAY_MS) {
      figures.malformed++
      continue
    }
    const { at, agent = '', target: path, status, bytes } = read.request
    week.note({ at, agent, path, status, bytes } satisfies CrawlerVisit)
  }
}

/** Longer than any line that a server writes; what is longer is cut, and then no request. */
const MAX_LINE = 64 << 10

async function* linesOf(log: string): AsyncGenerator<string> {
  const file = createReadStream(log)
  const text: Readable = log.endsWith('.gz') ? file.pipe(createGunzip()) : file
  file.on('error', (error) => text.destroy(error))
  let rest = ''
  for await (const chunk of text.setEncoding('latin1')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LINE)
    yield* lines
  }
  if (rest !== '') yield rest
}
