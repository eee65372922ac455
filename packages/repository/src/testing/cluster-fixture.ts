/** A cluster of which one machine is silent, for the tests of pages and routes. */
import type { SeveralModel, WholeModel } from '../model/models.ts'

const NOON = Date.UTC(2026, 10, 15, 12)

const machineOf = (n: number, answers: boolean): WholeModel['machines'][number] => ({
  id: `crawler-${n}-3f9a01bc`,
  host: `crawler-${n}.intranet`,
  answers,
  draining: false,
  keepers: answers ? [n - 1] : [],
  lent: answers ? 1_200 * n : 0,
})

export const whole: WholeModel = {
  cluster: 'web',
  shards: [0, 1, 2].map((shard) => ({
    shard,
    owner: shard === 2 ? undefined : `crawler-${shard + 1}-3f9a01bc`,
    epoch: shard + 1,
    pages: 12_345 * (shard + 1),
    waiting: 987,
    lag: shard * 3,
    idle: false,
    copy: shard === 1 ? undefined : { epoch: shard + 1, at: new Date(NOON).toISOString(), bytes: 12_345_678 },
  })),
  machines: [machineOf(1, true), machineOf(2, true), machineOf(3, false)],
  job: { number: 2, state: 'running', seeds: 7 },
  leaseMs: 30_000,
  takeOverAfterMs: 600_000,
}

/** Several collections, with names and faults that strangers have chosen. */
export const collections: SeveralModel = {
  collections: [
    { name: 'manuals', documents: 12_000, problems: [] },
    { name: '<b>wiki</b>', documents: 1, problems: ['segment-3 is <i>damaged</i>'] },
  ],
}
