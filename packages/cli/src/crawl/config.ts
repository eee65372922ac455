/**
 * Crawl config: what a config file can say about a crawl beyond its flags. Values that may be secrets (headers, cookies,
 * passwords, proxies) never stand in a message.
 */
import { crawlDefaults, isFieldName, isFieldValue, parseOrigin, secretsNeedOrigin } from '@comity/crawler'
import type { SiteOverride } from '@comity/crawler'
import { isParameterName, urlRuleLimits } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { asList, asString, asText, isPlainObject, readObject } from '../config-file.ts'
import type { LimitSettings } from './flags.ts'
import { parseProxy } from '../terminal/proxy-url.ts'
import { countFrom, parseBytes, parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

interface SiteEntry extends Omit<Required<SiteOverride>, 'delayMs'> {
  readonly delay: number
}

export function readSites(json: unknown): readonly SiteOverride[] {
  return asList(json).map((entry, i) => {
    try {
      return readSite(entry)
    } catch (error) {
      if (error instanceof BadValue) throw new BadValue(`number ${i + 1} ${error.message}`, { cause: error })
      throw error
    }
  })
}

function readSite(json: unknown): SiteOverride {
  const { delay, ...rest } = readObject<SiteEntry>(json, {
    host: asHost,
    origin: asOrigin,
    delay: asText(parseDuration),
    pagesPerConnection: asText(countFrom(1)),
    maxPages: asText(countFrom(1)),
    maxBytes: asText(parseBytes),
    maxDepth: asText(countFrom(0)),
    dropParameters: asParameters,
    keepParameters: asParameters,
    dropSessionIds: asBoolean,
    headers: asHeaders,
    cookie: asHeaderValue,
    basicAuth: asCredentials,
    proxy: asText(parseProxy),
    insecureTls: asBoolean,
  })
  const { host, origin } = rest
  if (host === undefined && origin === undefined) throw new BadValue('names no "origin" and no "host"')
  if (host !== undefined && origin !== undefined) throw new BadValue('names an "origin" and a "host": one is enough')
  const hasSecrets = [rest.headers, rest.cookie, rest.basicAuth].some((secret) => secret !== undefined)
  if (host !== undefined && hasSecrets) throw new BadValue(secretsNeedOrigin(host))
  return { ...rest, ...(delay === undefined ? {} : { delayMs: delay }) }
}

interface LimitEntry {
  readonly connectTimeout: number
  readonly headersTimeout: number
  readonly bodyTimeout: number
  readonly totalTimeout: number
  readonly maxBody: number
  readonly maxHeaders: number
  readonly maxDecoded: number
}

export function readLimits(json: unknown): LimitSettings {
  const [time, size] = [asText(parseDuration), asText(parseBytes)]
  const given = readObject<LimitEntry>(json, {
    connectTimeout: time,
    headersTimeout: time,
    bodyTimeout: time,
    totalTimeout: time,
    maxBody: size,
    maxHeaders: size,
    maxDecoded: size,
  })
  const { limits, maxDecodedBytes } = crawlDefaults
  return {
    connectTimeoutMs: given.connectTimeout ?? limits.connectTimeoutMs,
    headersTimeoutMs: given.headersTimeout ?? limits.headersTimeoutMs,
    bodyTimeoutMs: given.bodyTimeout ?? limits.bodyTimeoutMs,
    totalTimeoutMs: given.totalTimeout ?? limits.totalTimeoutMs,
    maxBodyBytes: given.maxBody ?? limits.maxBodyBytes,
    maxHeaderBytes: given.maxHeaders ?? limits.maxHeaderBytes,
    maxDecodedBytes: given.maxDecoded ?? maxDecodedBytes,
  }
}

/** Those of all sites; what differs for one stands with it. */
type UrlSettings = Pick<UrlRules, 'dropParameters' | 'dropSessionIds' | 'maxLength'>

export function readUrlRules(json: unknown): Partial<UrlSettings> {
  return readObject<UrlSettings>(json, {
    dropParameters: asParameters,
    dropSessionIds: asBoolean,
    maxLength: asText(countFrom(100)),
  })
}

function asParameters(json: unknown): readonly string[] {
  const names = asList(json).map(asString)
  const odd = names.find((name) => !isParameterName(name))
  if (odd !== undefined)
    throw new BadValue(`has "${odd}", which is no name of a query parameter: write sid, or ref* for all that begin so`)
  if (names.length > urlRuleLimits.names) throw new BadValue(`has more than ${urlRuleLimits.names} names`)
  return names
}

function asHost(json: unknown): string {
  const host = asString(json).toLowerCase()
  if (/^(?:\*\.)?[a-z0-9_.-]+$|^\[[0-9a-f:.]+\]$/.test(host)) return host
  throw new BadValue('is no host: write www.example.org or *.example.org, without http:// or a port')
}

function asOrigin(json: unknown): string {
  const parsed = parseOrigin(asString(json))
  if ('problem' in parsed) throw new BadValue(parsed.problem)
  return parsed.origin
}

function asBoolean(json: unknown): boolean {
  if (typeof json === 'boolean') return json
  throw new BadValue('is neither true nor false')
}

function asHeaders(json: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(json)) throw new BadValue('is not an object of header names and values')
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (!isFieldName(name)) throw new BadValue(`has the header name "${name}", which cannot be sent`)
      return [name.toLowerCase(), asHeaderValue(value)]
    }),
  )
}

function asHeaderValue(json: unknown): string {
  const value = asString(json)
  if (isFieldValue(value)) return value
  throw new BadValue('cannot be sent: use plain letters on one line')
}

function asCredentials(json: unknown): string {
  const value = asString(json)
  if (value.indexOf(':') > 0) return value
  throw new BadValue('is not "user:password"')
}
