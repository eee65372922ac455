/**
 * ProgramList: which programs gateways are to run, as the operator of the repository writes it:
 *
 *   { "programs": [ {
 *       "name": "news-rules",
 *       "gateways": ["campus-north", "campus-south"],                 licensed for it; without this line, all that are trusted
 *       "maxFaults": 5,                                               so many, and a version is withdrawn everywhere
 *       "versions": [                                                 the newest last
 *         { "bundle": "news-rules-1.0.0.agent" },
 *         { "bundle": "news-rules-1.1.0.agent", "share": 0.1, "gateways": ["campus-north"] }
 *   ] } ] }
 *
 * A gateway runs the newest version that it is nominated for: by name, or by a share of all of them. Which ones are in a share
 * follows from a hash of bundle and gateway, so that a larger share has all of the smaller one in it, and each version tries
 * its luck elsewhere. Bundles stand beside the file.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readBundle } from '@comity/agent'
import { pathInside } from '@comity/disk'

export interface ProgramVersion {
  readonly version: string
  readonly digest: string
  readonly bytes: Uint8Array
  /** From 0 to 1. */
  readonly share: number
  readonly gateways: readonly string[]
}

export interface Program {
  readonly name: string
  /** Undefined: all that are trusted. */
  readonly gateways: readonly string[] | undefined
  readonly maxFaults: number
  readonly versions: readonly ProgramVersion[]
}

const MAX_BYTES = 1 << 20
const MAX_PROGRAMS = 100
const MAX_VERSIONS = 50
const MAX_FAULTS = 5
const FILE = /^[\w.-]{1,128}\.agent$/
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** The version that a gateway is nominated for; undefined when there is none for it. */
export function nominatedVersion(
  { versions, gateways }: Program,
  gateway: string,
  isWithdrawn: (digest: string) => boolean,
): ProgramVersion | undefined {
  if (gateways !== undefined && !gateways.includes(gateway)) return undefined
  return versions.findLast(
    (one) => !isWithdrawn(one.digest) && (one.gateways.includes(gateway) || placeOf(one.digest, gateway) < one.share),
  )
}

/** From 0 to 1, always the same for a bundle and a gateway. */
const placeOf = (digest: string, gateway: string): number =>
  hash('sha256', `${digest} ${gateway}`, 'buffer').readUInt32BE() / 2 ** 32

/** The programs of a file, or what is wrong with it. Never throws. */
export function readProgramList(path: string): readonly Program[] | string {
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MAX_BYTES) return `it has more than ${MAX_BYTES} bytes`
    const json: unknown = JSON.parse(bytes.toString('utf8'))
    const list = isObject(json) ? json['programs'] : undefined
    if (!Array.isArray(list) || list.length > MAX_PROGRAMS) return 'it is no JSON object with a list of "programs"'
    const programs = list.map((entry: unknown) => programOf(entry, dirname(path)))
    const wrong = programs.find((one) => typeof one === 'string')
    if (wrong !== undefined) return wrong
    const names = programs.map((one) => (one as Program).name)
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    return twice === undefined ? (programs as Program[]) : `${twice} is there twice`
  } catch (error) {
    return `it cannot be read (${(error as Error).message})`
  }
}

function programOf(entry: unknown, folder: string): Program | string {
  if (!isObject(entry)) return 'a program is no JSON object'
  const { name, gateways, maxFaults = MAX_FAULTS, versions, ...others } = entry
  if (typeof name !== 'string' || !NAME.test(name))
    return 'a program has no "name" of lower-case letters, digits and dashes'
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return `${name} has a field that is not known: ${unknown.slice(0, 64)}`
  if (gateways !== undefined && !isNames(gateways)) return `"gateways" of ${name} has to list names of gateways`
  if (!Number.isSafeInteger(maxFaults) || (maxFaults as number) < 1) return `"maxFaults" of ${name} has to be 1 or more`
  if (!Array.isArray(versions) || versions.length === 0 || versions.length > MAX_VERSIONS)
    return `"versions" of ${name} has to list up to ${MAX_VERSIONS} bundles`
  const read = versions.map((one: unknown) => versionOf(one, name, folder))
  const wrong = read.find((one) => typeof one === 'string')
  if (wrong !== undefined) return wrong
  return { name, gateways, maxFaults: maxFaults as number, versions: read as ProgramVersion[] }
}

function versionOf(entry: unknown, name: string, folder: string): ProgramVersion | string {
  if (!isObject(entry)) return `a version of ${name} is no JSON object`
  const { bundle: file, gateways = [], share = 'gateways' in entry ? 0 : 1 } = entry
  const path = pathInside(folder, file)
  if (typeof file !== 'string' || !FILE.test(file) || path === undefined)
    return `"bundle" of ${name} has to be a file beside this one, NAME.agent`
  if (!isNames(gateways)) return `"gateways" of ${file} has to list names of gateways`
  if (typeof share !== 'number' || !(share >= 0 && share <= 1)) return `"share" of ${file} has to be from 0 to 1`
  const bytes = readFileSync(path)
  const read = readBundle(bytes)
  if (read.kind === 'refused') return `${file} is no program: ${read.problem}`
  const { manifest, digest, signatures } = read.bundle
  if (manifest.name !== name) return `${file} is ${manifest.name} and not ${name}`
  if (signatures.length === 0)
    return `${file} is not signed, so that no gateway would take it: \`comity agent sign\` does`
  return { version: manifest.version, digest, bytes, share, gateways }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one))
