import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHookFault, knownHooks } from './hooks.ts'
import { seenCapture } from './seen-capture.ts'

const capture = seenCapture({
  url: 'https://a.example/',
  at: 0,
  source: 'crawl',
  status: 200,
  headers: [],
  body: new Uint8Array(),
  digest: '',
})

const called = async (onCapture: () => unknown): Promise<unknown> => await knownHooks({ onCapture }).onCapture!(capture)

const failing: readonly [sentence: string, onCapture: () => unknown][] = [
  ['throws', () => assert.fail('broken')],
  ['fails after a while', async () => assert.fail('broken')],
  // oxlint-disable-next-line prefer-promise-reject-errors -- whatever a stranger's code does.
  ['fails with what is no error', () => Promise.reject('broken')],
]
for (const [sentence, onCapture] of failing) {
  test(`a hook that ${sentence} is known for the user's own`, async () => {
    await assert.rejects(called(onCapture), (error) => isHookFault(error) && /broken/.test(String(error)))
  })
}

test('a hook that takes its time is waited for, and one that returns something else is not', async () => {
  let isDone = false
  const slow = knownHooks({ onCapture: async () => void (isDone = await Promise.resolve(true)) })
  await slow.onCapture!(capture)
  assert.equal(isDone, true)
  assert.equal(knownHooks({ onCapture: () => 7 }).onCapture!(capture), undefined)
})
