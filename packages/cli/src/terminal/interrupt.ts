/**
 * Interrupt: the first Ctrl-C stops politely, the second at once. A SIGTERM, which is how service managers say stop,
 * counts as a first Ctrl-C.
 */

/** What a shell reports for a process that Ctrl-C ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130
/** npm hands on the Ctrl-C that the terminal has sent us already; nobody presses two keys that fast. */
const SAME_PRESS_MS = 200

interface Interrupt extends Disposable {
  readonly signal: AbortSignal
}

export function onInterrupt(stopping: () => void): Interrupt {
  const controller = new AbortController()
  let pressedAt = -Infinity
  const press = (): void => {
    const now = performance.now()
    if (now - pressedAt < SAME_PRESS_MS) return
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED)
    pressedAt = now
    stopping()
    controller.abort()
  }
  process.on('SIGINT', press)
  process.on('SIGTERM', press)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', press)
      process.off('SIGTERM', press)
    },
  }
}
