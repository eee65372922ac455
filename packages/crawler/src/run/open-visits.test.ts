import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenVisits } from './open-visits.ts'

test('after a stop who is silent is cut off soon, who drips later, and nobody before', () => {
  let now = 0
  using visits = new OpenVisits(() => now)
  const cut: string[] = []
  const waited = (name: string, heardAt: () => number): (() => void) =>
    visits.enter({
      get heardAt() {
        return heardAt()
      },
      cut: () => {
        cut.push(`${name} ${now}`)
        leave.get(name)?.()
      },
    })
  const leave = new Map([
    ['silent', waited('silent', () => 0)],
    ['dripping', waited('dripping', () => now)],
    ['over', waited('over', () => 0)],
  ])
  now = 60_000
  visits.look()
  visits.stop()
  leave.get('over')!()
  for (; now < 80_000; now += 500) visits.look()
  assert.deepEqual(cut, ['silent 61500', 'dripping 70000'])
})
