/**
 * Key directories: the keys that are published at URLs, fetched when somebody claims to have signed with one of them.
 *
 * Strangers decide what is fetched, so everything is bounded: how many directories are held, how many are fetched at one
 * time, how often one host is asked. Keys are looked up by URL and key together: a key learnt at one URL says nothing of
 * another (draft-ietf-webbotauth-httpsig-protocol §5.4).
 *
 *   not held ──fetch──▶ held, fresh ──max-age──▶ stale ──fetch──▶ held, fresh
 *       │                    └ a key that is not in it: fetched again, at most once a minute
 *       └ failed: not asked again for a while; what was held before stays good for a day, since an outage is no rotation
 */
import type { KeyObject } from 'node:crypto'
import { headerOf, type HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import type { Instant } from '../instant.ts'
import { isAlive, readKeySet } from './key-set.ts'
import type { KeySet } from './key-set.ts'
import { retryAfter } from '../http/retry-after.ts'

/** Fetches without following redirects, within limits of size and time. May reject: there was no answer then. */
export type FetchKeys = (url: string) => Promise<FetchedKeys>

export interface FetchedKeys {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

export type FoundKey =
  | { readonly kind: 'found'; readonly key: KeyObject }
  /** The directory was read, and the key is not in it. */
  | { readonly kind: 'unknown'; readonly message: string }
  /** Nobody can tell: the directory could not be had. `retryAt`: when it is asked for again. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly retryAt: Instant }

export interface DirectoryLimits {
  readonly directories: number
  readonly fetches: number
  /** Fetches from one host in a minute. */
  readonly hostFetches: number
  /** What Cache-Control says, but no less and no more. */
  readonly minFreshMs: number
  readonly maxFreshMs: number
  /** Good so long when it cannot be fetched again. */
  readonly staleMs: number
}

const directoryLimits: DirectoryLimits = {
  directories: 1_000,
  fetches: 8,
  hostFetches: 10,
  minFreshMs: 60_000,
  maxFreshMs: 86_400_000,
  staleMs: 86_400_000,
}

/** §C.5: an unsuccessful look is remembered for five minutes at most. */
const MAX_RETRY_MS = 300_000
const FIRST_RETRY_MS = 5_000
const MINUTE_MS = 60_000
/** A key that was made a moment ago is not yet, by a clock that is behind. */
const CLOCK_SKEW_MS = 300_000

/** The keys that stand as examples in RFC 9421 §B.1: everybody has their private halves (§6.8 of the draft). */
const EXAMPLE_KEYS: ReadonlySet<string> = new Set(['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'])

interface Directory {
  set: KeySet | undefined
  freshUntil: Instant
  /** Not fetched again before this. */
  retryAt: Instant
  failures: number
  problem: string
  pending: Promise<void> | undefined
}

export class KeyDirectories {
  readonly #fetch: FetchKeys
  readonly #limits: DirectoryLimits
  /** The one that was not needed for longest first. */
  readonly #held = new Map<string, Directory>()
  readonly #hosts = new Map<string, { count: number; since: Instant }>()
  #fetching = 0

  constructor(fetch: FetchKeys, limits: Partial<DirectoryLimits> = {}) {
    this.#fetch = fetch
    this.#limits = { ...directoryLimits, ...limits }
  }

  /** A key that is held already, without asking anybody. */
  held(url: string, keyId: string, at: Instant): KeyObject | undefined {
    const directory = this.#held.get(url)
    return directory === undefined ? undefined : this.#keyOf(directory, keyId, at)
  }

  /** `from`: where to fetch it, when that is another spelling of what it is known by. */
  async find(url: string, keyId: string, at: Instant, from: string = url): Promise<FoundKey> {
    if (EXAMPLE_KEYS.has(keyId)) return { kind: 'unknown', message: 'the key is an example that everybody has' }
    const directory = this.#place(url)
    const isFresh = at < directory.freshUntil
    if (!isFresh || this.#keyOf(directory, keyId, at) === undefined) await this.#refresh(from, directory, at)
    const key = this.#keyOf(directory, keyId, at)
    if (key !== undefined) return { kind: 'found', key }
    if (directory.problem === '' && directory.set !== undefined)
      return { kind: 'unknown', message: `${url} was read and has no such key` }
    return { kind: 'unreachable', message: directory.problem, retryAt: directory.retryAt }
  }

  #keyOf({ set, freshUntil }: Directory, keyId: string, at: Instant): KeyObject | undefined {
    if (set === undefined || EXAMPLE_KEYS.has(keyId) || at >= freshUntil + this.#limits.staleMs) return undefined
    const { from = -Infinity, until } = set.lives.get(keyId) ?? {}
    return isAlive({ from: from - CLOCK_SKEW_MS, until }, at) ? set.keys.get(keyId) : undefined
  }

  #place(url: string): Directory {
    const known = this.#held.get(url)
    if (known !== undefined) {
      this.#held.delete(url)
      this.#held.set(url, known)
      return known
    }
    if (this.#held.size >= this.#limits.directories) this.#dropOne()
    // oxfmt-ignore
    const directory: Directory = {
      set: undefined, freshUntil: -Infinity, retryAt: -Infinity, failures: 0, problem: '', pending: undefined,
    }
    this.#held.set(url, directory)
    return directory
  }

  /** One that gave nothing goes before one that did: inventing URLs must not push out those that are used. */
  #dropOne(): void {
    let first: string | undefined
    for (const [url, { set, pending }] of this.#held) {
      first ??= url
      if (set === undefined && pending === undefined) {
        first = url
        break
      }
    }
    if (first !== undefined) this.#held.delete(first)
  }

  /** Those who come while it is being fetched wait for the same answer. */
  async #refresh(url: string, directory: Directory, at: Instant): Promise<void> {
    if (directory.pending !== undefined) return await directory.pending
    if (at < directory.retryAt) return
    if (this.#fetching >= this.#limits.fetches || !this.#mayAsk(url, at)) {
      directory.problem ||= 'too many key directories are being asked for just now'
      if (directory.set === undefined) directory.retryAt = at + FIRST_RETRY_MS
      return
    }
    this.#fetching++
    directory.pending = this.#read(url, directory, at).finally(() => {
      this.#fetching--
      directory.pending = undefined
    })
    await directory.pending
  }

  async #read(url: string, directory: Directory, at: Instant): Promise<void> {
    const fetched = await this.#fetched(url)
    const set = typeof fetched === 'string' || fetched.status !== 200 ? undefined : readKeySet(fetched.body)
    if (set !== undefined && 'keys' in set && typeof fetched !== 'string') {
      const { minFreshMs, maxFreshMs } = this.#limits
      const freshMs = Math.min(Math.max(maxAgeMs(fetched.headers), minFreshMs), maxFreshMs)
      Object.assign(directory, { set, freshUntil: at + freshMs, failures: 0, problem: '' })
      // A key that is not there may come a moment later, when keys are rotated.
      directory.retryAt = at + Math.min(MINUTE_MS, minFreshMs)
      return
    }
    directory.failures++
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (directory.failures - 1), MAX_RETRY_MS)
    const asked = typeof fetched === 'string' ? undefined : retryAfter(headerOf(fetched.headers, 'retry-after'), at)
    directory.retryAt = Math.min(Math.max(at + backoffMs, asked ?? 0), at + MAX_RETRY_MS)
    directory.problem = `${url} ${problemOf(fetched, set)}`
  }

  async #fetched(url: string): Promise<FetchedKeys | string> {
    try {
      return await this.#fetch(url)
    } catch (error) {
      return `cannot be had (${(error as Error).message})`
    }
  }

  /** A site that verifies must not be a way to make it knock at somebody's endpoint. */
  #mayAsk(url: string, at: Instant): boolean {
    const host = URL.parse(url)?.host ?? ''
    if (this.#hosts.size >= this.#limits.directories)
      for (const [name, { since }] of this.#hosts) if (at - since >= MINUTE_MS) this.#hosts.delete(name)
    const before = this.#hosts.get(host)
    const asked = before === undefined || at - before.since >= MINUTE_MS ? { count: 0, since: at } : before
    if (asked.count >= this.#limits.hostFetches || (before === undefined && this.#hosts.size >= MAX_HOSTS)) return false
    asked.count++
    this.#hosts.set(host, asked)
    return true
  }
}

/** Hosts asked within a minute: with eight at a time nobody comes near it. */
const MAX_HOSTS = 10_000

function problemOf(fetched: FetchedKeys | string, set: ReturnType<typeof readKeySet> | undefined): string {
  if (typeof fetched === 'string') return fetched
  if (fetched.status !== 200) return `answered ${fetched.status}: keys must be served with 200, without a redirect`
  return `holds no keys: ${set !== undefined && 'problem' in set ? set.problem : 'it is empty'}`
}

/** RFC 9111 §5.2.2.1; an hour for whoever does not say. */
function maxAgeMs(headers: HeaderList): number {
  const control = combinedField(headers, 'cache-control') ?? ''
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0
  const seconds = /\bmax-age="?(\d{1,10})/i.exec(control)?.[1]
  return seconds === undefined ? 3_600_000 : Number(seconds) * 1_000
}
