/**
 * A storm of notices: two thousand sites post by all three endpoints at once, and one of them sends half of everything.
 *
 *   node bench/storm.ts [--sites 2000] [--rate 2000] [--seconds 20] [--loud 0.5] [--reads 20000] [--pace 60] [--json]
 *
 * The receiver runs in its thread with an inbox on disk; senders are a process of their own, at a bounded rate; what was
 * accepted is read and acknowledged in this thread, as a crawl would, at most `--reads` items a second. Printed: what was
 * accepted and refused, by reason; how long answers took; the most memory of the receiver's process; syncs; how much this
 * thread's own loop was held up. Beside it a crawl goes on in this thread at `--pace` pages a second, indexed as it comes in and
 * searched (0: neither): its rate, and how long searches took, as long a time without the storm before, and with it. And proven:
 * notices were accepted by each of the endpoints, every one of them is read from the inbox exactly once, and no site but the loud one
 * goes unheard; beside it pages were fetched and searches found some, before and during the storm. Where not, the exit code tells,
 * and of what was not proven no figure is printed.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { verificationUrl } from '@comity/protocol'
import { ReceiverThread } from '@comity/receiver'
import type { ReceiverFigures } from '@comity/receiver'
import { endWith, readArguments } from './arguments.ts'
import { formatSeconds, proven } from './equal-work.ts'
import { childTime, formatCount, ownTime, rssAnonMb, since } from './measure.ts'
import { beside } from './storm/beside.ts'
import type { Beside, BesideFigures } from './storm/beside.ts'
import { DOORS } from './storm/senders.ts'
import type { StormOrder, StormTally } from './storm/senders.ts'
import { originOf, serveProofs, topicOf } from './storm/sites.ts'

const { flags } = readArguments(import.meta.filename, {
  sites: { value: 2_000, least: 2 },
  rate: 2_000,
  seconds: 20,
  loud: { value: 0.5, least: 0 },
  reads: 20_000,
  /** Pages a second of the crawl beside it. */
  pace: { value: 60, least: 0 },
  json: false,
})
if (flags.loud >= 1) endWith(import.meta.filename, `--loud is a share below 1, not ${flags.loud}`)

const { sites, pace } = flags
const dir = mkdtempSync(join(tmpdir(), 'comity-storm-'))
try {
  report(await measure())
} finally {
  rmSync(dir, { recursive: true, force: true })
}

interface Run {
  readonly tally: StormTally
  readonly figures: ReceiverFigures
  readonly peakMb: number
  readonly loopP99Ms: number
  readonly lost: number
  readonly double: number
  readonly unasked: number
  /** Of what was accepted, as the senders wrote it down. */
  readonly acceptedPages: number
  /** Of this process while the storm went on: the receiver's thread and this one; and of the senders' all in all. */
  readonly cpuSeconds: number
  readonly sendersCpuSeconds: number
  readonly proofsAsked: number
  readonly beside: { readonly quiet: BesideFigures; readonly storm: BesideFigures } | undefined
}

async function measure(): Promise<Run> {
  using proofs = await serveProofs()
  const settings = { dir, after: 0, strangersPriority: 0.5 }
  await using receiver = new ReceiverThread(settings, {
    fetchFrom: proofs.fetchFrom,
    onError: (error) => console.error(error),
  })
  const { port } = await receiver.listen()
  const url = `http://127.0.0.1:${port}`
  const subscriptions = await subscribe(receiver, url)
  await using others: Beside | undefined = pace === 0 ? undefined : await beside(join(dir, 'crawl'), pace)
  if (others !== undefined) await sleep(flags.seconds * 1_000)
  const quiet = await others?.figures()
  const reading = read(receiver)
  const memory = watchMemory()
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const acceptedFile = join(dir, 'accepted')
  const [began, children] = [ownTime(), childTime()]
  const tally = await send({
    url,
    sites,
    perSecond: flags.rate,
    seconds: flags.seconds,
    loudShare: flags.loud,
    atOnce: 200,
    subscriptions,
    acceptedFile,
  })
  loop.disable()
  const { cpuSeconds } = since(began, ownTime())
  const sendersCpuSeconds = since(children, childTime()).cpuSeconds
  const storm = await others?.figures()
  for (
    let figures = await receiver.figures();
    figures.pending > 0 || figures.inbox.items > 0;
    figures = await receiver.figures()
  )
    await sleep(50)
  const seen = await reading.stop()
  // Nothing is no page.
  const accepted = readFileSync(acceptedFile, 'utf8')
    .split('\n')
    .filter((page) => page !== '')
  return {
    tally,
    figures: await receiver.figures(),
    peakMb: memory.stop(),
    loopP99Ms: loop.percentile(99) / 1e6,
    lost: accepted.filter((page) => !seen.has(page)).length,
    double: seen
      .values()
      .filter((times) => times > 1)
      .toArray().length,
    unasked: seen.size - accepted.length,
    acceptedPages: accepted.length,
    cpuSeconds,
    sendersCpuSeconds,
    proofsAsked: proofs.asked(),
    beside: quiet === undefined || storm === undefined ? undefined : { quiet, storm },
  }
}

/** Every site is subscribed to, and its hub verifies it. */
async function subscribe(receiver: ReceiverThread, url: string): Promise<(readonly [string, string])[]> {
  const one = async (site: number): Promise<readonly [string, string]> => {
    const [origin, topic] = [originOf(site), topicOf(site)]
    const { token, secret } = (await receiver.subscribe({ origin, topic, hub: `${origin}/hub`, scheme: 'changes' }))!
    const verification = { mode: 'subscribe', topic, challenge: 'c', leaseSeconds: 86_400 } as const
    const answer = await fetch(verificationUrl(`${url}/websub/${token}`, verification))
    if ((await answer.text()) !== 'c') throw new Error(`${origin} could not be subscribed to`)
    return [token, secret]
  }
  const all: (readonly [string, string])[] = []
  for (let from = 0; from < sites; from += 100) {
    const some = Array.from({ length: Math.min(100, sites - from) }, (_, i) => one(from + i))
    all.push(...(await Promise.all(some)))
  }
  return all
}

async function send(order: StormOrder): Promise<StormTally> {
  const child = fork(join(import.meta.dirname, 'storm/senders.ts'), { serialization: 'advanced' })
  child.send(order)
  const gone = once(child, 'exit')
  const [tally] = (await once(child, 'message')) as [StormTally]
  // Its processor time is known when it has ended.
  await gone
  return tally
}

/** Read and acknowledge what was accepted, as a crawl does; how often each page was named. */
function read(receiver: ReceiverThread): { readonly stop: () => Promise<Map<string, number>> } {
  const seen = new Map<string, number>()
  let isOver = false
  const done = (async () => {
    let last = 0
    for (;;) {
      const items = await receiver.read(last, Math.max(1, Math.floor(flags.reads / 50)))
      for (const { body } of items) {
        for (const line of Buffer.from(body).toString().trim().split('\n')) {
          const { url } = JSON.parse(line) as { url: string }
          seen.set(url, (seen.get(url) ?? 0) + 1)
        }
      }
      last = items.at(-1)?.number ?? last
      if (items.length > 0) await receiver.acknowledged(last)
      else if (isOver) return
      await sleep(20)
    }
  })()
  const stop = async (): Promise<Map<string, number>> => {
    isOver = true
    await done
    return seen
  }
  return { stop }
}

function watchMemory(): { readonly stop: () => number } {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, rssAnonMb())), 100)
  const stop = (): number => {
    clearInterval(timer)
    return peak
  }
  return { stop }
}

function at(all: readonly number[], part: number): number {
  return all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN
}

interface BesideLine {
  readonly pagesPerSecond: number
  readonly searches: number
  readonly searchMs: { readonly p50: number; readonly p99: number }
  readonly searchesFailed: number
  readonly found: number
}

function besideLine({ pagesPerSecond, searchMs, searchesFailed, found }: BesideFigures): BesideLine {
  const spread = { p50: at(searchMs, 0.5), p99: at(searchMs, 0.99) }
  return { pagesPerSecond, searches: searchMs.length, searchMs: spread, searchesFailed, found }
}

/** That there was something to be disturbed. */
function isGoingOn({ quiet, storm }: Readonly<Record<'quiet' | 'storm', BesideLine>>): boolean {
  const proofs = Object.entries({ quiet, storm }).map(([name, { pagesPerSecond, searches, found }]) =>
    proven('beside it', [{ name, work: [{ 'pages a second': pagesPerSecond, searches, 'pages found': found }] }]),
  )
  return proofs.every((is) => is)
}

function besideWords(lines: Readonly<Record<'quiet' | 'storm', BesideLine>>): string[] {
  return Object.entries(lines).map(
    ([when, { pagesPerSecond, searches, searchMs, searchesFailed }]) =>
      `beside it, ${when === 'quiet' ? 'without the storm' : 'with the storm'}: crawl ${formatCount(pagesPerSecond)} pages/s; ` +
      `${formatCount(searches)} searches in p50 ${searchMs.p50.toFixed(1)} ms, p99 ${searchMs.p99.toFixed(1)} ms, ` +
      `${formatCount(searchesFailed)} failed`,
  )
}

function share({ sent, accepted }: { readonly sent: number; readonly accepted: number }): string {
  return `${formatCount(accepted)} of ${formatCount(sent)} (${((100 * accepted) / Math.max(1, sent)).toFixed(1)} %)`
}

function report(run: Run): void {
  const { tally, figures, peakMb, loopP99Ms, lost, double, unasked, proofsAsked, cpuSeconds, sendersCpuSeconds } = run
  const line = {
    sites,
    seconds: flags.seconds,
    sent: tally.sent,
    sentPerSecond: tally.sent / flags.seconds,
    accepted: tally.accepted,
    byDoor: tally.byDoor,
    refused: tally.refused,
    failed: tally.failed,
    acceptedMs: { p50: at(tally.acceptedMs, 0.5), p99: at(tally.acceptedMs, 0.99), worst: at(tally.acceptedMs, 1) },
    refusedMs: { p50: at(tally.refusedMs, 0.5), p99: at(tally.refusedMs, 0.99) },
    loud: tally.loud,
    others: { ...tally.others, sites: tally.heardSites, unheard: tally.unheardSites },
    peakMb,
    loopP99Ms,
    cpuSeconds,
    sendersCpuSeconds,
    syncs: figures.inbox.syncs,
    itemsPerSync: figures.inbox.appended / figures.inbox.syncs,
    proofsAsked,
    exactlyOnce: { lost, double, unasked },
    beside: run.beside && { quiet: besideLine(run.beside.quiet), storm: besideLine(run.beside.storm) },
  }
  // Whoever got no answer does not know whether it was taken.
  const isRight = lost === 0 && double === 0 && unasked <= tally.failed && tally.unheardSites === 0
  if (!isRight) process.exitCode = 1
  const byDoor = Object.fromEntries(DOORS.map((door) => [door, tally.byDoor[door] ?? 0]))
  const isProven = proven('notices', [
    { name: 'accepted', work: [{ notices: tally.accepted, sites: tally.heardSites, ...byDoor }] },
    { name: 'written down', work: [{ notices: run.acceptedPages, sites: tally.heardSites, ...byDoor }] },
  ])
  const isBeside = line.beside === undefined || isGoingOn(line.beside)
  if (!isProven || (flags.json && !isBeside)) return
  if (flags.json) {
    console.log(JSON.stringify(line))
    return
  }
  const { acceptedMs, refusedMs } = line
  console.log(
    `${formatCount(sites)} sites, ${formatCount(line.sent)} notices in ${line.seconds} s (${formatCount(line.sentPerSecond)}/s)`,
  )
  console.log(
    `accepted ${formatCount(line.accepted)}: ${Object.entries(line.byDoor)
      .map(([door, n]) => `${door} ${formatCount(n)}`)
      .join(', ')}`,
  )
  for (const [reason, n] of Object.entries(line.refused).toSorted(([, a], [, b]) => b - a))
    console.log(`refused  ${formatCount(n)}: ${reason}`)
  if (line.failed > 0) console.log(`failed   ${formatCount(line.failed)}: no answer`)
  console.log(
    `accepted in p50 ${acceptedMs.p50.toFixed(1)} ms, p99 ${acceptedMs.p99.toFixed(1)} ms, worst ${acceptedMs.worst.toFixed(1)} ms`,
  )
  if (tally.refusedMs.length > 0)
    console.log(`refused in p50 ${refusedMs.p50.toFixed(1)} ms, p99 ${refusedMs.p99.toFixed(1)} ms`)
  console.log(
    `the loud site got through with ${share(line.loud)}; the others with ${share(line.others)}, ${line.others.unheard} of ${formatCount(line.others.sites + line.others.unheard)} sites unheard`,
  )
  console.log(
    `memory at most ${formatCount(line.peakMb)} MB, bodies at most ${formatCount(figures.peakMemoryBytes / 1e6)} MB; ${formatCount(line.syncs)} syncs, ${formatCount(line.itemsPerSync)} items each; ${formatCount(proofsAsked)} proofs fetched`,
  )
  if (line.beside !== undefined && isBeside) for (const text of besideWords(line.beside)) console.log(text)
  console.log(
    `${formatSeconds(cpuSeconds)} of processor while it lasted, ${formatSeconds(sendersCpuSeconds)} of the senders'`,
  )
  console.log(`this thread's loop was held up ${line.loopP99Ms.toFixed(1)} ms at p99`)
  console.log(
    isRight
      ? 'every accepted notice was read exactly once'
      : `NOT EXACTLY ONCE: ${lost} lost, ${double} doubled, ${unasked} never accepted; ${tally.unheardSites} sites unheard`,
  )
}
