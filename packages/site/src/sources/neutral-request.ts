/**
 * Neutral request: would everybody have been answered like this? What middleware sees is learnt and told to others, as a
 * cache would, so nobody may steer it by what no address shows: a made-up Host that comes back in every link, a method or a
 * path that a header replaces, a language that happens to be one visitor's.
 */
import { combinedField, headerOf, isSteered } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export interface OwnName {
  /** Name and port that the site goes by. */
  readonly host: string
  /** Nothing in a page follows from the host it was asked for: the site is never told of it, nor of what proxies say of it. */
  readonly isHostFixed: boolean
}

/** The answer is undone or chosen anew for these, so it does not matter what this visitor sent. */
const OWN_VARY: ReadonlySet<string> = new Set(['accept-encoding', 'available-dictionary', 'cookie', 'authorization'])

export function isNeutral(request: HeaderList, answer: HeaderList, { host, isHostFixed }: OwnName): boolean {
  if (!isHostFixed && !isFor(request, host)) return false
  const heard = isHostFixed ? request.filter(([name]) => name.toLowerCase() !== 'x-forwarded-host') : request
  if (isSteered(heard, host)) return false
  const varies = (combinedField(answer, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return varies.every((name) => name === '' || OWN_VARY.has(name) || headerOf(request, name) === undefined)
}

function isFor(request: HeaderList, host: string): boolean {
  if (!isHost(headerOf(request, 'host'), host)) return false
  const forwarded = combinedField(request, 'forwarded')?.toLowerCase() ?? ''
  return [...forwarded.matchAll(/host\s*=\s*"?([^\s";,]*)/g)].every(([, said]) => said === host)
}

/** HTTP/2 has `:authority` in its place, and HTTP/1.0 none at all. */
const isHost = (said: string | undefined, host: string): boolean => said === undefined || said.toLowerCase() === host
