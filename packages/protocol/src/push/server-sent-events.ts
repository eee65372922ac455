/**
 * Server-sent events (HTML Standard §9.2): a stream of messages that ends only when somebody lets go, and that goes on
 * from the last `id` when it is asked for again with `Last-Event-ID`.
 *
 *   retry: 2000          how long to wait before asking again, in milliseconds
 *   id: 7f3a.118
 *   event: change
 *   data: {"url":…}      several data lines are one text with line ends in it
 *                        an empty line ends the message
 *   : still here         a comment
 */
export const EVENT_STREAM_TYPE = 'text/event-stream'

/** A message as it is written. */
export interface EventMessage {
  /** Neither line end nor NUL may be in it. */
  readonly id?: string | undefined
  /** `message` when not given. */
  readonly event?: string | undefined
  readonly data: string
  readonly retryMs?: number | undefined
}

/** Throws a TypeError for an id or event name that no reader would give back. */
export function writeEvent({ id, event, data, retryMs }: EventMessage): string {
  for (const value of [id, event])
    if (value !== undefined && /[\r\n\0]/.test(value)) throw new TypeError('an id or event name has a line end or NUL')
  return [
    ...(retryMs === undefined ? [] : [`retry: ${Math.max(0, Math.round(retryMs))}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
    '\n',
  ].join('\n')
}

/** A line that readers pass over: both ends notice by it that the other is still there. */
export function writeEventComment(text: string): string {
  return `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`
}
