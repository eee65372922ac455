/**
 * Time limit: a signal that ends something after a time. By a timer that holds on to it: a watch whose signal was made of
 * `AbortSignal.timeout` by `AbortSignal.any` was seen to run for ever, as nothing else held the part that knew the time.
 */

/** For `AbortSignal.any`: none when there is no limit. It keeps no process alive. */
export function timeLimit(ms: number): AbortSignal[] {
  if (ms === Infinity) return []
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms).unref()
  return [controller.signal]
}
