/**
 * Stored shapes: what the crawler's own rows in a collection look like, field by field as their types say, since a collection
 * may be a stranger's. They are looked at where they are read (`Collection.fact`, `Collection.cooperation`).
 */
import {
  isAmount,
  isBytes,
  isCount,
  isFlag,
  isHour,
  isInstant,
  isNumber,
  isText,
  isListOf,
  isMapOf,
  isMaybe,
  isOneOf,
  isRecordOf,
} from '@comity/collection'
import type { Shape } from '@comity/collection'

const isCounts = isMapOf(isNumber)
const isNumbers = isListOf(isNumber)
const tupleOf =
  (...parts: readonly Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === parts.length && parts.every((part, i) => part(value[i]))

export const isTotals: Shape = isRecordOf({
  pages: isNumber,
  bytes: isNumber,
  links: isNumber,
  requests: isNumber,
  outcomes: isCounts,
  needsScripts: isMaybe(isRecordOf({ pages: isCount, examples: isListOf(isCount) })),
})

export const isReadingFact: Shape = isRecordOf({
  version: isNumber,
  at: isInstant,
  halfLifeMs: isAmount,
  hours: isListOf(isRecordOf({ hour: isHour, people: isNumber, robots: isNumber })),
})

export const isGatewayRows: Shape = isMapOf(
  isRecordOf({
    runs: isListOf(isRecordOf({ run: isText, upTo: isNumber, above: isNumbers, lastAt: isInstant })),
    batches: isNumber,
    repeated: isNumber,
    lastAt: isInstant,
    passedAt: isInstant,
    bytes: isNumber,
    pages: isNumber,
    htmlBytes: isNumber,
    skipped: isCounts,
    outcomes: isCounts,
    people: isNumber,
    robots: isNumber,
    avoidedRequests: isNumber,
    avoidedBytes: isNumber,
  }),
)

const isDelay = isRecordOf({ count: isNumber, p50Ms: isNumber, p99Ms: isNumber })
const isPushFigures = isRecordOf({
  outcomes: isCounts,
  bytes: isNumber,
  perSecond: isNumber,
  delayP50Ms: isNumber,
  delayP99Ms: isNumber,
  searchable: isMaybe(isDelay),
  subscriptions: isRecordOf({ active: isNumber, asked: isNumber }),
  doors: isMaybe(
    isRecordOf({
      accepted: isNumber,
      acceptedBytes: isNumber,
      byDoor: isCounts,
      refused: isCounts,
      ignored: isNumber,
      waiting: isNumber,
      waitingBytes: isNumber,
      pending: isNumber,
      fill: isNumber,
    }),
  ),
})

export const isWatchMemory: Shape = isRecordOf({
  at: isInstant,
  price: isNumber,
  // Without a budget of bytes there is no end to them.
  bytesPerSecond: (value) => value === Infinity || isAmount(value),
  sample: isRecordOf({
    policy: isText,
    requestsPerSecond: isAmount,
    dayMs: isAmount,
    pages: isNumber,
    freshness: isNumber,
    ageSeconds: isNumber,
    requests: isNumber,
    bytes: isNumber,
    needless: isNumber,
    schemes: isMapOf(isRecordOf({ requests: isNumber, bytes: isNumber, changed: isNumber, unchanged: isNumber })),
    signals: isMapOf(isRecordOf({ news: isNumber, known: isNumber })),
    pushes: isMaybe(isPushFigures),
    gateways: isMaybe(isGatewayRows),
  }),
})

const isTrust = isRecordOf({
  version: isOneOf(1),
  at: isInstant,
  rates: isRecordOf({ pageDays: isNumber, hidden: isNumber, channels: isListOf(tupleOf(isText, isNumber, isNumber)) }),
  audits: isRecordOf({ found: isNumber, expected: isNumber }),
  silence: isRecordOf({ strikes: isNumber, struckAt: isInstant, doubtedUntil: isInstant }),
  fit: isRecordOf({ theta: isNumbers, quiet: isNumbers, cells: isListOf(tupleOf(isText, isNumber, isNumbers)) }),
  channels: isListOf(
    isRecordOf({
      channel: isText,
      heard: isNumber,
      confirmed: isNumber,
      strikes: isNumber,
      struckAt: isInstant,
      quarantine: isMaybe(isRecordOf({ until: isInstant, reason: isText })),
      dayFrom: isInstant,
      dayPages: isNumber,
      mass: isMaybe(isRecordOf({ asked: isNumber, sampled: isNumber, changed: isNumber, cleared: isFlag })),
      contentLies: isNumber,
      contentDoubtedUntil: isInstant,
    }),
  ),
  recall: isMaybe(
    isListOf(isRecordOf({ channel: isText, told: isNumber, missed: isNumber, listenedAt: isMaybe(isInstant) })),
  ),
})

const isPace = isRecordOf({ looks: isNumber, withNews: isNumber, ms: isNumber })

const isOffers = isRecordOf({
  lookedAt: isInstant,
  lookAgainAt: isInstant,
  offers: isListOf(
    isRecordOf({
      kind: isText,
      url: isText,
      also: isMaybe(isListOf(isText)),
      checkedAt: isInstant,
      bytes: isMaybe(isNumber),
      idleBytes: isMaybe(isNumber),
      requests: isMaybe(isNumber),
      news: isNumber,
      failures: isNumber,
      problem: isMaybe(isText),
      restsUntil: isInstant,
      bringFailures: isMaybe(isNumber),
      bringProblem: isMaybe(isText),
      bringsAgainAt: isMaybe(isInstant),
      pace: isMaybe(isPace),
    }),
  ),
  dictionary: isMaybe(isText),
  push: isMaybe(isRecordOf({ hub: isText, topics: isMapOf(isMaybe(isText)) })),
  token: isMaybe(isText),
  method: isMaybe(isText),
  changesUntil: isMaybe(isInstant),
  openList: isMaybe(isText),
  archivesUpTo: isMaybe(isNumber),
  marks: isMaybe(
    isMapOf(
      isRecordOf({
        etag: isMaybe(isText),
        lastModified: isMaybe(isText),
        hash: isText,
        listed: isMaybe(isInstant),
        parts: isMaybe(isListOf(isText)),
        isWhole: isMaybe(isFlag),
      }),
    ),
  ),
  named: isMaybe(isMapOf(isMapOf(isBytes))),
  isBehind: isMaybe(isFlag),
  toldAt: isMaybe(isInstant),
  pace: isMaybe(isPace),
})

const isPushRecord = isRecordOf({
  taken: isNumber,
  checked: isNumber,
  different: isNumber,
  edited: isMaybe(isNumber),
  rewritten: isMaybe(isNumber),
  restless: isMaybe(isNumber),
  recentlyChecked: isNumber,
  recentlyDifferent: isNumber,
  recentlyEdited: isMaybe(isNumber),
  recentlyRewritten: isMaybe(isNumber),
  recentlyRestless: isMaybe(isNumber),
  strikes: isNumber,
  restsUntil: isInstant,
  agreed: isNumber,
})

const isPushRow = isRecordOf({
  subscription: isMaybe(
    isRecordOf({ scheme: isText, state: isText, leaseUntil: isMaybe(isInstant), reason: isMaybe(isText) }),
  ),
  outcomes: isCounts,
  schemes: isCounts,
  bytes: isNumber,
  lastAt: isMaybe(isInstant),
  door: isMaybe(isText),
  proof: isMaybe(isText),
  refused: isCounts,
})

export const isCooperationRow: Shape = isRecordOf({
  trust: isMaybe(isTrust),
  offers: isMaybe(isOffers),
  capabilityLists: isMaybe(isListOf(isText)),
  feeds: isMaybe(isListOf(isText)),
  pushes: isMaybe(isPushRecord),
  worth: isMaybe(isRecordOf({ worth: isNumber, at: isInstant })),
  order: isMaybe(isListOf(isCount)),
  calls: isMaybe(isPushRow),
  differences: isMaybe(isRecordOf({ count: isNumber, problem: isText, at: isInstant })),
})
