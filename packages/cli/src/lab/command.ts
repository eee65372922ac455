/** `comity lab`: replay the experiments of the papers with the code that crawls, and write one report. */
import { join, resolve } from 'node:path'
import type { Experiment, ExperimentPlan, ExperimentResult, Subject, Table } from '@comity/lab'
import { ownValue } from '@comity/protocol'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { adviseOn } from './advice.ts'
import { adviseSiteOn } from './advice-site.ts'
import { crawlerShareOf } from './crawler-share.ts'
import { labPackage } from './lab-package.ts'
import { papersOn } from './papers.ts'
import { LabProgress } from './progress.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { orderOf } from '../crawl/order-choice.ts'
import { countFrom, counted } from '../terminal/quantity.ts'
import { shellWord } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'
import { parseSite } from '../site/flags.ts'
import { BadValue, UsageError } from '../usage-error.ts'

interface LabSettings {
  readonly web: readonly string[]
  readonly hosts: string | undefined
  readonly order: readonly string[]
  readonly seed: readonly number[]
  readonly set: readonly (readonly [name: string, value: unknown])[]
  readonly docroot: string | undefined
  readonly base: string | undefined
  readonly journal: string | undefined
  readonly full: boolean
  readonly into: string
  readonly json: boolean
}

type Lab = typeof import('@comity/lab')

const listOfOne = (text: string): readonly string[] => [text]
/** `waitMs=5000`: a number, a list, true or false, or a text. */
const settingList = (text: string): LabSettings['set'] => {
  const [, name, value] = /^([a-z]\w*)=(.*)$/is.exec(text) ?? []
  if (name === undefined || value === undefined) throw new BadValue('sets nothing: write NAME=VALUE, as in viewUsd=0.1')
  return [[name, jsonOr(value)]]
}
const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const seedList = (text: string): readonly number[] => [countFrom(0)(text)]

export const labCommand: Command<LabSettings> = {
  name: 'lab',
  summary: 'replay the experiments of the papers on real or generated webs, and write one report',
  operands: [
    {
      name: 'EXPERIMENT',
      help: 'ordering, scheduling, contest, live, relevance, servers, cooperation, schemes, freshness, break-even, network, coverage, a file (.json) that describes one; or `advise DIR`: how a collection would have been crawled best; or `advise-site LOG…`: what a site would save by helping crawlers, by its access logs; or `crawler-share LOG…`: how much of its traffic crawlers are; or `papers`: all that answers a claim of the five papers, on one page. None lists them',
      optional: true,
      many: true,
    },
  ],
  flags: {
    web: {
      argument: 'WEB',
      default: [],
      parse: listOfOne,
      many: true,
      help: 'what to crawl (for relevance: the folder of a test set): a graph file (WebGraph ASCII, SNAP edges, node and edge tables; .gz, .zst, .xz), a collection, or generated:pages=50000,seed=1',
    },
    hosts: {
      argument: 'FILE',
      default: undefined,
      parse: String,
      help: 'the site of each page, one a line, for webs without URLs',
    },
    order: {
      argument: 'ORDER',
      default: [],
      parse: listOfOne,
      many: true,
      help: 'try this order too: a name, an expression, or a file (.ts, .js) that exports one',
    },
    seed: {
      argument: 'N',
      default: [],
      parse: seedList,
      many: true,
      help: 'seeds instead of the usual one; the same seeds give the same report',
    },
    set: {
      argument: 'NAME=VALUE',
      default: [],
      parse: settingList,
      many: true,
      help: 'another value for a setting of the experiment, or of advise-site: viewUsd=0.1',
    },
    docroot: {
      argument: 'DIR',
      default: undefined,
      parse: String,
      help: 'advise-site: the document root of the site, for sizes, times and real costs; needs --base',
    },
    base: {
      argument: 'URL',
      default: undefined,
      parse: parseSite,
      help: 'advise-site: the address of the home page; of a log of several hosts only its requests count',
    },
    journal: {
      argument: 'DIR',
      default: undefined,
      shown: '.comity-NAME beside --docroot',
      parse: String,
      help: 'advise-site: where `comity publish` remembers what changed',
    },
    full: off('papers: 30 start pages and more seeds instead of 8, in as long as it takes'),
    into: {
      argument: 'DIR',
      default: 'lab-report',
      shown: 'lab-report',
      parse: String,
      help: 'where report.html and its numbers go',
    },
    json: off('print what was found as one JSON object, the last line on stdout'),
  },
  examples: [
    ['comity lab', 'what there is'],
    ['comity lab papers', 'all 53 claims of the papers, part by part, on the real webs that are here'],
    ['comity lab ordering --web cnr-2000.graph-txt.gz --web generated', 'on a real web and a generated one'],
    [
      'comity lab scheduling --order 0.7*pagerank+0.3*depth --order ./mine.ts',
      'orders of your own beside those of the papers',
    ],
    ['comity lab my-experiment.json', 'parameters and sweeps from a file'],
    [
      'comity lab servers cooperation schemes freshness',
      'what sites that help crawlers save, and which revisit policy is best',
    ],
    ['comity lab relevance --json', 'how well searches answer questions of test sets, beside Lucene'],
    [
      'comity lab advise-site /var/log/nginx/access.log*',
      'what a site’s crawlers cost, and which help to them would save how much',
    ],
    [
      'comity lab network coverage',
      'what people gain when routers index instead of crawlers, and what each of them sees',
    ],
    ['comity lab crawler-share /var/log/nginx/access.log*', 'how much of a server’s traffic crawlers are, day by day'],
    ['comity lab advise example', 'which order and politeness would have found the important pages of a crawl soonest'],
  ],
  run: runLab,
}

async function runLab({ settings, operands, terminal }: Call<LabSettings>): Promise<number> {
  const lab = await labPackage()
  const [first, ...rest] = operands
  if (first === undefined) return list(lab.EXPERIMENTS, terminal)
  if (first === 'papers') return await papersOn(rest, settings, terminal)
  if (first === 'advise') return await adviseOn(rest, settings, terminal)
  if (first === 'advise-site')
    return await adviseSiteOn(rest, { ...settings, set: Object.fromEntries(settings.set) }, terminal)
  if (first === 'crawler-share') {
    const { result, files } = await crawlerShareOf(rest, settings.into, terminal)
    tell([result], files, settings, lab, terminal)
    return 0
  }
  const own = await ownOrders(settings.order, lab)
  const plans = await Promise.all(operands.map((name) => planFor(name, lab)))
  for (const { experiment } of plans) requireSettings(experiment.name, settings.set, lab)
  const results = await runAll(
    plans.map((plan) => adjusted(plan, settings, own)),
    settings,
    lab,
    terminal,
  )
  const files = await lab.writeReport(settings.into, results)
  tell(results, files, settings, lab, terminal)
  return 0
}

function list(experiments: readonly Experiment[], terminal: Terminal): number {
  const { paint } = terminal
  const widest = Math.max(...experiments.map(({ name }) => name.length))
  const lines = experiments.flatMap(({ name, summary, defaults }) => [
    `  ${paint('cyan', name.padEnd(widest))}  ${summary}`,
    paint('dim', `  ${' '.repeat(widest)}  settings: ${Object.keys(defaults).join(', ')}`),
  ])
  terminal.print(
    [
      'Experiments',
      ...lines,
      '',
      `Run one: ${paint('cyan', 'comity lab ordering')}. A file may set any of its settings and sweep over them:`,
      '  { "experiment": "scheduling", "webs": ["generated"], "settings": { "seeds": [1, 2] }, "sweep": { "waitMs": [5000, 15000] } }',
    ].join('\n'),
  )
  return 0
}

/** Orders of the user's own become known to the lab; the names of all that are to be tried too. */
async function ownOrders(orders: readonly string[], lab: Lab): Promise<readonly string[]> {
  return await Promise.all(
    orders.map(async (text) => {
      if (!/\.[cm]?[jt]s$/.test(text)) {
        const order = lab.findOrder(text)
        if (typeof order === 'string') throw new UsageError(`--order "${text}" is no order: ${order}.`)
        return order.name
      }
      const order = await orderOf({ file: text })
      lab.addOrder(order)
      return order.name
    }),
  )
}

async function planFor(name: string, lab: Lab): Promise<ExperimentPlan> {
  const experiment = lab.experimentNamed(name)
  if (experiment !== undefined) return lab.planOf(experiment)
  if (name.endsWith('.json')) return lab.parseExperiment(await readTextFile(name), name)
  const names = [...lab.EXPERIMENTS.map((one) => one.name), 'advise', 'advise-site', 'crawler-share', 'papers']
  throw new UsageError(
    `There is no experiment ${shellWord(name)}.${didYouMean(name, names)} It is one of ${names.join(', ')}, or a .json file.`,
  )
}

/** As strict as with a file. */
function requireSettings(experiment: string, set: LabSettings['set'], lab: Lab): void {
  lab.parseExperiment(JSON.stringify({ experiment, settings: Object.fromEntries(set) }), '--set')
}

/** What flags say goes over what the file says. */
function adjusted(plan: ExperimentPlan, { web, seed, set }: LabSettings, orders: readonly string[]): ExperimentPlan {
  const usual = (key: string): readonly unknown[] => {
    const value = ownValue(plan.experiment.defaults, key)
    return Array.isArray(value) ? value : []
  }
  return {
    ...plan,
    webs: web.length === 0 ? plan.webs : web,
    runs: plan.runs.map((run) => ({
      ...run,
      settings: {
        ...run.settings,
        ...(seed.length > 0 && ('seeds' in plan.experiment.defaults ? { seeds: seed } : { seed: seed[0] })),
        ...(orders.length > 0 && {
          orders: [...((run.settings['orders'] as unknown[] | undefined) ?? usual('orders')), ...orders],
        }),
        ...Object.fromEntries(set),
      },
    })),
  }
}

async function runAll(
  plans: readonly ExperimentPlan[],
  settings: LabSettings,
  lab: Lab,
  terminal: Terminal,
): Promise<ExperimentResult[]> {
  using progress = new LabProgress(terminal)
  const results: ExperimentResult[] = []
  for (const { experiment, webs, runs } of plans) {
    if (settings.web.length === 0 && experiment.toFetch !== undefined && experiment.toFetch.length > 0)
      terminal.say(
        `${experiment.name} runs without these, which are not in COMITY_SHARED: ${experiment.toFetch.join('; ')}`,
      )
    for (const name of webs) {
      progress.begin(`${experiment.name} on ${name}`)
      const web = await experiment.open(name, { hosts: settings.hosts, onStep: (step) => progress.step(step) })
      for (const run of runs) {
        progress.begin([`${experiment.name} on ${web.name}`, run.swept].filter((part) => part !== '').join(', '))
        const result = await attempt(experiment, web, run.settings, (what, done, of) => progress.part(what, done, of))
        results.push(run.swept === '' ? result : lab.resultNamed(result, run.swept))
        progress.done()
      }
    }
  }
  return results
}

async function attempt(
  experiment: Experiment,
  web: Subject,
  settings: Readonly<Record<string, unknown>>,
  onPart: (what: string, done: number, of: number) => void,
): Promise<ExperimentResult> {
  try {
    return await web.run(settings, { onPart })
  } catch (error) {
    // A RangeError is what experiments say about settings and webs that make no sense.
    if (error instanceof RangeError)
      throw new UsageError(`${experiment.name} on ${web.name}: ${error.message}`, { cause: error })
    throw error
  }
}

function tell(
  results: readonly ExperimentResult[],
  files: readonly string[],
  settings: LabSettings,
  lab: Lab,
  terminal: Terminal,
): void {
  const report = resolve(join(settings.into, 'report.html'))
  const claims = lab.claimsOf(results.flatMap((result) => result.claims))
  if (settings.json) {
    const told = results.map((result) => {
      const { id, name, paper, finding, claims: answers } = result
      const table = toldTable(result)
      return { id, name, paper, finding, claims: withWebs(answers), ...(table === undefined ? {} : { table }) }
    })
    return terminal.print(JSON.stringify({ report, files: files.length, results: told }))
  }
  const parts = claims.reduce((sum, claim) => sum + claim.parts.length, 0)
  const sums = [...lab.tallyParts(claims)].map(([verdict, count]) => `${verdict}: ${count}`)
  const { paint } = terminal
  const findings = results.flatMap((result) => [
    '',
    paint('bold', result.name),
    `  ${result.finding}`,
    ...tableLines(result, lab),
  ])
  terminal.print(
    [
      ...findings,
      '',
      ...(claims.length === 0
        ? []
        : [`${counted(claims.length, 'claim')} in ${counted(parts, 'part')}; ${sums.join(', ')}.`]),
      paint('cyan', report),
    ].join('\n'),
  )
}

const toldTable = ({ tables, toldTable: id }: ExperimentResult): Table | undefined =>
  tables.find((one) => one.id === id)

/** Also what depends on no web was found on the one that the others are about: whoever reads the JSON has had that name always. */
function withWebs<Answer extends { readonly web?: string }>(answers: readonly Answer[]): readonly Answer[] {
  const web = answers.find((answer) => answer.web !== undefined)?.web
  return web === undefined ? answers : answers.map((answer) => ({ ...answer, web: answer.web ?? web }))
}

function tableLines(result: ExperimentResult, lab: Lab): string[] {
  const table = toldTable(result)
  if (table === undefined) return []
  const head = table.columns.map(({ label }) => label)
  const rows = table.rows.map((row) =>
    row.map((cell, at) => lab.cellText(cell, table.columns[at]?.unit).replaceAll('\u00a0', ' ')),
  )
  return [
    '',
    ...textTable(
      [head, ...rows],
      table.columns.map(({ align }, at) => align ?? (typeof table.rows[0]?.[at] === 'number' ? 'right' : 'left')),
    ),
  ]
}
