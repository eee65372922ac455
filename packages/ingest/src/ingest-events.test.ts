import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IngestEvents } from './ingest-events.ts'

test('everybody who follows a kind is told of it, in the order in which they came, and of no other', () => {
  const taken = new IngestEvents()
  const heard: string[] = []
  taken.follow('content', ({ page }) => heard.push(`first ${page}`))
  taken.follow('content', ({ page }) => heard.push(`second ${page}`))
  taken.follow('committed', () => heard.push('committed'))
  taken.tell('committing', undefined)
  taken.tell('content', { page: 7 })
  taken.tell('committed', undefined)
  assert.deepEqual(heard, ['first 7', 'second 7', 'committed'])
})

test('a follower that fails is not hidden from who tells', () => {
  const taken = new IngestEvents()
  taken.follow('committing', () => {
    throw new Error('no room')
  })
  assert.throws(() => taken.tell('committing', undefined), /no room/)
})
