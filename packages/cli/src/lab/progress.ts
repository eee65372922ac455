/** How far an experiment is, and how long it will take: a live line on a screen, a line for each part elsewhere. */
import { LiveLine } from '../terminal/live-line.ts'
import { formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'

export class LabProgress implements Disposable {
  readonly #terminal: Terminal
  readonly #line: LiveLine
  readonly #now: () => number
  #title = ''
  #startedAt = 0

  constructor(terminal: Terminal, now: () => number = Date.now) {
    this.#terminal = terminal
    this.#line = new LiveLine(terminal)
    this.#now = now
  }

  /** A run begins: an experiment on a web. */
  begin(title: string): void {
    this.#title = title
    this.#startedAt = this.#now()
    if (this.#line.columns === undefined) this.#terminal.say(title)
    else this.#line.draw(title)
  }

  step(what: string): void {
    this.#line.draw(`${this.#title}: ${what}`)
  }

  /** `of` is a guess that may grow. */
  part(what: string, done: number, of: number): void {
    this.#line.draw(`${this.#title}: ${done + 1} of ${Math.max(of, done + 1)}${this.#left(done, of)} · ${what}`)
  }

  done(): void {
    this.#line.say(`${this.#title}: ${formatDuration(this.#now() - this.#startedAt)}`)
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]()
  }

  /** Parts take about as long as those before them did. */
  #left(done: number, of: number): string {
    if (done === 0 || of <= done) return ''
    const ms = ((this.#now() - this.#startedAt) / done) * (of - done)
    return `, about ${formatDuration(ms)} left`
  }
}
