import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Frontier, EXCLUDED, PAGE_STATES, WAITING, orderNamed, politeDefaults } from '@comity/frontier'
import { writeUrlKey } from '@comity/protocol'
import { journalHeader, readJournal } from './journal-record.ts'

test('what a frontier writes is read as it was meant', () => {
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 10, maxBytes: 10, maxKnown: 10 }),
    maxTries: 3,
    random: () => 0,
    gates: false,
    textOf: () => ({ site: 0, path: '', parent: 0 }),
  })
  frontier.offer('https://a.example/', { depth: 0, seed: 0 })
  frontier.offer('https://b.example/x', { depth: 2, seed: 0, outside: 1 })
  const first = frontier.drain().journal
  frontier.forget(1)
  frontier.offer('https://a.example/y', { depth: 1, seed: 0 })
  const second = frontier.drain().journal
  assert.deepEqual(journalHeader(first), { first: 0, added: 2, changes: 0 })
  assert.deepEqual(told(first), [`0 at 0: ${keyOf('/')}, 0, ${WAITING}`, `1 at 1: ${keyOf('/x')}, 2, ${EXCLUDED}`])
  assert.deepEqual(told(second), [
    `2 at 0: ${keyOf('/y')}, 1, ${WAITING}`,
    `1 changed: 2, ${PAGE_STATES.indexOf('forgotten')}`,
  ])
})

function told(record: Uint8Array): string[] {
  const lines: string[] = []
  readJournal(record, journalHeader(record)!, {
    added: (page, site, key, depth, state) => lines.push(`${page} at ${site}: ${key}, ${depth}, ${state}`),
    changed: (page, depth, state) => lines.push(`${page} changed: ${depth}, ${state}`),
  })
  return lines
}

function keyOf(path: string): number {
  const key = new Uint32Array(2)
  writeUrlKey(path, key, 0)
  return key[1]!
}

test('bytes that are no record have no header, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const header = journalHeader(bytes)
      // What passes has the length that its counts ask for, so that reading it stays inside.
      if (header !== undefined) readJournal(bytes, header, { added: () => undefined, changed: () => undefined })
    }),
  )
  assert.equal(journalHeader(Buffer.from('journal 0, which is none')), undefined)
})
