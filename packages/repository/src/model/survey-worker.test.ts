import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRepository } from '../testing/sample-repository.ts'
import { SurveyThread } from './survey-thread.ts'

test('on a thread of its own a survey says the same, and ends when asked', async (t) => {
  const { survey, collection } = await sampleRepository(t)
  const thread = new SurveyThread({ dir: collection.dir })
  assert.deepEqual(await thread.statistics(), await survey.statistics())
  assert.deepEqual(await thread.find('https://b.example/'), 4)
  assert.equal((await thread.sites({ show: 'all', sort: 'origin', offset: 0, limit: 1 })).total, 3)
  await thread[Symbol.asyncDispose]()
  await assert.rejects(thread.graph('all'), /closed/)
})

test('a thread that cannot open its collection fails what was asked, and the process lives', async (t) => {
  const thread = new SurveyThread({ dir: '/nowhere/at/all' })
  t.after(() => thread[Symbol.asyncDispose]())
  await assert.rejects(thread.statistics(), /no collection/)
  await assert.rejects(thread.graph('all'), /no collection/)
})
