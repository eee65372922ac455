/**
 * Docroot watch: keeps a journal in line with a document root while files come, change and go.
 *
 * The file system tells which names were touched; after a short rest, in which a copy of many files is gathered into one
 * look, the scanner looks at just these. Whenever it cannot tell, or has more to tell than is worth listing, the whole root
 * is scanned. A watch that breaks (the system has a limit on them) is told once, and from then on the root is scanned at
 * intervals instead.
 *
 * A root that is removed and made again, or a link in its path that is set to another folder, as deployments do, is another
 * folder from then on: the system goes on watching the old one and says nothing. So once a second it is asked which folder it is,
 * which also sees a link higher up in the path, and the new one is watched and scanned.
 */
import { statSync, watch } from 'node:fs'
import type { DocrootScanWorld } from './docroot-options.ts'
import type { DocrootScanSummary } from './docroot-scan.ts'
import { toOctets } from './docroot-path.ts'
import { UNSETTLED_MS } from './docroot-scanner.ts'
import type { DocrootScanner } from './docroot-scanner.ts'
import { FolderWatch } from './folder-watch.ts'

/** Names below the root as the file system gives them; undefined when it does not say which. */
export type WatchFolder = (
  root: string,
  onTouched: (name: string | undefined) => void,
  onBroken: (error: unknown) => void,
) => Disposable

export interface DocrootWatchOptions {
  /** Gather what is touched for this long before looking. */
  readonly restMs?: number
  /** Scan the whole root this often when it cannot be watched. */
  readonly rescanMs?: number
  /** Look this often whether the root is another folder. */
  readonly rootMs?: number
  readonly watchFolder?: WatchFolder
  /** After each look or scan. */
  readonly onScanned?: (summary: DocrootScanSummary) => void
  /** A scan that failed, or a watch that broke; the watch goes on. */
  readonly onTrouble?: (error: unknown) => void
}

const MAX_TOUCHED = 10_000

/** Scans once, then follows until the signal ends it. */
export async function watchDocroot(
  scanner: DocrootScanner,
  world: DocrootScanWorld,
  signal: AbortSignal,
  options: DocrootWatchOptions = {},
): Promise<void> {
  const {
    restMs = 200,
    rescanMs = 3_600_000,
    rootMs = 1_000,
    watchFolder = watchWithNode,
    onScanned,
    onTrouble,
  } = options
  const touches = new Touches()
  // Watched before it is scanned: what changes during the scan is then looked at twice rather than never.
  using _ = new RootWatch({ watchFolder, root: scanner.root, touches, onTrouble, rootMs })
  touches.addAll()
  while (!signal.aborted) {
    try {
      if (touches.isBroken && touches.isEmpty) {
        await world.sleep(rescanMs, signal)
        touches.addAll()
      }
      await touches.wait(signal)
      await world.sleep(restMs, signal)
      const touched = touches.take()
      const summary = touched === 'all' ? await scanner.scan(signal) : await scanner.look(touched, signal)
      onScanned?.(summary)
      if (summary.unsettled.length > 0) {
        await world.sleep(UNSETTLED_MS, signal)
        for (const octets of summary.unsettled) touches.add(octets)
      }
    } catch (error) {
      if (signal.aborted) return
      onTrouble?.(error)
      // What it was about is still to be looked at, but not at once: the trouble may last.
      await world.sleep(UNSETTLED_MS, signal).catch(() => undefined)
      touches.addAll()
    }
  }
}

interface RootWatchParts {
  readonly watchFolder: WatchFolder
  readonly root: string
  readonly touches: Touches
  readonly onTrouble: ((error: unknown) => void) | undefined
  readonly rootMs: number
}

/** The watch of whichever folder is the root now. */
class RootWatch implements Disposable {
  readonly #parts: RootWatchParts
  readonly #timer: NodeJS.Timeout
  #folder: string | undefined
  #watch: Disposable | undefined

  constructor(parts: RootWatchParts) {
    this.#parts = parts
    this.#folder = folderAt(parts.root)
    this.#begin()
    this.#timer = setInterval(() => this.#look(), parts.rootMs).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#watch?.[Symbol.dispose]()
  }

  #look(): void {
    const folder = folderAt(this.#parts.root)
    if (folder === this.#folder) return
    this.#folder = folder
    this.#watch?.[Symbol.dispose]()
    this.#watch = undefined
    // One that is not there is no site without pages: what there will be is scanned when it is there.
    if (folder === undefined) return
    this.#parts.touches.isBroken = false
    this.#begin()
    this.#parts.touches.addAll()
  }

  #begin(): void {
    const { watchFolder, root, touches, onTrouble } = this.#parts
    const onBroken = (error: unknown): void => {
      touches.isBroken = true
      touches.addAll()
      onTrouble?.(error)
    }
    try {
      this.#watch = watchFolder(root, (name) => touches.addName(name), onBroken)
    } catch (error) {
      onBroken(error)
    }
  }
}

/** Which folder stands there, links followed; undefined when none does. A number may be given out again, a birth is not. */
function folderAt(path: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs } = statSync(path, { bigint: true })
    return `${dev} ${ino} ${birthtimeNs}`
  } catch {
    return undefined
  }
}

/** What was touched since somebody last looked. */
class Touches {
  isBroken = false
  #names = new Set<string>()
  #isAll = false
  #wake: (() => void) | undefined

  get isEmpty(): boolean {
    return !this.#isAll && this.#names.size === 0
  }

  addName(name: string | undefined): void {
    // A name that is not UTF-8 comes with replacement characters: which file it was, only a scan can tell.
    if (name === undefined || name.includes('\ufffd')) this.addAll()
    else this.add(toOctets(name.replaceAll('\\', '/')))
  }

  add(octets: string): void {
    this.#names.add(octets)
    if (this.#names.size > MAX_TOUCHED) this.addAll()
    this.#wake?.()
  }

  addAll(): void {
    this.#isAll = true
    this.#names.clear()
    this.#wake?.()
  }

  take(): ReadonlySet<string> | 'all' {
    const touched = this.#isAll ? 'all' : this.#names
    this.#isAll = false
    this.#names = new Set()
    return touched
  }

  /** Until something is touched, the watch breaks, or the signal ends it. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || signal.aborted) return signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = (): void => resolve()
    this.#wake = wake
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    this.#wake = undefined
    signal.throwIfAborted()
  }
}

/** Elsewhere the system itself watches what is below a folder. */
const watchWithNode: WatchFolder = (root, onTouched, onBroken) => {
  if (process.platform === 'linux') return new FolderWatch(root, onTouched, onBroken)
  const watcher = watch(root, { recursive: true })
  watcher.on('change', (_event, name) => onTouched(typeof name === 'string' ? name : undefined))
  watcher.on('error', onBroken)
  return { [Symbol.dispose]: () => watcher.close() }
}
