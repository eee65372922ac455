/**
 * Browser export: bodies as Chromium shows them, doubtful ones too, each with its reasons. It is a list of what readers saw, for the eyes
 * of whoever asked for it: nothing of it is handed on.
 *
 *   index.tsv: as of any export, and outcome, error, doubts; a line for every answer, with a file where there is something to show
 */
import { VIEW_OUTCOMES } from '@comity/gateway'
import type { BrowserView, BrowserViewSink, ViewOutcome } from '@comity/gateway'
import { addCount } from '@comity/protocol'
import { ExportFolder } from './export.ts'
import type { Written } from './export.ts'
import { DOUBTS } from './reasons.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import type { Paint } from '../terminal/terminal.ts'

/** What was written, and of how many answers what became. */
export interface BrowserWritten extends Written {
  readonly asBrowser: {
    readonly outcomes: Readonly<Record<ViewOutcome, number>>
    /** Files with a doubt. */
    readonly doubtful: number
    /** Files by each of their doubts. */
    readonly doubts: Readonly<Record<string, number>>
  }
}

export class BrowserExport implements BrowserViewSink, Disposable {
  readonly #folder: ExportFolder
  readonly #outcomes = Object.fromEntries(VIEW_OUTCOMES.map((outcome) => [outcome, 0])) as Record<ViewOutcome, number>
  readonly #doubts: Record<string, number> = {}
  #doubtful = 0

  constructor(folder: string) {
    this.#folder = new ExportFolder(folder, ['outcome', 'error', 'doubts'])
  }

  get written(): BrowserWritten {
    const [outcomes, doubts] = [{ ...this.#outcomes }, { ...this.#doubts }]
    return { ...this.#folder.written, asBrowser: { outcomes, doubtful: this.#doubtful, doubts } }
  }

  viewed({ body, status, headers, url = '', outcome, error, doubts }: BrowserView): void {
    this.#folder.add(body, { status, headers, url }, outcome, error ?? '', doubts.join(' '))
    this.#outcomes[outcome]++
    if (body.length === 0) return
    if (doubts.length > 0) this.#doubtful++
    for (const doubt of doubts) addCount(this.#doubts, doubt)
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

export function browserLines({ files, bytes, asBrowser }: BrowserWritten, paint: Paint): string[] {
  const { outcomes, doubtful, doubts } = asBrowser
  const rows = Object.entries(doubts).toSorted(([, a], [, b]) => b - a)
  const became = Object.entries(outcomes).filter(([, count]) => count > 0)
  return [
    `${counted(files, 'body', 'bodies')} written as Chromium shows them, ${formatBytes(bytes)}, ${formatCount(doubtful)} of them in doubt`,
    `  answers: ${became.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ') || 'none'}`,
    ...rows.map(
      ([name, count]) =>
        `  ${formatCount(count).padStart(9)}  ${name.padEnd(19)}  ${paint('dim', DOUBTS.get(name) ?? '')}`,
    ),
  ]
}
