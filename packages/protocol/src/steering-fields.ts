/**
 * Steering fields: what a request may carry to be answered for another address, another method or another host than its first line
 * says. Whoever learns pages from answers that others asked for must not learn those: the asker would choose what is known of a page.
 */
import type { HeaderList } from './capture.ts'
import { headerOf } from './capture.ts'

/** They make frameworks answer for another address or another method. */
export const STEERING_FIELDS: readonly string[] = [
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
]

/** `host`: name and port that was asked for. What stands for it elsewhere must say the same. */
export function isSteered(request: HeaderList, host: string): boolean {
  if (STEERING_FIELDS.some((name) => headerOf(request, name) !== undefined)) return true
  const said = request.filter(([name]) => /^x-(?:forwarded-)?host$/i.test(name)).map(([, value]) => value.toLowerCase())
  return said.some((value) => value !== host.toLowerCase())
}
