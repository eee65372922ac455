/**
 * Manifest: what an agent says of itself before it runs, for the owner to read and the host to hold it to.
 *
 *   {
 *     "name": "visible-text-change",            lower-case letters, digits and dashes
 *     "version": "1.2.0",                       three numbers; a newer one is larger
 *     "about": "Tells which pages …",           one sentence for the owner
 *     "api": 1,                                 what functions it expects
 *     "hostVersion": "0.1.0",                   and at least of which host
 *     "engine": "https://engine.example/keys",  whose it is: the URL of Signature-Agent, where the keys are
 *     "madeAt": "2026-11-15T12:00:00Z",
 *     "expiresAt": "2027-11-15T12:00:00Z",
 *     "perPage": true,                          a function of one page at a time: can be audited by sample
 *     "reads": ["pages"],                       and "log", where the owner allows it
 *     "emits": ["meta"],                        kinds of records
 *     "unaudited": ["hits"],                    fields of records that the pages alone do not tell
 *     "caps": { "cpuMs": 20000 }                asked for; the owner's limits count where they are smaller
 *   }
 *
 * Whatever bytes come, reading gives a manifest or what is wrong with it. Names that are not known are refused: an owner
 * must not sign off what this host would pass over.
 */
import type { Instant } from '@comity/protocol'
import { CAP_NAMES, capProblem } from './caps.ts'
import type { AgentCaps } from './caps.ts'

export const AGENT_API = 1
/** Of this package, which a test holds against its package.json. */
export const HOST_VERSION = '0.1.0'

export const RECORD_KINDS = ['meta', 'page', 'difference', 'postings'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

const AGENT_READS = ['pages', 'log'] as const
export type AgentRead = (typeof AGENT_READS)[number]

export interface AgentManifest {
  readonly name: string
  readonly version: string
  readonly about: string
  readonly api: number
  readonly hostVersion: string
  readonly engine: string
  readonly madeAt: Instant
  readonly expiresAt: Instant
  readonly perPage: boolean
  readonly reads: readonly AgentRead[]
  readonly emits: readonly RecordKind[]
  readonly unaudited: readonly string[]
  readonly caps: Partial<AgentCaps>
}

export type ReadManifest =
  | { readonly kind: 'manifest'; readonly manifest: AgentManifest }
  | { readonly kind: 'refused'; readonly problem: string }

const MAX_ABOUT = 500
const MAX_UNAUDITED = 32
const MAX_URL = 2_048

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const VERSION = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}$/
const FIELD = /^[A-Za-z_][\w-]{0,63}$/
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

export const isAgentName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name)

type Check = (value: unknown) => string | undefined

/** What each field must be; a check gives what is wrong. */
const CHECKS: Readonly<Record<keyof AgentManifest, Check>> = {
  name: (value) => textProblem(value, NAME, 'lower-case letters, digits and dashes, 64 at the most'),
  version: (value) => textProblem(value, VERSION, 'three numbers with points between, as in 1.0.0'),
  about: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ABOUT && !/[\p{Cc}]/u.test(value)
      ? undefined
      : `must be one line that tells the owner what it does, ${MAX_ABOUT} characters at the most`,
  api: (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be a whole number'),
  hostVersion: (value) => textProblem(value, VERSION, 'three numbers with points between, as in 0.1.0'),
  engine: (value) => (isWebUrl(value) ? undefined : 'must be the http or https URL where the engine has its keys'),
  madeAt: dateProblem,
  expiresAt: dateProblem,
  perPage: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  reads: (value) => listProblem(value, AGENT_READS),
  emits: (value) => (Array.isArray(value) && value.length === 0 ? 'is empty' : listProblem(value, RECORD_KINDS)),
  unaudited: (value) =>
    Array.isArray(value) &&
    value.length <= MAX_UNAUDITED &&
    value.every((one) => typeof one === 'string' && FIELD.test(one))
      ? undefined
      : 'must be a list of names of fields',
  caps: capsProblem,
}

/** A manifest out of JSON that was parsed already. */
export function readAgentManifest(json: unknown): ReadManifest {
  const problem = manifestProblem(json)
  if (problem !== undefined) return { kind: 'refused', problem }
  const { madeAt, expiresAt, ...rest } = json as Record<keyof AgentManifest, unknown>
  const dates = { madeAt: Date.parse(madeAt as string), expiresAt: Date.parse(expiresAt as string) }
  return { kind: 'manifest', manifest: { ...(rest as unknown as AgentManifest), ...dates } }
}

function manifestProblem(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'the manifest is no JSON object'
  const fields = json as Readonly<Record<string, unknown>>
  const given = new Map(Object.entries(fields))
  const unknown = given.keys().find((name) => !Object.hasOwn(CHECKS, name))
  if (unknown !== undefined)
    return `the manifest has a field that is not known: ${JSON.stringify(unknown.slice(0, 64))}`
  for (const [name, check] of Object.entries(CHECKS)) {
    const problem = given.has(name) ? check(given.get(name)) : 'is missing'
    if (problem !== undefined) return `"${name}" of the manifest ${problem}`
  }
  const isAfter = Date.parse(fields['expiresAt'] as string) > Date.parse(fields['madeAt'] as string)
  return isAfter ? undefined : 'the manifest expires before it was made'
}

/** As it stands in a bundle: the fields in one order, so that the same manifest is the same bytes. */
export function writeManifest(manifest: AgentManifest): string {
  const values = new Map<string, unknown>(Object.entries(manifest))
  const fields = Object.keys(CHECKS).map((name) => [name, values.get(name)])
  const dates = { madeAt: dateText(manifest.madeAt), expiresAt: dateText(manifest.expiresAt) }
  const caps = Object.fromEntries(
    CAP_NAMES.flatMap((name) => (name in manifest.caps ? [[name, manifest.caps[name]]] : [])),
  )
  return JSON.stringify({ ...Object.fromEntries(fields), ...dates, caps }, undefined, 2)
}

/** Negative when the first is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const place = [0, 1, 2].find((i) => left![i] !== right![i])
  return place === undefined ? 0 : left![place]! - right![place]!
}

const dateText = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`

function textProblem(value: unknown, pattern: RegExp, wanted: string): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? undefined : `must be ${wanted}`
}

function dateProblem(value: unknown): string | undefined {
  // A date that no calendar has, such as 30 February, is moved to another by the parser: it must come back as it was.
  const isDate = typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
  return isDate && dateText(Date.parse(value)) === value ? undefined : 'must be a time like 2026-11-15T12:00:00Z'
}

function listProblem(value: unknown, names: readonly string[]): string | undefined {
  const isList =
    Array.isArray(value) && value.every((one) => names.includes(one)) && new Set(value).size === value.length
  return isList ? undefined : `must be a list of ${names.join(', ')}`
}

function capsProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object of caps'
  for (const [name, cap] of Object.entries(value)) {
    const known = CAP_NAMES.find((one) => one === name)
    if (known === undefined) return `has a cap that is not known: ${JSON.stringify(name.slice(0, 64))}`
    const problem = capProblem(known, typeof cap === 'number' ? cap : Number.NaN)
    if (problem !== undefined) return `asks for what cannot be: ${problem}`
  }
  return undefined
}

function isWebUrl(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= MAX_URL ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.href === value
}
