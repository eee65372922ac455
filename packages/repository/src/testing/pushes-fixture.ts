/** Made-up sites that push, for tests: what a watch counts of them, and what is told of each. */
import type { PushStory, PushFigures } from '@comity/follow'

const NOON = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000

export function pushesAt(second: number): PushFigures {
  return {
    outcomes: { applied: 120 + 3 * second, heard: 41 + second, same: 9, hint: 4 },
    bytes: 410_000 + second * 9_000,
    perSecond: 4 + Math.sin(second / 9),
    delayP50Ms: 24 + 4 * Math.sin(second / 5),
    delayP99Ms: 180,
    searchable: { count: 150 + 4 * second, p50Ms: 720 + 90 * Math.sin(second / 7), p99Ms: 2_400 },
    subscriptions: { active: 2, asked: 1 },
    doors: {
      accepted: 160 + 4 * second,
      acceptedBytes: 410_000 + second * 9_000,
      byDoor: { websub: 150 + 4 * second, indexnow: 10 },
      refused: { forged: 2, 'too-often': 7 + second },
      ignored: 1,
      waiting: Math.round(3 + 3 * Math.sin(second / 4)),
      waitingBytes: 12_000,
      pending: 1,
      fill: 0.01,
    },
  }
}

const calling: PushStory = {
  offers: ['changes', 'differences', 'pages'],
  subscription: { scheme: 'differences', state: 'active', leaseUntil: NOON + 9 * DAY },
  heard: 174,
  outcomes: { applied: 120, heard: 41, same: 9, hint: 4 },
  schemes: { differences: 133, changes: 41 },
  bytes: 410_000,
  lastAt: NOON - 3_000,
  door: 'websub',
  proof: 'subscription',
  refused: { forged: 2 },
  worth: 12.4,
  taken: 120,
  checked: 9,
  different: 0,
  strikes: 0,
  restsUntil: undefined,
  why: [
    'Its differences are subscribed to until 2026-11-24 12:00:00 UTC.',
    'That it speaks for itself is proven by a subscription that its hub verified.',
    '120 pages were taken as sent; of 9 that were fetched too, none was another page: believed.',
    '2 requests in its name were refused: forged 2.',
  ],
}

/** Caught, caught before, asked for, and one that could push and is asked. */
export const pushStories: readonly PushStory[] = [
  calling,
  {
    ...calling,
    subscription: { scheme: 'pages', state: 'active', leaseUntil: NOON + 9 * DAY },
    different: 4,
    strikes: 2,
    restsUntil: NOON + 2 * DAY,
    why: [
      'Its pages are subscribed to until 2026-11-24 12:00:00 UTC.',
      '120 pages were taken as sent; of 9 that were fetched too, 4 were other pages: not believed until 2026-11-17 12:00:00 UTC, for the second time: what it sends is a hint and no more.',
    ],
  },
  { ...calling, subscription: undefined, door: 'indexnow', proof: 'key-file', strikes: 1, different: 2, refused: {} },
  {
    ...calling,
    subscription: undefined,
    heard: 0,
    outcomes: {},
    schemes: {},
    bytes: 0,
    lastAt: undefined,
    door: undefined,
    proof: undefined,
    refused: {},
    taken: 0,
    checked: 0,
    why: ['It offers to send changes, differences, pages, and is not subscribed to: it is asked.'],
  },
]
