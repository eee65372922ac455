/** Watching of `comity gateway`: from its source through the node to the repository, until it ends or is stopped. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObservedExchangeSink } from '@comity/gateway'
import type { Call } from '../command.ts'
import { BrowserExport } from './browser-export.ts'
import { GatewayExport } from './export.ts'
import type { GatewaySettings } from './flags.ts'
import { GatewayLine } from './gateway-line.ts'
import { checkShipping, checkSpeakers, openGateway } from './gateway-parts.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { reportJson, reportLines } from './report.ts'
import type { GatewayReport } from './report.ts'
import { checkSources, isEndless, sourceOf } from './source.ts'
import { requireFile } from '../terminal/input-file.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { visible } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { timeLimit } from '../terminal/time-limit.ts'

export async function watchExchange({ settings, terminal }: Call<GatewaySettings>): Promise<number> {
  checkSources(settings)
  checkShipping(settings)
  const isPackets = settings.pcap.length > 0 || settings.live !== undefined
  // Without a source, what waits is sent, and nothing is indexed.
  if (isPackets || settings.proxy !== undefined) checkSpeakers(settings, isPackets)
  if (settings.pcap.length === 0 && !isEndless(settings) && settings.to === undefined)
    throw new UsageError('Say what to look at: --pcap FILE, --live IFACE or --proxy ORIGIN.')
  // Before anything is made for nothing.
  for (const path of settings.pcap) if (path !== '-') await requireFile(path, 'a capture in it')
  using line = new GatewayLine(terminal)
  using interrupt = onInterrupt(() => line.say('stopping: what was seen is made durable; Ctrl-C again stops at once'))
  const tell = (sentence: string): void => line.say(visible(sentence))
  await using parts = await openGateway(settings, { tell })
  const { node, spool } = parts
  using exported = exportOf(settings, node)
  // What is in doubt goes no further than its folder.
  const asBrowser = exported instanceof BrowserExport ? exported : undefined
  const sink: ObservedExchangeSink = exported instanceof GatewayExport ? exported : node
  // What is only reported on is rebuilt as a whole.
  const wants = exported === undefined && settings.to !== undefined ? node.wants : undefined
  await using source = await sourceOf(settings, {
    sink,
    wants,
    asBrowser,
    onFault: parts.faults.note.bind(parts.faults),
    say: tell,
  })
  using done = new Done()
  const signal = AbortSignal.any([interrupt.signal, done.signal, ...timeLimit(settings.for)])
  const nothing = { packets: 0, flows: 0, bytes: 0, details: {} }
  const figures = (): ReturnType<NonNullable<typeof source>['figures']> => source?.figures() ?? nothing
  line.follow(node, () => ({ ...figures(), waiting: spool?.waiting.length ?? 0 }))
  const sending = sendOn(parts, isEndless(settings), done.signal)
  const keeping = await begunProgram(parts, done.signal)
  const startedAt = performance.now()
  // Whatever of it fails first ends all of it.
  const problems = (await Promise.race([source?.run(signal), failing(sending), failing(keeping.done)])) ?? []
  const seconds = (performance.now() - startedAt) / 1_000
  const wasStopped = signal.aborted
  done[Symbol.dispose]()
  await Promise.all([sending, keeping.done])
  await finish(parts, interrupt.signal)
  line[Symbol.dispose]()
  const report = reportOf(parts, { ...figures(), seconds }, problems, exported)
  terminal.print(settings.json ? JSON.stringify(reportJson(report)) : reportLines(report, terminal.paint).join('\n'))
  if (settings.json) for (const problem of problems) terminal.say(problem)
  const isNothing = problems.length > 0 && report.source.packets === 0
  const isStuck = (report.sent?.waiting ?? 0) > 0 && !isEndless(settings)
  // What was to go on until somebody stops it ended by itself: a service manager starts it again.
  const isBroken = problems.length > 0 && isEndless(settings) && !wasStopped
  return isNothing || isStuck || isBroken ? 1 : 0
}

function exportOf(settings: GatewaySettings, node: ObservedExchangeSink): GatewayExport | BrowserExport | undefined {
  if (settings.export === undefined) return undefined
  return settings.asBrowser ? new BrowserExport(settings.export) : new GatewayExport(settings.export, node)
}

/** Ends what goes on beside reading, also when something failed: nothing must keep the process alive then. */
class Done implements Disposable {
  readonly #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  [Symbol.dispose](): void {
    this.#controller.abort()
  }
}

/** Rejects when it does, and says nothing otherwise. */
const failing = (work: Promise<void>): Promise<never> =>
  new Promise((_, reject) => {
    work.catch(reject)
  })

const LOOK_EVERY_MS = 100

/** Sends what is due; by the clock of this machine where that is the clock of what passes. */
async function sendOn({ node, sender }: GatewayParts, isNow: boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (isNow) node.tick(Date.now())
    await sender?.tick(signal)
    // Being told to stop while waiting is no fault.
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Rules count from the first page on, if the repository answers soon. */
const FIRST_MS = 5_000

async function begunProgram({ program }: GatewayParts, signal: AbortSignal): Promise<{ readonly done: Promise<void> }> {
  if (program === undefined) return { done: Promise.resolve() }
  const first = program.update(signal)
  await Promise.race([first, sleep(FIRST_MS, undefined, { ref: false })])
  return { done: first.then(() => program.keep(signal)) }
}

/** How long sending goes on after Ctrl-C: what is not taken by then waits for the next run. */
const LAST_MS = 5_000

async function finish({ node, sender }: GatewayParts, interrupted: AbortSignal): Promise<void> {
  await node.settle()
  node.cut()
  await sender?.drain(interrupted.aborted ? AbortSignal.timeout(LAST_MS) : interrupted)
}

function reportOf(
  { node, sender, spool, program, faults }: GatewayParts,
  source: GatewayReport['source'],
  problems: readonly string[],
  exported: GatewayExport | BrowserExport | undefined,
): GatewayReport {
  const sent =
    sender === undefined || spool === undefined
      ? undefined
      : { ...sender.figures, waiting: spool.waiting.length, waitingBytes: spool.bytes, trouble: sender.trouble }
  const { counts, count, path } = faults
  return {
    source,
    node: node.figures,
    problems,
    sent,
    exported: exported?.written,
    program: program?.figures(),
    faults: { count, ...counts, path },
  }
}
