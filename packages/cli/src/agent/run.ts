/** `comity agent run`: installed agents, or one to try, over the public pages of a document root. */
import { createReadStream, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'
import {
  accessHits,
  AgentStore,
  capProblem,
  defaultCaps,
  endLine,
  headLine,
  isFault,
  recordLine,
  runAgent,
  runInstalled,
} from '@comity/agent'
import type { AgentCaps, AgentOutcome, AgentPages, AgentUse, ServiceUse } from '@comity/agent'
import type { AgentCall } from './command.ts'
import { docrootPages } from './docroot.ts'
import { bundleOf, onlyFile } from './files.ts'
import type { AgentSettings } from './flags.ts'
import { outcomeText, useText } from './report.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface RunParts {
  readonly call: AgentCall
  readonly pages: AgentPages
  readonly log: ReadonlyMap<string, number> | undefined
  readonly caps: AgentCaps
  readonly onProgress: (use: ServiceUse) => void
  readonly signal: AbortSignal
}

/** One agent's run, as it is told. */
interface Reported {
  readonly agent: string
  readonly version: string
  readonly outcome: AgentOutcome
  readonly message: string
  readonly file?: string | undefined
  readonly use?: AgentUse | undefined
  readonly pages?: number | undefined
}

export async function runWord(call: AgentCall): Promise<number> {
  const { settings, operands, terminal } = call
  const root = onlyFile(operands, 'DOCROOT, the folder that the server answers / with')
  const { base, bundle } = settings
  if (base === undefined) throw new UsageError('Say where visitors find the site: --base https://example.org/.')
  if (!existsSync(root)) throw new UsageError(`${root} is not there: name the folder that the server answers / with.`)
  if (bundle !== undefined && settings.name !== undefined)
    throw new UsageError('--bundle tries a file, --name runs what is installed: leave out one of them.')
  const caps = capsOf(settings)
  if (bundle === undefined) checkAgentsFolder(settings.agents, root)
  using line = new LiveLine(terminal)
  using interrupt = onInterrupt(() => line.say('stopping'))
  const { pages } = await docrootPages(resolve(root), base, terminal, interrupt.signal)
  const log = settings.accessLog === undefined ? undefined : await hitsIn(settings.accessLog, base, terminal)
  const onProgress = ({ reads, records, outputBytes }: ServiceUse): void =>
    line.draw(`${counted(reads, 'page')} read, ${counted(records, 'record')}, ${formatBytes(outputBytes)}`)
  const parts: RunParts = { call, pages, log, caps, onProgress, signal: interrupt.signal }
  const told = bundle === undefined ? await runAll(parts, line) : [await tryOne(parts, bundle, line)]
  if (settings.json) terminal.print(JSON.stringify({ runs: told }))
  return told.some(({ outcome }) => isFault(outcome)) ? 1 : 0
}

/** What the owner grants. */
export function capsOf({ cpu, wall, memory, reads, readBytes, records, output }: AgentSettings): AgentCaps {
  const given = { cpuMs: cpu, wallMs: wall, memoryBytes: memory, reads, readBytes, records, outputBytes: output }
  const caps = { ...defaultCaps }
  for (const [name, value] of Object.entries(given) as [keyof AgentCaps, number | undefined][]) {
    if (value === undefined) continue
    const problem = capProblem(name, value)
    if (problem !== undefined) throw new UsageError(`That cannot be granted: ${problem}.`)
    caps[name] = value
  }
  return caps
}

function checkAgentsFolder(dir: string, root: string): void {
  const [inside, outside] = [resolve(dir), realpathSync(root)]
  if (inside === outside || inside.startsWith(outside + sep))
    throw new UsageError(
      `${dir} is inside the document root, where the server would hand it out: name a folder elsewhere with --agents.`,
    )
}

async function hitsIn(path: string, base: string, terminal: Terminal): Promise<ReadonlyMap<string, number>> {
  if (path !== '-' && !existsSync(path)) throw new UsageError(`${path} is not there: name an access log.`)
  const input = path === '-' ? process.stdin : createReadStream(path)
  const { hits, lines, malformed, byCrawlers } = await accessHits(createInterface({ input }), base)
  terminal.say(
    `${counted(lines, 'line')} of the access log: ${counted(hits.size, 'address', 'addresses')} read by people, ${counted(byCrawlers, 'request')} by crawlers, ${counted(malformed, 'line')} not understood`,
  )
  return hits
}

async function runAll({ call, pages, log, caps, onProgress, signal }: RunParts, line: LiveLine): Promise<Reported[]> {
  const { settings, terminal } = call
  const store = new AgentStore(settings.agents)
  const names = settings.name === undefined ? store.read().agents.map(({ name }) => name) : [settings.name]
  if (names.length === 0)
    throw new UsageError(
      `No agent is installed in ${settings.agents}: \`comity agent install BUNDLE\`, or try one with --bundle.`,
    )
  const told: Reported[] = []
  for (const name of names) {
    line.say(`running ${name}`)
    const options = { pages, at: Date.now(), caps, log, onProgress, signal }
    const { outcome, message, version, run, file } = await runInstalled(store, name, options)
    told.push({ agent: name, version, outcome, message, file, use: run?.use, pages: run?.pages })
    line.draw('')
    if (!settings.json) terminal.print(`${name} ${version}: ${outcomeText(outcome, message, terminal.paint)}`)
    if (!settings.json && run !== undefined)
      terminal.print(`  ${useText(run.use)}${file === undefined ? '' : `\n  ${file}`}`)
  }
  return told
}

async function tryOne(
  { call, pages, log, caps, onProgress, signal }: RunParts,
  path: string,
  line: LiveLine,
): Promise<Reported> {
  const { settings, terminal } = call
  const bundle = bundleOf(path)
  const { name, version } = bundle.manifest
  const lines: string[] = []
  line.say(`running ${name} ${version}`)
  const run = await runAgent({
    bundle,
    pages,
    caps,
    log,
    signal,
    onProgress,
    onBegin: (count, pagesDigest) =>
      lines.push(headLine({ agent: name, version, bundle: bundle.digest, at: Date.now(), pages: count, pagesDigest })),
    onRecord: (emitted) => lines.push(recordLine(emitted)),
  })
  line.draw('')
  const isDone = run.outcome === 'done'
  if (isDone && settings.out !== undefined) writeFileSync(settings.out, [...lines, endLine(run.use.records)].join(''))
  for (const note of run.notes) terminal.say(`note: ${note}`)
  if (!settings.json) {
    if (isDone && settings.out === undefined) await terminal.write(lines.slice(1).join(''))
    terminal.say(`${name} ${version}: ${outcomeText(run.outcome, run.message, terminal.errorPaint)}`)
    terminal.say(`  ${useText(run.use)}`)
    if (!run.isOffline)
      terminal.say('  The system has no network namespace for it: only the sandbox kept it from the network.')
  }
  const file = isDone ? settings.out : undefined
  return { agent: name, version, outcome: run.outcome, message: run.message, file, use: run.use, pages: run.pages }
}
