/** Publish line: how many pages are known, while they are being looked at, on one line of stderr. */
import type { Journal } from '@comity/site'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'

const EVERY_MS = 250

export class PublishLine implements Disposable {
  readonly #line: LiveLine
  readonly #timer: NodeJS.Timeout

  constructor(terminal: Terminal, journal: Journal) {
    this.#line = new LiveLine(terminal)
    const startedAt = Date.now()
    this.#timer = setInterval(() => {
      const pages = counted(journal.pageCount, 'page')
      this.#line.draw(`${pages} known · ${journal.last} changes noted · ${formatDuration(Date.now() - startedAt)}`)
    }, EVERY_MS).unref()
  }

  say(text: string): void {
    this.#line.say(text)
  }

  clear(): void {
    this.#line.draw('')
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#line[Symbol.dispose]()
  }
}
