/**
 * Observation: checked before it enters a journal, for what stands there is handed to strangers: a path that is none, a
 * digest in another form or a size below zero would be wrong in every document made from it.
 */
import { observationInvalid } from '../errors.ts'
import type { Observation, JournaledPage } from './journal.ts'

/** Longer than the 2,048 characters a sitemap may hold; whatever is longer is a trap or a mistake. */
export const MAX_PATH = 4_096
/** RFC 6838 §4.2: 127 characters on each side of the slash. */
export const MAX_TYPE = 255

/** As in a request line: nothing that ends it or needs encoding, and no fragment. */
export const PATH: RegExp = /^\/[!"$-~]*$/
const DIGEST = /^sha-256:[0-9a-f]{64}$/
const TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/

/** Throws for what no journal may hold; names the path and what is wrong with it. */
export function checkObservation(seen: Observation): void {
  const fault = faultOf(seen)
  if (fault !== undefined) throw observationInvalid(seen.path, fault)
}

/** What is wrong with an observation; undefined when nothing is. */
export function faultOf(seen: Observation): string | undefined {
  const { path } = seen
  if (typeof path !== 'string' || path.length > MAX_PATH || !PATH.test(path))
    return `has no path of at most ${MAX_PATH} characters that starts with a slash, is percent-encoded and has no fragment`
  return 'gone' in seen ? undefined : stateFault(seen)
}

function stateFault({ digest, bytes, type, modifiedAt, importance }: JournaledPage): string | undefined {
  if (!DIGEST.test(digest)) return 'has no digest of the form sha-256: and 64 lower-case hex digits'
  if (!Number.isSafeInteger(bytes) || bytes < 0) return `has an impossible size: ${bytes}`
  if (!TYPE.test(type)) return `has no media type in lower case without parameters: ${type}`
  if (!Number.isFinite(modifiedAt)) return 'was modified at no instant'
  const isShare = importance === undefined || (importance >= 0 && importance <= 1)
  return isShare ? undefined : `has an importance that is not between 0 and 1: ${importance}`
}

/** Does a crawler that holds one have to ask for the other? A file that was only touched has not changed. */
export function isSamePage(a: JournaledPage, b: JournaledPage): boolean {
  return a.digest === b.digest && a.type === b.type && (a.masked ?? false) === (b.masked ?? false)
}
