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
  listOf,
  mapOf,
  maybe,
  oneOf,
  recordOf,
} from '@comity/collection'
import type { Shape } from '@comity/collection'

const isCounts = mapOf(isNumber)
const isNumbers = listOf(isNumber)
const tupleOf =
  (...parts: readonly Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === parts.length && parts.every((part, i) => part(value[i]))

export const isTotals: Shape = recordOf({
  pages: isNumber,
  bytes: isNumber,
  links: isNumber,
  requests: isNumber,
  outcomes: isCounts,
})

export const isReadingFact: Shape = recordOf({
  version: isNumber,
  at: isInstant,
  halfLifeMs: isAmount,
  hours: listOf(recordOf({ hour: isHour, people: isNumber, robots: isNumber })),
})

export const isGatewayRows: Shape = mapOf(
  recordOf({
    runs: listOf(recordOf({ run: isText, upTo: isNumber, above: isNumbers, lastAt: isInstant })),
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

const isDelay = recordOf({ count: isNumber, p50Ms: isNumber, p99Ms: isNumber })
const isPushFigures = recordOf({
  outcomes: isCounts,
  bytes: isNumber,
  perSecond: isNumber,
  delayP50Ms: isNumber,
  delayP99Ms: isNumber,
  searchable: maybe(isDelay),
  subscriptions: recordOf({ active: isNumber, asked: isNumber }),
  doors: maybe(
    recordOf({
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

export const isWatchMemory: Shape = recordOf({
  at: isInstant,
  price: isNumber,
  // Without a budget of bytes there is no end to them.
  bytesPerSecond: (value) => value === Infinity || isAmount(value),
  sample: recordOf({
    policy: isText,
    requestsPerSecond: isAmount,
    dayMs: isAmount,
    pages: isNumber,
    freshness: isNumber,
    ageSeconds: isNumber,
    requests: isNumber,
    bytes: isNumber,
    needless: isNumber,
    schemes: mapOf(recordOf({ requests: isNumber, bytes: isNumber, changed: isNumber, unchanged: isNumber })),
    signals: mapOf(recordOf({ news: isNumber, known: isNumber })),
    pushes: maybe(isPushFigures),
    gateways: maybe(isGatewayRows),
  }),
})

const isTrust = recordOf({
  version: oneOf(1),
  at: isInstant,
  rates: recordOf({ pageDays: isNumber, hidden: isNumber, channels: listOf(tupleOf(isText, isNumber, isNumber)) }),
  audits: recordOf({ found: isNumber, expected: isNumber }),
  silence: recordOf({ strikes: isNumber, struckAt: isInstant, doubtedUntil: isInstant }),
  fit: recordOf({ theta: isNumbers, quiet: isNumbers, cells: listOf(tupleOf(isText, isNumber, isNumbers)) }),
  channels: listOf(
    recordOf({
      channel: isText,
      heard: isNumber,
      confirmed: isNumber,
      strikes: isNumber,
      struckAt: isInstant,
      quarantine: maybe(recordOf({ until: isInstant, reason: isText })),
      dayFrom: isInstant,
      dayPages: isNumber,
      mass: maybe(recordOf({ asked: isNumber, sampled: isNumber, changed: isNumber, cleared: isFlag })),
      contentLies: isNumber,
      contentDoubtedUntil: isInstant,
    }),
  ),
  recall: maybe(listOf(recordOf({ channel: isText, told: isNumber, missed: isNumber, listenedAt: maybe(isInstant) }))),
})

const isPace = recordOf({ looks: isNumber, withNews: isNumber, ms: isNumber })

const isOffers = recordOf({
  lookedAt: isInstant,
  lookAgainAt: isInstant,
  offers: listOf(
    recordOf({
      kind: isText,
      url: isText,
      also: maybe(listOf(isText)),
      checkedAt: isInstant,
      bytes: maybe(isNumber),
      idleBytes: maybe(isNumber),
      requests: maybe(isNumber),
      news: isNumber,
      failures: isNumber,
      problem: maybe(isText),
      restsUntil: isInstant,
      bringFailures: maybe(isNumber),
      bringProblem: maybe(isText),
      bringsAgainAt: maybe(isInstant),
      pace: maybe(isPace),
    }),
  ),
  dictionary: maybe(isText),
  push: maybe(recordOf({ hub: isText, topics: mapOf(maybe(isText)) })),
  token: maybe(isText),
  method: maybe(isText),
  changesUntil: maybe(isInstant),
  openList: maybe(isText),
  archivesUpTo: maybe(isNumber),
  marks: maybe(
    mapOf(
      recordOf({
        etag: maybe(isText),
        lastModified: maybe(isText),
        hash: isText,
        listed: maybe(isInstant),
        parts: maybe(listOf(isText)),
        isWhole: maybe(isFlag),
      }),
    ),
  ),
  named: maybe(mapOf(mapOf(isBytes))),
  isBehind: maybe(isFlag),
  toldAt: maybe(isInstant),
  pace: maybe(isPace),
})

const isPushRecord = recordOf({
  taken: isNumber,
  checked: isNumber,
  different: isNumber,
  recentlyChecked: isNumber,
  recentlyDifferent: isNumber,
  strikes: isNumber,
  restsUntil: isInstant,
  agreed: isNumber,
})

const isPushRow = recordOf({
  subscription: maybe(recordOf({ scheme: isText, state: isText, leaseUntil: maybe(isInstant), reason: maybe(isText) })),
  outcomes: isCounts,
  schemes: isCounts,
  bytes: isNumber,
  lastAt: maybe(isInstant),
  door: maybe(isText),
  proof: maybe(isText),
  refused: isCounts,
})

export const isCooperationRow: Shape = recordOf({
  trust: maybe(isTrust),
  offers: maybe(isOffers),
  capabilityLists: maybe(listOf(isText)),
  feeds: maybe(listOf(isText)),
  pushes: maybe(isPushRecord),
  worth: maybe(recordOf({ worth: isNumber, at: isInstant })),
  order: maybe(listOf(isCount)),
  calls: maybe(isPushRow),
  differences: maybe(recordOf({ count: isNumber, problem: isText, at: isInstant })),
})
