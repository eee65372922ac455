/** Made-up readers, for tests of the page that shows them. */
import type { ReadingModel, PageRef } from '../model/models.ts'
import type { ProgramVersionRow } from '@comity/receiver'

const NOON = Date.UTC(2026, 10, 15, 12, 20)
const HOUR = 3_600_000

const gateway: Omit<ReadingModel['gateways'][number], 'name'> = {
  runs: [],
  batches: 412,
  repeated: 3,
  lastAt: NOON - 41_000,
  passedAt: NOON - 60_000,
  bytes: 1_830_000,
  pages: 40_100,
  htmlBytes: 61_000_000,
  skipped: { cookie: 2_100, private: 730, query: 96 },
  outcomes: { taken: 1_240, confirmed: 38_400, late: 12, foreign: 4, missing: 2 },
  people: 36_120,
  robots: 3_980,
  avoidedRequests: 2_890,
  avoidedBytes: 21_300_000,
}

const version: ProgramVersionRow = {
  program: 'news-rules',
  version: '1.0.0',
  digest: `sha-256:${'0'.repeat(64)}`,
  licensed: undefined,
  share: 0.1,
  gateways: [],
  running: 0,
  faults: 0,
  maxFaults: 5,
}

/** `refs`: pages to be read. */
export function readingModel(refs: readonly PageRef[]): ReadingModel {
  const hour = Math.floor(NOON / HOUR)
  const hours = Array.from({ length: 96 }, (_, i) => ({
    hour: hour - 95 + i,
    people: Math.round(400 + 350 * Math.sin((i / 24) * 2 * Math.PI) + (i % 5) * 20),
    robots: 40 + (i % 7) * 6,
  }))
  const read = refs.map((ref, i) => ({
    ...ref,
    people: Math.round(310 / (i + 1)),
    robots: i % 3,
    lastAt: NOON - i * 70_000,
  }))
  return {
    now: NOON,
    gateways: [
      { name: 'campus-north', ...gateway },
      { name: 'campus-south', ...gateway, batches: 9, repeated: 0, bytes: 41_000, htmlBytes: 0, skipped: {} },
    ],
    hours,
    pages: 4_310,
    recent: read,
    unfound: read.slice(0, 3),
    unfoundTotal: 212,
    programs: {
      versions: [
        { ...version, version: '1.0.0', share: 1, running: 1 },
        {
          ...version,
          version: '1.1.0',
          gateways: ['campus-north'],
          faults: 6,
          withdrawn: '6 faults at campus-north',
          withdrawnAt: NOON - HOUR,
        },
      ],
      uses: [
        {
          gateway: 'campus-north',
          program: 'news-rules',
          runs: '1.0.0',
          nominated: '1.0.0',
          faults: 0,
          askedAt: NOON - 600_000,
        },
        {
          gateway: 'campus-south',
          program: 'news-rules',
          runs: undefined,
          nominated: '1.0.0',
          faults: 2,
          askedAt: NOON - 900_000,
        },
      ],
    },
  }
}
