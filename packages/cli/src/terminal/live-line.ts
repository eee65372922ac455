/** Live line: one line on a screen that rewrites itself. Where there is no screen it draws nothing. */
import type { Terminal } from './terminal.ts'

export class LiveLine implements Disposable {
  readonly #terminal: Terminal
  #text = ''

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Columns to draw in; undefined when nobody looks. */
  get columns(): number | undefined {
    const columns = this.#terminal.liveColumns()
    return columns === undefined ? undefined : columns - 1
  }

  draw(text: string): void {
    if (this.columns === undefined || (text === '' && this.#text === '')) return
    this.#text = text.slice(0, this.columns)
    // Back to the margin, the line wiped, the new one.
    this.#terminal.draw(`\r\x1b[2K${this.#text}`)
  }

  /** Something worth a line of its own, above the live one. */
  say(text: string): void {
    const live = this.#text
    this.draw('')
    this.#terminal.say(text)
    this.draw(live)
  }

  [Symbol.dispose](): void {
    this.draw('')
  }
}
