/**
 * Row shape: whether a row is one of ours, by the fields that code relies on. A collection may be a stranger's, and whoever
 * reads its rows takes a number for a number: it is looked at once, where it is decoded (`rows/state.ts`). What a number or a text
 * says is for whoever reads it; only instants that are none are not let through, as no date can be made of them.
 *
 * Fields that are not named here are nobody's: later versions add some.
 */
import { ownValue } from '@comity/protocol'
import { collectionDamaged } from '../errors.ts'

export interface Shape {
  (value: unknown): boolean
  /** Names of the record that it is, or is a list or a map of. */
  readonly fields?: readonly string[] | undefined
}

const MAX_INSTANT = 8.64e15

export const isText: Shape = (value) => typeof value === 'string'
export const isFlag: Shape = (value) => typeof value === 'boolean'
export const isNumber: Shape = Number.isFinite
export const isInstant: Shape = (value) => typeof value === 'number' && value >= -MAX_INSTANT && value <= MAX_INSTANT
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0
/** Of time, or a second: none or less would divide by nothing. */
export const isAmount: Shape = (value) => typeof value === 'number' && value > 0 && value < Infinity
/** Since 1970. */
export const isHour: Shape = (value) => isCount(value) && isInstant((value as number) * 3_600_000)
export const isBytes: Shape = (value) => value instanceof Uint8Array

export const isMaybe =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value)

export const isListOf = (shape: Shape): Shape =>
  named(shape.fields, (value) => Array.isArray(value) && value.every((one) => shape(one)))

/** By any name. */
export const isMapOf = (shape: Shape): Shape =>
  named(shape.fields, (value) => isObject(value) && Object.values(value).every((one) => shape(one)))

export const isOneOf = (...values: readonly unknown[]): Shape => {
  const set = new Set(values)
  return (value) => set.has(value)
}

export function isRecordOf(fields: Readonly<Record<string, Shape>>): Shape {
  const checks = Object.entries(fields)
  const isOne: Shape = (value) => isObject(value) && checks.every(([name, shape]) => shape(ownValue(value, name)))
  return named(Object.keys(fields), isOne)
}

function named(fields: readonly string[] | undefined, shape: (value: unknown) => boolean): Shape {
  return Object.assign(shape, { fields })
}

/** The value, which is of that shape; whoever wrote another did not write this collection with comity. */
export function requireShape(what: string, value: unknown, shape: Shape): unknown {
  if (value === undefined || shape(value)) return value
  throw collectionDamaged(`${what} is not such as comity writes.`)
}

/** None of JavaScript's own kinds, which msgpack can also hold. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

const isPosition: Shape = (value) => {
  const { file, offset, length } = isObject(value) ? value : NONE
  return isCount(file) && isCount(offset) && isCount(length)
}
const NONE: Readonly<Record<string, unknown>> = {}

const isMaybeText = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isMaybeFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean'
const isMaybeNumber = (value: unknown): boolean => value === undefined || Number.isFinite(value)
const isMaybeInstant = (value: unknown): boolean => value === undefined || isInstant(value)
const isMaybePosition = (value: unknown): boolean => value === undefined || isPosition(value)

/** Written out: there are millions of them, and a name that stands in the code is found at once. */
const isPage: Shape = (row) =>
  isObject(row) &&
  isCount(row['site']) &&
  isText(row['outcome']) &&
  isNumber(row['status']) &&
  (row['told'] === undefined || isAnswerKind(row['told'])) &&
  isInstant(row['visitedAt']) &&
  isNumber(row['visits']) &&
  isNumber(row['changes']) &&
  isNumber(row['bytes']) &&
  areTimings(row['timings']) &&
  isMaybeInstant(row['servedAt']) &&
  isMaybeInstant(row['changedAt']) &&
  isMaybeText(row['digest']) &&
  (row['contentKey'] === undefined || isBytes(row['contentKey'])) &&
  isMaybeText(row['type']) &&
  isMaybeText(row['charset']) &&
  isMaybeText(row['language']) &&
  isMaybeText(row['title']) &&
  isMaybeText(row['etag']) &&
  isMaybeText(row['lastModified']) &&
  isMaybeText(row['dictionary']) &&
  isMaybeText(row['redirectTo']) &&
  isMaybeNumber(row['hops']) &&
  isMaybeText(row['canonical']) &&
  isMaybeFlag(row['noindex']) &&
  isMaybeFlag(row['noarchive']) &&
  isMaybeFlag(row['nofollow']) &&
  isMaybeFlag(row['needsScripts']) &&
  (row['simhash'] === undefined || isHash(row['simhash'])) &&
  isMaybeNumber(row['similarity']) &&
  isMaybeFlag(row['isHot']) &&
  (row['nearDuplicateOf'] === undefined || isCount(row['nearDuplicateOf'])) &&
  isMaybeText(row['problem']) &&
  isMaybeFlag(row['isDropped']) &&
  isMaybePosition(row['body'])

const isAnswerKind: Shape = (value) => isObject(value) && isText(value['outcome']) && isNumber(value['status'])

const areTimings: Shape = (value) =>
  isObject(value) &&
  isMaybeNumber(value['connectMs']) &&
  isMaybeNumber(value['firstByteMs']) &&
  isMaybeNumber(value['transferMs'])

const isHash: Shape = (value) => Array.isArray(value) && value.length === 2 && isNumber(value[0]) && isNumber(value[1])

const isCapture: Shape = (row) =>
  isObject(row) &&
  isText(row['source']) &&
  isMaybeText(row['scheme']) &&
  isText(row['outcome']) &&
  isNumber(row['status']) &&
  isMaybeText(row['digest']) &&
  isNumber(row['bytes']) &&
  isMaybePosition(row['record']) &&
  isMaybePosition(row['body']) &&
  isMaybeText(row['problem']) &&
  isMaybeText(row['why'])

const isPrerequisite = isRecordOf({
  kind: isOneOf('robots', 'sitemap', 'question'),
  onBehalfOf: isCount,
  path: isText,
  hops: isNumber,
  question: isMaybe(isNumber),
})

/** Its clocks are the frontier's, who also writes that one never comes. */
const isSite = isRecordOf({
  // Pages at home in another shard stand together, by their whole URL.
  origin: (value) => typeof value === 'string' && (value === '' || URL.canParse(value)),
  address: isMaybe(isText),
  readyAt: isMaybe(isReal),
  askedUntil: isMaybe(isReal),
  crawlDelayMs: isMaybe(isReal),
  strikes: isMaybe(isReal),
  visited: isMaybe(isReal),
  bytes: isMaybe(isReal),
  gateUntil: isMaybe(isReal),
  sitemaps: isMaybe(isListOf(isPrerequisite)),
})

function isReal(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value)
}

/** Of each table whose rows are values of ours; others hold bytes, or what their readers know the shape of. */
export const ROW_SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['sites', isSite],
  ['addresses', isReal],
  [
    'robots',
    isRecordOf({
      fetchedAt: isInstant,
      expiresAt: isReal,
      status: isNumber,
      verdict: isOneOf('rules', 'allow-all', 'disallow-all'),
      body: isBytes,
    }),
  ],
  ['pages', isPage],
  ['captures', isCapture],
  ['bodies', (row) => isPosition(row) && isBody(row)],
])

const isBody = isRecordOf({ url: isText, at: isInstant })
