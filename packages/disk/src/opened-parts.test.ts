/** What was opened is closed once, the last one first, and whatever closing another came to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenedParts } from './opened-parts.ts'

const parts = (told: string[], failing = ''): { plain: Disposable; slow: AsyncDisposable } => {
  const close = (name: string): void => {
    told.push(name)
    if (name === failing) throw new Error(`${name} does not close`)
  }
  return {
    plain: { [Symbol.dispose]: () => close('plain') },
    slow: { [Symbol.asyncDispose]: async () => close('slow') },
  }
}

test('what was opened is closed, the last one first', async () => {
  const told: string[] = []
  {
    const { plain, slow } = parts(told)
    await using opened = new OpenedParts()
    assert.equal(opened.add(plain), plain)
    opened.add(slow)
  }
  assert.deepEqual(told, ['slow', 'plain'])
})

test('what is kept stays open', async () => {
  const told: string[] = []
  {
    await using opened = new OpenedParts()
    opened.add(parts(told).slow)
    opened.keep()
  }
  assert.deepEqual(told, [])
})

test('one that does not close keeps no other open, and is told', async () => {
  const told: string[] = []
  const opened = new OpenedParts()
  const { plain, slow } = parts(told, 'slow')
  opened.add(plain)
  opened.add(slow)
  await assert.rejects(async () => opened[Symbol.asyncDispose](), /slow does not close/)
  assert.deepEqual(told, ['slow', 'plain'])
})
