import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import { judgeSeen } from './verdict.ts'
import type { GatewayVerdict, SeenVersion } from './verdict.ts'

const [A, B] = [Uint8Array.of(1), Uint8Array.of(2)]
const row = (changes: Partial<PageRow> = {}): PageRow => ({
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: 1_000,
  visits: 1,
  changes: 0,
  bytes: 1,
  timings: {},
  contentKey: A,
  body: { file: 0, offset: 0, length: 1 },
  ...changes,
})

const cases: [sentence: string, held: PageRow | undefined, seen: SeenVersion, expected: GatewayVerdict][] = [
  ['a page that was never held is new', undefined, { key: A, at: 0 }, 'newer'],
  [
    'one that was tried in vain, too',
    row({ body: undefined, outcome: 'timeout-headers', status: 0 }),
    { key: A, at: 0 },
    'newer',
  ],
  ['the same content is the same, whenever it was seen', row(), { key: A, at: 9_000 }, 'same'],
  ['another one that passed later is newer', row(), { key: B, at: 2_000 }, 'newer'],
  ['another one that passed before our visit is late', row(), { key: B, at: 999 }, 'older'],
  ['of one instant the greater key wins', row(), { key: B, at: 1_000 }, 'newer'],
  ['and the smaller loses', row({ contentKey: B }), { key: A, at: 1_000 }, 'older'],
  ['what is gone now was there before', row(), { key: undefined, at: 2_000 }, 'newer'],
  ['of one instant what is gone is gone', row(), { key: undefined, at: 1_000 }, 'newer'],
  [
    'and stays so',
    row({ status: 410, outcome: 'client-error', contentKey: undefined }),
    { key: A, at: 1_000 },
    'older',
  ],
  ['gone twice is gone', row({ status: 404, outcome: 'client-error' }), { key: undefined, at: 2_000 }, 'same'],
  ['what comes back is newer', row({ status: 410, outcome: 'client-error' }), { key: A, at: 2_000 }, 'newer'],
  [
    'a visit that failed since says nothing',
    row({ outcome: 'timeout-headers', status: 0, visitedAt: 5_000, servedAt: 1_000 }),
    { key: B, at: 2_000 },
    'newer',
  ],
]
for (const [sentence, held, seen, expected] of cases)
  test(sentence, () => assert.equal(judgeSeen(held, seen), expected))
