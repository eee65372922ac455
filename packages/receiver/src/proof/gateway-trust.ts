/**
 * GatewayTrust: which gateways may speak here, and of which hosts. A file that the operator of the repository writes; there
 * is no other way in:
 *
 *   { "gateways": [ { "name": "campus-north", "key": { …public JWK… }, "hosts": ["*.uni.example", "intranet.uni.example:8080"] } ] }
 *
 * A host without a port stands for all of its ports, `*.uni.example` for all names below. `key` may be a list: while a key
 * is changed, both are listed. The file is looked at again now and then, so that this needs no restart; one that is spoiled
 * changes nothing and is told.
 */
import type { KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readKeySet } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { gatewaysInvalid } from '../errors.ts'

interface TrustedGateway {
  readonly name: string
  /** By thumbprint. */
  readonly keys: ReadonlyMap<string, KeyObject>
  readonly hosts: readonly string[]
}

interface GatewayTrustOptions {
  readonly now: () => Instant
  /** Told of a file that was spoiled while it was in use. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly lookMs?: number | undefined
}

const LOOK_MS = 10_000
const MAX_BYTES = 1 << 20
const MAX_GATEWAYS = 10_000
const MAX_KEYS = 4
const MAX_HOSTS = 10_000
/** Stands in tables, figures and the name of a sender. */
const NAME = /^[\w.-]{1,64}$/
const HOST = /^(?:\*\.)?(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::\d{1,5})?$/

export class GatewayTrust {
  readonly #path: string
  readonly #options: GatewayTrustOptions
  #gateways: readonly TrustedGateway[]
  #version: string
  #lookedAt: Instant

  /** Throws by name when the file is not there, or is none of gateways. */
  constructor(path: string, options: GatewayTrustOptions) {
    this.#path = path
    this.#options = options
    this.#lookedAt = options.now()
    this.#version = versionOf(path)
    this.#gateways = readFile(path)
  }

  get names(): readonly string[] {
    return this.#current.map(({ name }) => name)
  }

  /** Whose key it is. */
  keyOf(keyId: string): { readonly name: string; readonly key: KeyObject } | undefined {
    for (const { name, keys } of this.#current) {
      const key = keys.get(keyId)
      if (key !== undefined) return { name, key }
    }
    return undefined
  }

  /** Whether a gateway may speak of a page. */
  mayName(name: string, url: string): boolean {
    const host = URL.parse(url)?.host
    const gateway = this.#current.find((one) => one.name === name)
    return host !== undefined && gateway !== undefined && gateway.hosts.some((pattern) => isHost(pattern, host))
  }

  get #current(): readonly TrustedGateway[] {
    const { now, lookMs = LOOK_MS, onError } = this.#options
    if (now() - this.#lookedAt < lookMs) return this.#gateways
    this.#lookedAt = now()
    try {
      const version = versionOf(this.#path)
      if (version !== this.#version) {
        // Before it is read: a spoiled file is told once.
        this.#version = version
        this.#gateways = readFile(this.#path)
      }
    } catch (error) {
      onError?.(error)
    }
    return this.#gateways
  }
}

function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

function readFile(path: string): readonly TrustedGateway[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw gatewaysInvalid(path, unreadable(error as NodeJS.ErrnoException), error)
  }
  const read = readGateways(bytes)
  if (typeof read === 'string') throw gatewaysInvalid(path, read)
  return read
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'it is not there'
  return code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${message})`
}

/** The gateways of a file, or what is wrong with it. Never throws. */
export function readGateways(bytes: Uint8Array): readonly TrustedGateway[] | string {
  if (bytes.length > MAX_BYTES) return `it has more than ${MAX_BYTES} bytes`
  const list = listIn(Buffer.from(bytes).toString('utf8'))
  if (!Array.isArray(list)) return 'it is no JSON object with a list of "gateways"'
  if (list.length > MAX_GATEWAYS) return `it lists more than ${MAX_GATEWAYS} gateways`
  const gateways: TrustedGateway[] = []
  const [names, keys] = [new Set<string>(), new Set<string>()]
  for (const [place, entry] of (list as unknown[]).entries()) {
    const gateway = gatewayOf(entry)
    if (typeof gateway === 'string') return `gateway ${place + 1}: ${gateway}`
    if (names.has(gateway.name)) return `${gateway.name} is named twice: list its keys in one entry, "key": [ …, … ]`
    names.add(gateway.name)
    for (const keyId of gateway.keys.keys()) {
      if (keys.has(keyId)) return `${gateway.name} has a key that another gateway has: each needs its own`
      keys.add(keyId)
    }
    gateways.push(gateway)
  }
  return gateways
}

function listIn(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && 'gateways' in json ? json.gateways : undefined
  } catch {
    return undefined
  }
}

function gatewayOf(entry: unknown): TrustedGateway | string {
  if (typeof entry !== 'object' || entry === null) return 'it is no JSON object'
  const { name, key, hosts } = entry as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || !NAME.test(name))
    return 'its "name" has to be up to 64 letters, digits, dots and hyphens'
  const given: readonly unknown[] = Array.isArray(key) ? key : [key]
  const read = readKeySet(Buffer.from(JSON.stringify({ keys: given })))
  if ('problem' in read || given.length > MAX_KEYS || read.keys.size !== given.length)
    return `"key" of ${name} has to be a public Ed25519 key as JWK (\`comity gateway key\` prints it), or a list of up to ${MAX_KEYS}`
  if (!Array.isArray(hosts) || hosts.length === 0 || hosts.length > MAX_HOSTS)
    return `"hosts" of ${name} has to list the hosts that it may speak of`
  const patterns = hosts.map((host: unknown) => (typeof host === 'string' ? host.toLowerCase() : ''))
  const wrong = patterns.findIndex((pattern) => !HOST.test(pattern))
  if (wrong !== -1)
    return `${JSON.stringify(hosts[wrong]).slice(0, 100)} in "hosts" of ${name} is no host: write intranet.uni.example, *.uni.example or one with its port`
  return { name, keys: read.keys, hosts: patterns }
}

/** `host`: as in a URL, with its port when that is not the usual one. */
function isHost(pattern: string, host: string): boolean {
  const named = /:\d+$/.test(pattern) ? host : host.replace(/:\d+$/, '')
  return pattern.startsWith('*.') ? named.endsWith(pattern.slice(1)) : named === pattern
}
