/**
 * Neutral request: would everybody have been answered like this? What middleware sees is learnt and told to others, as a
 * cache would, so nobody may steer it by what no address shows: a made-up Host that comes back in every link, a method or a
 * path that a header replaces, a language that happens to be one visitor's.
 */
import { combinedField, headerOf, STEERING_FIELDS } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

/** The answer is undone or chosen anew for these, so it does not matter what this visitor sent. */
const OWN_VARY: ReadonlySet<string> = new Set(['accept-encoding', 'available-dictionary', 'cookie', 'authorization'])

/** `host`: name and port that the site goes by; undefined when it never looks at the one it was asked for. */
export function isNeutral(request: HeaderList, answer: HeaderList, host: string | undefined): boolean {
  if (host !== undefined && !isFor(request, host)) return false
  if (STEERING_FIELDS.some((name) => headerOf(request, name) !== undefined)) return false
  const varies = (combinedField(answer, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return varies.every((name) => name === '' || OWN_VARY.has(name) || headerOf(request, name) === undefined)
}

function isFor(request: HeaderList, host: string): boolean {
  if (!isHost(headerOf(request, 'host'), host) || !isHost(headerOf(request, 'x-forwarded-host'), host)) return false
  const forwarded = combinedField(request, 'forwarded')?.toLowerCase() ?? ''
  return [...forwarded.matchAll(/host\s*=\s*"?([^\s";,]*)/g)].every(([, said]) => said === host)
}

/** HTTP/2 has `:authority` in its place, and HTTP/1.0 none at all. */
const isHost = (said: string | undefined, host: string): boolean => said === undefined || said.toLowerCase() === host
