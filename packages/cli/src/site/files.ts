/**
 * Publishing as files: scan, then write what follows from it; with `--watch` again and again. Two publications are a second
 * apart at least, since servers make validators of whole seconds.
 */
import { messageOf } from '@comity/protocol'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocrootScanner, DocrootScanSummary, DocrootScanWorld, PageSourceSummary } from '@comity/site'
import { onInterrupt } from '../terminal/interrupt.ts'
import type { PublishParts } from './command.ts'
import { askListed } from './listed.ts'
import { PublishLine } from './publish-line.ts'
import { openPushing, PushTally, writeIndexNowFile } from './push.ts'
import { publishReport } from './report.ts'
import type { Published } from './report.ts'
import { robotsReader } from './robots.ts'
import { visible } from '../terminal/terminal.ts'

export const publishWorld: DocrootScanWorld = {
  now: Date.now,
  sleep: async (ms, signal) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
}

const MIN_INTERVAL_MS = 1_000

export async function publishFiles(parts: PublishParts): Promise<number> {
  const { call, base, docroot, journal, site } = parts
  const { settings, terminal } = call
  const { countExported, docrootReader, publishingLimits, StaticExport } = await import('@comity/site')
  const root = docroot!
  const scanner = await scannerOf(parts)
  const read = docrootReader(root, publishingLimits.pageBytes)
  const into = settings.into ?? root
  const exporter = new StaticExport({ ...site, read }, { into, docroot: root })
  using line = new PublishLine(terminal, journal)
  using interrupt = onInterrupt(() => line.say('stopping: what is being written is finished'))
  const { signal } = interrupt
  await using pushing = await openPushing(parts, (sentence) => line.say(visible(sentence)))
  const sent = new PushTally()
  const robots = await robotsReader(root)
  const deliveryWorker = pushing?.deliveryWorker({ ...site, push: pushing.options, robots, read }, sent.add)
  if (pushing !== undefined) writeIndexNowFile(pushing.options, into)
  const report = async (scan: DocrootScanSummary, listed: PageSourceSummary | undefined): Promise<Published> => {
    const made = await exporter.run()
    const robotsLines = settings.robots ? undefined : await exporter.robotsLines()
    // Once here; whoever watches sends as long as it runs.
    if (settings.watch) deliveryWorker?.wake()
    else await deliveryWorker?.drain(signal)
    return {
      base,
      docroot: root,
      into,
      journal: parts.journalDir,
      pages: journal.pageCount,
      scan,
      listed,
      made,
      robotsLines,
      push: deliveryWorker === undefined ? undefined : sent.report(deliveryWorker),
    }
  }
  const tell = (published: Published): void => {
    line.clear()
    if (settings.json) terminal.print(JSON.stringify(published))
    else terminal.print(publishReport(published, settings.watch, terminal.paint).join('\n'))
  }
  if (settings.watch) {
    const publishing = publishOnAndOn(parts, scanner, report, tell, signal, line)
    await Promise.all([publishing, deliveryWorker?.run(signal)])
  } else {
    const own = await countExported(root, new URL(base).pathname)
    const scan = await untilStopped(scanner.scan(signal), signal)
    if (scan === undefined) return 1
    tell(await report(withoutOwn(scan, own), await askListed(parts, signal)))
  }
  return 0
}

/** The scanner leaves alone what exports write: documents are about pages, and no news themselves. */
export async function scannerOf({ call, docroot, journal, rules, base }: PublishParts): Promise<DocrootScanner> {
  const { DocrootScanner: Scanner, exportedGlobs } = await import('@comity/site')
  const { spread, mayBeEmpty } = call.settings
  const reject = [...(rules.reject ?? []), ...exportedGlobs(new URL(base).pathname)]
  return new Scanner(
    journal,
    { root: docroot!, rules: { ...rules, reject }, spreadMs: spread, mayBeEmpty },
    publishWorld,
  )
}

/** What we wrote ourselves is nothing that an owner keeps private. */
function withoutOwn(scan: DocrootScanSummary, own: number): DocrootScanSummary {
  const { rejected = 0, ...others } = scan.private
  const left = Math.max(0, rejected - own)
  return { ...scan, files: Math.max(0, scan.files - own), private: left === 0 ? others : { ...others, rejected: left } }
}

async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

async function publishOnAndOn(
  parts: PublishParts,
  scanner: DocrootScanner,
  report: (scan: DocrootScanSummary, listed: PageSourceSummary | undefined) => Promise<Published>,
  tell: (published: Published) => void,
  signal: AbortSignal,
  line: PublishLine,
): Promise<void> {
  const { ownRobots, watchDocroot } = await import('@comity/site')
  const robotsNow = (): string => ownRobots(fileOr(join(parts.docroot!, 'robots.txt'))).toString('latin1')
  const due = new DueScans()
  const watching = watchDocroot(scanner, publishWorld, signal, {
    onScanned: (summary) => due.add(summary),
    onTrouble: (error) => line.say(`the document root: ${messageOf(error)}`),
  }).finally(() => due.end())
  let [isFirst, robots] = [true, robotsNow()]
  for (let scan = await due.next(); scan !== undefined; scan = await due.next()) {
    try {
      const now = robotsNow()
      // Other rules: pages that nobody touched may come into view or leave it.
      const seen = now === robots ? scan : await scanner.scan(signal)
      robots = now
      const isNews = isFirst || seen !== scan || seen.created + seen.updated + seen.deleted > 0
      const listed = isFirst ? await askListed(parts, signal) : undefined
      isFirst = false
      if (!isNews) continue
      tell(await report(seen, listed))
    } catch (error) {
      if (signal.aborted) break
      line.say(`not published: ${messageOf(error)}`)
      due.add(scan)
    }
    await publishWorld.sleep(MIN_INTERVAL_MS, signal).catch(() => undefined)
  }
  await watching
}

/** One that cannot be read is the scan's business. */
function fileOr(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Scans since somebody last asked, added up. */
class DueScans {
  #due: DocrootScanSummary | undefined
  #isOver = false
  #wake: () => void = () => undefined

  add(summary: DocrootScanSummary): void {
    const before = this.#due
    const sum = (name: 'created' | 'updated' | 'deleted'): number => summary[name] + (before?.[name] ?? 0)
    this.#due = { ...summary, created: sum('created'), updated: sum('updated'), deleted: sum('deleted') }
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Undefined when there will be none. */
  async next(): Promise<DocrootScanSummary | undefined> {
    while (this.#due === undefined && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    const due = this.#due
    this.#due = undefined
    return due
  }
}
