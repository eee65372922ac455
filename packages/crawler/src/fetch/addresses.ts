/**
 * Addresses: from a host name to the one address we connect to, and whether we may.
 *
 * We connect to the address that was checked, never to the name, so an answer of the DNS that changes between the check
 * and the connection changes nothing. Every new connection asks again (within the time to live).
 */
import { promises as dns } from 'node:dns'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Instant } from '@comity/protocol'
import { mayVisit } from './private-address.ts'
import type { AllowPrivate } from './private-address.ts'

type Resolution =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'dns-error'; readonly message: string }
  | { readonly kind: 'address-refused'; readonly message: string }

/** All addresses of a name, with how long the answer is good for. Rejects when there are none. */
export type Lookup = (host: string) => Promise<{ readonly addresses: readonly string[]; readonly ttlMs: number }>

const MIN_TTL_MS = 30_000
const MAX_TTL_MS = 3_600_000
/** A crawl of a million hosts must not keep a million answers. */
const MAX_CACHED = 10_000
/** Addresses of one name that are worth remembering. */
const MAX_ADDRESSES = 32

interface AddressCacheOptions {
  readonly lookup?: Lookup | undefined
  readonly allowPrivate: AllowPrivate
  readonly now: () => Instant
  /** A name server that never answers costs no more than this. */
  readonly timeoutMs?: number
}

export class AddressCache {
  readonly #lookup: Lookup
  readonly #mayVisit: (address: string) => boolean
  readonly #now: () => Instant
  readonly #timeoutMs: number
  readonly #cache = new Map<string, { until: Instant; addresses: readonly string[] }>()

  constructor(options: AddressCacheOptions) {
    this.#lookup = options.lookup ?? systemLookup()
    this.#mayVisit = mayVisit(options.allowPrivate)
    this.#now = options.now
    this.#timeoutMs = options.timeoutMs ?? 10_000
  }

  async resolve(origin: string): Promise<Resolution> {
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0) return this.#choose(host, [host])
    try {
      return this.#choose(host, await this.#addressesOf(host))
    } catch (error) {
      return { kind: 'dns-error', message: `${host}: ${(error as Error).message}` }
    }
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    const cached = this.#cache.get(host)
    if (cached !== undefined && cached.until > this.#now()) return cached.addresses
    const { addresses: all, ttlMs } = await this.#ask(host)
    const addresses = all.slice(0, MAX_ADDRESSES)
    if (this.#cache.size >= MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value as string)
    const keepMs = Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS)
    this.#cache.set(host, { until: this.#now() + keepMs, addresses })
    return addresses
  }

  async #ask(host: string): ReturnType<Lookup> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('the name server did not answer in time')), this.#timeoutMs)
    try {
      return await Promise.race([this.#lookup(host), late])
    } finally {
      clearTimeout(timer)
    }
  }

  #choose(host: string, given: readonly string[]): Resolution {
    // A name server may say anything; only what is an address can be checked or connected to.
    const addresses = given.filter((one) => isIP(one) !== 0)
    const address = addresses.find(this.#mayVisit)
    if (address !== undefined) return { kind: 'address', address }
    if (addresses.length === 0) return { kind: 'dns-error', message: `${host} has no address` }
    return {
      kind: 'address-refused',
      message:
        `${host} is at ${addresses.slice(0, 3).join(', ')}, a private or reserved address, and is left alone. ` +
        `To crawl your own network, say --allow-private, or --allow-private=${addresses[0]} for this one.`,
    }
  }
}

/**
 * The hosts file, then the DNS itself. Not `dns.lookup`: it waits in the four threads that also write our files, so
 * four dead name servers would stop the disk.
 */
function systemLookup(): Lookup {
  const hosts = readHosts()
  const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })
  return async (host) => {
    const local = host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1'] : hosts.get(host)
    if (local !== undefined) return { addresses: local, ttlMs: MAX_TTL_MS }
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }),
      resolver.resolve6(host, { ttl: true }),
    ])
    const found = [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])]
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason as Error
    return { addresses: found.map((row) => row.address), ttlMs: Math.min(...found.map((row) => row.ttl * 1000)) }
  }
}

function readHosts(): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  let text = ''
  try {
    text = readFileSync('/etc/hosts', 'utf8')
  } catch {
    return hosts // A machine without a hosts file simply has no local names.
  }
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined || isIP(address) === 0) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address])
  }
  return hosts
}
