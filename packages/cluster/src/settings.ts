/** Settings: what a cluster is, said once by `init`, and what it is to crawl, said by `crawl --cluster`. Both are records of the register. */
import { isAmount, isCount, isText, isListOf, isMaybe, isOneOf, isRecordOf } from '@comity/collection'
import { orderNamed } from '@comity/frontier'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { textOf } from '@comity/protocol'
import { MIN_LEASE_MS } from './clock.ts'
import { clusterError } from './errors.ts'
import { MAX_SHARDS } from './placement.ts'
import type { Message, Register } from './road/road.ts'

/**
 * What the whole may speak, which every machine of it must: 2 has budgets of bytes, and commands on all shards at once. A machine of an
 * earlier version refuses a cluster whose format it does not know.
 */
export const FORMATS: readonly number[] = [1, 2]
const NEWEST = FORMATS.at(-1)!
/** A record goes through one message, a megabyte for NATS unless told otherwise. */
export const MAX_JOB_CHARS = 700_000

export interface ClusterSettings {
  readonly format: number
  readonly name: string
  /** Fixed for good: where pages are at home follows from it. */
  readonly shards: number
  /** A folder that every machine reaches. */
  readonly vault: string
  readonly leaseMs: number
  /** How long a shard waits for its machine before another one takes it: a reboot must not copy gigabytes. */
  readonly takeOverAfterMs: number
  /** Servers that hold the register; as many as there are where it does not say. */
  readonly replicas?: number | undefined
}

/** One crawl of the whole. */
export interface Job {
  readonly number: number
  readonly state: 'running' | 'ended'
  readonly seeds: readonly string[]
  readonly options: Message
  /** 0: no limit. */
  readonly maxPages: number
  /** The same; in no record of format 1. */
  readonly maxBytes?: number | undefined
}

export const SETTINGS = 'settings'
export const JOB = 'job'
export const MACHINES = 'machines'
export const budgetKey = (job: number): string => `budget.${job}`
export const summaryKey = (job: number, shard: number): string => `summary.${job}.${shard}`

const isSettings = isRecordOf({
  format: isCount,
  name: isText,
  shards: isCount,
  vault: isText,
  leaseMs: isAmount,
  takeOverAfterMs: isCount,
})
const isJob = isRecordOf({
  number: isCount,
  state: isOneOf('running', 'ended'),
  seeds: isListOf(isText),
  options: (value) => typeof value === 'object' && value !== null,
  maxPages: isCount,
  maxBytes: isMaybe(isCount),
})
const isMachines = isRecordOf({ ids: isListOf(isText) })

/** Names are part of subjects and of streams. */
const isName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,40}$/.test(name)

function wrong(message: string): never {
  throw clusterError('CLUSTER_SETTING', message)
}

const refuse = (name: string, why: string): never => wrong(`With --cluster there is no ${name}: ${why}.`)

function requireSettings(settings: ClusterSettings): ClusterSettings {
  const { name, shards, leaseMs } = settings
  if (!isName(name)) wrong(`A cluster is called by small letters, digits, _ and -, such as web: not "${name}".`)
  if (!(shards >= 1 && shards <= MAX_SHARDS)) wrong(`--shards must be from 1 to ${MAX_SHARDS}, not ${shards}.`)
  if (leaseMs < MIN_LEASE_MS)
    wrong(`--lease must be ${MIN_LEASE_MS / 1000} s or more: a machine may be busy for a moment.`)
  return settings
}

export async function readSettings(register: Register, name: string): Promise<ClusterSettings> {
  const entry = await register.read(SETTINGS)
  if (entry === undefined || !isSettings(entry.value))
    throw clusterError(
      'CLUSTER_MISSING',
      `There is no cluster "${name}" here. Make it: comity cluster init URL --name ${name} --shards N --vault DIR`,
    )
  const settings = entry.value as unknown as ClusterSettings
  if (settings.replicas !== undefined && ![1, 3, 5].includes(settings.replicas))
    wrong(
      `The cluster "${name}" says that its register is held by ${String(settings.replicas)} servers, which cannot be.`,
    )
  if (!FORMATS.includes(settings.format))
    throw clusterError(
      'CLUSTER_SETTING',
      `The cluster "${name}" has format ${settings.format}, and this comity knows ${FORMATS.join(' and ')}: use the version that made it, or a newer one.`,
    )
  return settings
}

export async function writeSettings(
  register: Register,
  settings: Omit<ClusterSettings, 'format'> & { readonly format?: number },
): Promise<void> {
  const value = requireSettings({ format: NEWEST, ...settings })
  if ((await register.create(SETTINGS, { ...value })) === undefined)
    throw clusterError(
      'CLUSTER_EXISTS',
      `There is a cluster "${settings.name}" already; comity cluster status shows it.`,
    )
  // Nobody's from the first: where there is no record at all, one was wiped perhaps, and a lease is waited for.
  const nobodys = { owner: '', epoch: 0, beat: 0 }
  for (let n = 0; n < value.shards; n++)
    for (const key of [`shard.${n}`, `keeper.${n}`]) await register.create(key, nobodys)
}

export async function readJob(register: Register): Promise<{ job: Job; revision: number } | undefined> {
  const entry = await register.read(JOB)
  if (entry === undefined || !isJob(entry.value)) return undefined
  return { job: entry.value as unknown as Job, revision: entry.revision }
}

/** Machines that have joined, and have not left for good. */
export async function readMachines(register: Register): Promise<{ ids: readonly string[]; revision: number }> {
  const entry = await register.read(MACHINES)
  if (entry === undefined || !isMachines(entry.value)) return { ids: [], revision: entry?.revision ?? 0 }
  // Whatever stands there becomes part of a subject.
  const ids = (entry.value['ids'] as readonly string[]).filter(isName)
  return { ids, revision: entry.revision }
}

/** Whatever others write meanwhile, it is done in the end; `change` returns undefined where it is so already. */
export async function changeRecord(
  register: Register,
  key: string,
  change: (value: Message | undefined) => Message | undefined,
): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const entry = await register.read(key)
    const value = change(entry?.value)
    if (value === undefined) return
    const done = entry === undefined ? register.create(key, value) : register.replace(key, value, entry.revision)
    if ((await done) !== undefined) return
  }
  throw clusterError('CLUSTER_UNREACHABLE', `The record ${key} could not be changed: others change it all the time.`)
}

/** Orders that need to know nothing of links that other shards have found; the others come with a later version. */
const CLUSTER_ORDERS: readonly string[] = ['depth', 'fifo', 'length', 'location', 'random', 'webbase']

/** Options that a cluster cannot share yet, and why. */
const REFUSED: readonly (readonly [key: keyof CrawlOptions, why: string])[] = [
  ['hooks', 'a hook is a program of one machine'],
  ['identity', 'a key is a secret of one machine'],
  ['watch', 'a cluster does not keep fresh yet'],
  ['batch', 'batches are of one queue'],
  ['keep', 'importance is not compared between shards yet'],
  ['proxy', 'it may hold a password, and records are read by all machines'],
]
const SECRET_FIELDS = ['headers', 'cookie', 'basicAuth', 'proxy'] as const

/** Options of a crawl as a record: what is not usual, without what stays on one machine. Throws by name for what cannot be shared. */
export function jobOptions(given: Partial<CrawlOptions>): Message {
  for (const [key, why] of REFUSED) {
    // A function has no JSON; that there is one is seen by its name.
    const said = (options: Partial<CrawlOptions>): string =>
      JSON.stringify(key === 'hooks' ? Object.keys(options.hooks ?? {}) : options[key])
    if (given[key] !== undefined && said(given) !== said(crawlDefaults)) refuse(key, why)
  }
  const order = given.order?.name ?? 'depth'
  if (!CLUSTER_ORDERS.includes(order)) refuse(`order ${order}`, `it is one of ${CLUSTER_ORDERS.join(', ')}`)
  for (const site of given.sites ?? [])
    if (SECRET_FIELDS.some((field) => site[field] !== undefined))
      refuse(
        `secret of a site`,
        'records are read by all machines; headers, passwords and proxies come with a later version',
      )
  const shared = Object.entries(given).filter(
    ([key, value]) =>
      key !== 'seeds' &&
      key !== 'order' &&
      key !== 'maxPages' &&
      key !== 'maxBytes' &&
      !REFUSED.some(([name]) => name === key) &&
      value !== undefined &&
      value !== Infinity,
  )
  return { ...Object.fromEntries(shared), order }
}

/** The options of a shard's crawl, of a job's record. Of a rate each shard has its part, so that all together keep to it wherever they are. */
export function crawlOptionsOf({ options, seeds }: Job, shards: number): Partial<CrawlOptions> {
  const { order, ...rest } = options
  const shared = rest as Partial<CrawlOptions>
  const { bytesPerSecond } = shared
  const part = bytesPerSecond === undefined ? {} : { bytesPerSecond: Math.max(1, bytesPerSecond / shards) }
  return { ...shared, ...part, order: orderNamed(textOf(order)), seeds }
}
