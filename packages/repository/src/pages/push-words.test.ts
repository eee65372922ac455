import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushStory } from '@comity/follow'
import { believed, pushCell, comparison } from './push-words.ts'
import { pushStories } from '../testing/pushes-fixture.ts'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import type { Html } from '../html/html.ts'

const words = ({ source }: Html): string => wordsOf(flat(source)).trim()
const [calling, lying, caughtBefore, offering] = pushStories as [PushStory, PushStory, PushStory, PushStory]
const asked: PushStory = { ...calling, subscription: { scheme: 'pages', state: 'asked' } }

const cases: [sentence: string, calls: PushStory | undefined, cell: RegExp, isBelieved: RegExp | undefined][] = [
  ['a site that does not', undefined, /^no$/, undefined],
  ['one that is subscribed to', calling, /^differences$/, /^yes$/],
  ['one that lies', lying, /^pages ?not believed until 2026-11-17/, /^no ?not believed until 2026-11-17/],
  ['one that has our address', caughtBefore, /^differences, changes$/, /^again ?after 1 time that it was not$/],
  ['one that could', offering, /^could: changes, differences, pages$/, /^nothing was to be believed yet$/],
  ['one whose hub was asked', asked, /^asked for pages$/, /^yes$/],
]
for (const [sentence, calls, cell, isBelieved] of cases) {
  test(`in a few words: ${sentence}`, () => {
    assert.match(words(pushCell(calls)), cell)
    if (calls !== undefined) assert.match(words(believed(calls)), isBelieved!)
  })
}

test('how many were other pages, where some were compared', () => {
  assert.equal(comparison(lying), '4 of 9')
  assert.equal(comparison(offering), '–')
})
