/**
 * Signature component: one part of a message that a signature covers (RFC 9421 §2), and what it is in a given message.
 *
 * Identifiers are written here as in the RFC, without the quotes round their name:
 *
 *   @method   content-digest   signature-agent;key="sig1"   @authority;req
 *
 * Paths and queries count as they were sent, byte by byte: whoever normalises them could be shown another page than the
 * one that was signed for.
 */
import {
  isInnerList,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
  serializeParameters,
} from 'structured-headers'
import type { Item, Parameters } from 'structured-headers'
import type { HeaderList } from '../capture.ts'

/** A request, as far as it can be signed. */
export interface SignedMessage {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderList
}

/** An answer, with the request that it answers. */
export interface SignedAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly request: SignedMessage
}

export interface Component {
  readonly name: string
  readonly parameters: Parameters
  /** The identifier without its quotes. */
  readonly text: string
}

/** Nobody writes longer structured fields; reading them takes time for every character. */
export const MAX_SIGNATURE_FIELD_CHARS = 8_192

const NAME = /^@?[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/** What an item of a Signature-Input list names; undefined when it is no name of a component. */
export function componentOf([name, parameters]: Item): Component | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) return undefined
  return { name, parameters, text: `${name}${serializeParameters(parameters)}` }
}

/** `signature-agent;key="sig1"`, read; undefined when it is no identifier. */
export function parseComponent(text: string): Component | undefined {
  const [name = '', ...rest] = text.split(';')
  try {
    return componentOf(parseItem([`"${name}"`, ...rest].join(';')))
  } catch {
    // Not the form of an identifier, so it names nothing.
    return undefined
  }
}

/** As it stands in the signature base and in Signature-Input. */
export const componentItem = ({ name, parameters }: Component): Item => [name, parameters]

/** One line of the signature base (§2.5); undefined when the message has no such part, or none that can be told. */
export function componentLine(message: SignedMessage | SignedAnswer, component: Component): string | undefined {
  const value = componentValue(message, component)
  if (value === undefined || !VALUE.test(value)) return undefined
  return `${serializeItem(componentItem(component))}: ${value}\n`
}

/** A line feed in a value would begin another line of the base. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function componentValue(message: SignedMessage | SignedAnswer, component: Component): string | undefined {
  const { name, parameters } = component
  const isOfRequest = parameters.get('req') === true
  if (parameters.has('req') && (!isOfRequest || !('request' in message))) return undefined
  const part = isOfRequest && 'request' in message ? message.request : message
  const others = [...parameters.keys()].filter((key) => key !== 'req')
  if (!name.startsWith('@')) return fieldValue(part.headers, name, others, parameters)
  if (name === '@query-param') return others.length === 1 ? queryParameter(part, parameters.get('name')) : undefined
  return others.length === 0 ? derivedValue(part, name) : undefined
}

/** Of all the parameters that a field may have only `key` (§2.1.2) is known here; the others cannot be checked. */
function fieldValue(
  headers: HeaderList,
  name: string,
  others: readonly string[],
  parameters: Parameters,
): string | undefined {
  const lines = headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value.trim())
  if (lines.length === 0) return undefined
  const whole = lines.join(', ')
  if (others.length === 0) return whole
  const key = parameters.get('key')
  return others.length === 1 && typeof key === 'string' ? dictionaryMember(whole, key) : undefined
}

function dictionaryMember(field: string, key: string): string | undefined {
  if (field.length > MAX_SIGNATURE_FIELD_CHARS) return undefined
  try {
    const member = parseDictionary(field).get(key)
    if (member === undefined) return undefined
    return isInnerList(member) ? serializeInnerList(member) : serializeItem(member)
  } catch {
    // Not a dictionary: it has no members.
    return undefined
  }
}

/** §2.2. Undefined for names that are unknown, or not of this kind of message. */
function derivedValue(message: SignedMessage | SignedAnswer, name: string): string | undefined {
  if ('status' in message) return name === '@status' ? String(message.status) : undefined
  const parts = urlParts(message.url)
  if (parts === undefined) return undefined
  const { scheme, authority, path, query } = parts
  switch (name) {
    case '@method':
      return message.method
    case '@target-uri':
      return `${scheme}://${authority}${path}${query}`
    case '@authority':
      return authority
    case '@scheme':
      return scheme
    case '@request-target':
      return `${path}${query}`
    case '@path':
      return path
    case '@query':
      // "If the query string is absent, the value is the leading ? alone" is how §2.2.7 has it.
      return query === '' ? '?' : query
    default:
      return undefined
  }
}

interface UrlParts {
  readonly scheme: string
  readonly authority: string
  readonly path: string
  /** With its question mark; empty when there is none. */
  readonly query: string
}

const URL_PARTS = /^(https?):\/\/([^/?#@\\\s]+)(\/[^?#\s]*)?(\?[^#\s]*)?(?:#.*)?$/i

function urlParts(url: string): UrlParts | undefined {
  const [, scheme = '', host = '', path = '/', query = ''] = URL_PARTS.exec(url) ?? []
  if (scheme === '') return undefined
  const lower = scheme.toLowerCase()
  // The default port is left out (§2.2.3).
  const authority = host.toLowerCase().replace(lower === 'https' ? /:(?:443)?$/ : /:(?:80)?$/, '')
  return { scheme: lower, authority, path, query }
}

/** §2.2.8: read as a form, and encoded anew. One that comes twice cannot be told apart from its twin. */
function queryParameter(message: SignedMessage | SignedAnswer, name: unknown): string | undefined {
  if ('status' in message || typeof name !== 'string') return undefined
  const query = urlParts(message.url)?.query
  if (query === undefined) return undefined
  const values = [...new URLSearchParams(query)].filter(([key]) => encoded(key) === name)
  return values.length === 1 ? encoded(values[0]![1]) : undefined
}

const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
