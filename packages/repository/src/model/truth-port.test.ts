import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TruthSample } from './models.ts'
import { SampleControl, sampleOf } from '../testing/sample-repository.ts'
import { withTruth } from './truth-port.ts'

const truth: TruthSample = { freshness: 0.5, groups: [] }

test('samples and state carry what is true, while somebody knows it', async () => {
  const control = new SampleControl()
  let known: TruthSample | undefined
  const crawl = withTruth(control, () => known)
  const stop = new AbortController()
  const samples = crawl.samples(stop.signal)[Symbol.asyncIterator]()
  const first = samples.next()
  control.push(sampleOf(1))
  assert.deepEqual((await first).value, sampleOf(1))
  known = truth
  const second = samples.next()
  control.push(sampleOf(2))
  assert.deepEqual((await second).value, { ...sampleOf(2), truth })
  stop.abort()
  const state = await crawl.state()
  assert.ok(state.kind === 'running' && state.sample.truth === truth)
  control.condition = 'none'
  assert.deepEqual(await crawl.state(), { kind: 'none' })
})

test('what is asked of the crawl reaches it', async () => {
  const control = new SampleControl()
  const crawl = withTruth(control, () => truth)
  await crawl.pause()
  await crawl.resume()
  await crawl.addSeed('https://a.example/')
  await crawl.setBudget({ maxPages: 5 })
  await crawl.stop?.()
  assert.deepEqual(control.calls, ['pause', 'resume', 'seed https://a.example/', 'budget 5 undefined', 'stop'])
})
