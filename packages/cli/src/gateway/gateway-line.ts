/** Gateway line: what goes by, on one line of stderr; where nobody looks, a plain line now and then. */
import type { GatewayNode } from '@comity/gateway'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'

const EVERY_MS = 250
const PLAIN_EVERY_MS = 30_000

interface LineFigures {
  readonly packets: number
  readonly bytes: number
  readonly waiting: number
}

export function gatewayText(
  figures: LineFigures,
  { figures: node }: Pick<GatewayNode, 'figures'>,
  bitsPerSecond: number,
): string {
  const { packets, bytes, waiting } = figures
  return [
    ...(packets === 0 ? [] : [counted(packets, 'packet')]),
    formatBytes(bytes),
    `${(bitsPerSecond / 1e6).toFixed(bitsPerSecond < 9.95e6 ? 1 : 0)} Mbit/s`,
    counted(node.messages, 'message'),
    `${counted(node.pages, 'page')}, ${formatCount(node.verdicts.new + node.verdicts.changed)} shipped`,
    `${formatCount(waiting)} waiting`,
  ].join(' · ')
}

export class GatewayLine implements Disposable {
  readonly #line: LiveLine
  readonly #terminal: Terminal
  #timer: NodeJS.Timeout | undefined

  constructor(terminal: Terminal) {
    this.#line = new LiveLine(terminal)
    this.#terminal = terminal
  }

  follow(node: Pick<GatewayNode, 'figures'>, figures: () => LineFigures): void {
    const startedAt = performance.now()
    let plainAt = startedAt + PLAIN_EVERY_MS
    this.#timer = setInterval(() => {
      const now = performance.now()
      const text = gatewayText(figures(), node, (figures().bytes * 8_000) / Math.max(1, now - startedAt))
      if (this.#line.columns !== undefined) return this.#line.draw(text)
      if (now < plainAt) return
      plainAt = now + PLAIN_EVERY_MS
      this.#terminal.say(text)
    }, EVERY_MS).unref()
  }

  say(text: string): void {
    this.#line.say(text)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#line[Symbol.dispose]()
  }
}
