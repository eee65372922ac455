/**
 * Schedules of mishaps by seed: a sample here, ten thousand with `npm run torture:cluster-model`. A failure names its seed:
 *
 *   COMITY_CLUSTER_SEED=1234 node --test packages/cluster/src/testing/cluster-model.test.ts
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount } from '@comity/protocol/testing'
import { ClusterModel } from './cluster-model.ts'

const only = process.env['COMITY_CLUSTER_SEED']
const SCHEDULES = only === undefined ? amount(8, 10_000) : 1
const first = only === undefined ? 1 : Number(only)

test(
  `${SCHEDULES} schedules of loss, doubling, reordering, forgetting and crashes`,
  { timeout: 7_200_000 },
  async (t) => {
    let [mishaps, fetches, pages] = [0, 0, 0]
    for (let seed = first; seed < first + SCHEDULES; seed++) {
      const verdict = await new ClusterModel(seed).run()
      const { offences, missing, foreign, unexplained } = verdict
      assert.deepEqual(
        { seed, offences, missing, foreign, unexplained },
        { seed, offences: [], missing: [], foreign: [], unexplained: 0 },
      )
      mishaps += verdict.mishaps
      fetches += verdict.fetches
      pages += verdict.pages
    }
    t.diagnostic(`${SCHEDULES} schedules: ${mishaps} mishaps, ${pages} pages, ${fetches} fetches`)
  },
)
