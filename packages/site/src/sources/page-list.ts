/**
 * Page list: addresses of pages that no link leads to, such as those behind forms: the hidden Web (000 §1, 002 §6.1). A
 * site knows what can be asked of its forms; a crawler can only guess.
 */
import { optionInvalid } from '../errors.ts'
import { MAX_PATH } from '../journal/observation.ts'

/** The lines of a list, without blank ones and those that begin with `#`. */
export function* listedPages(text: string): Iterable<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? undefined : end).trim()
    if (line !== '' && !line.startsWith('#')) yield line
    at = end < 0 ? text.length : end + 1
  }
}

/**
 * Every way to fill in a form that is sent by GET: `/search` with `{ topic: ['a', 'b'], year: ['2004'] }` gives
 * `/search?topic=a&year=2004` and `/search?topic=b&year=2004`.
 */
export function* formPages(action: string, fields: Readonly<Record<string, readonly string[]>>): Iterable<string> {
  if (!action.startsWith('/') || action.includes('?'))
    throw optionInvalid(`A form is sent to a path without a query, such as /search, not to ${action.slice(0, 200)}.`)
  for (const filled of fillings(Object.entries(fields))) {
    const path = filled === '' ? action : `${action}?${filled}`
    if (path.length <= MAX_PATH) yield path
  }
}

function* fillings([field, ...rest]: readonly (readonly [string, readonly string[]])[]): Iterable<string> {
  if (field === undefined) yield ''
  const [name, values] = field ?? ['', []]
  for (const value of values) {
    const pair = String(new URLSearchParams([[name, value]]))
    for (const others of fillings(rest)) yield others === '' ? pair : `${pair}&${others}`
  }
}

/** Path and query of a listed address; undefined for one of another site. `base` is the site's origin. */
export function pathOfAddress(address: string, base: string | undefined): string | undefined {
  const isPath = address.startsWith('/') && !address.startsWith('//')
  if (!URL.canParse(address, base ?? 'http://site.invalid')) return undefined
  const url = new URL(address, base ?? 'http://site.invalid')
  const isOurs = isPath || (base !== undefined && url.origin === new URL(base).origin)
  return isOurs ? url.pathname + url.search : undefined
}
