import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sideEffectOf } from './side-effects.ts'
import type { SideEffect } from './side-effects.ts'

const cases: [path: string, expected: SideEffect | undefined][] = [
  ['/', undefined],
  ['/docs/page.html?id=7', undefined],
  ['/cgi-bin/vote?id=3', 'program'],
  ['/x/search.cgi', 'program'],
  ['/scripts/gate.dll?x', 'program'],
  ['/index.php?page=2', undefined],
  ['/logout', 'action'],
  ['/account/Sign-Out.aspx', 'action'],
  ['/blog/how-to-logout-of-windows', undefined],
  ['/items/17/delete', 'action'],
  ['/delete/17', 'action'],
  ['/delete.php?id=17', 'action'],
  ['/docs/HTTP/Methods/DELETE', undefined],
  ['/files/0b9f3c1e-6f1e-4d2a-9c55-2f0b7c1d9e11/remove', 'action'],
  ['/poll/vote?choice=2', 'action'],
  ['/how-to-vote', undefined],
  ['/product/shoe?add-to-cart=99', 'action'],
  ['/w/index.php?title=Main&action=edit&section=2', 'action'],
  ['/w/index.php?title=Main&action=history', undefined],
  ['/2020/01/a-post?replytocom=55', 'action'],
  ['/posting.php?mode=reply&t=4', 'action'],
  ['/list?unsubscribe=me', 'action'],
  ['/calendar/2031/05', 'calendar'],
  ['/calendar/2027/05', undefined],
  ['/calendar/1970-01', 'calendar'],
  ['/calendar/action~month/20310517', 'calendar'],
  ['/1970/01/a-post', undefined],
  ['/archive/2031/report', undefined],
  ['/list.php?month=5&year=2031', 'calendar'],
  ['/list.php?month=5&year=2026', undefined],
  ['/films?year=1954', undefined],
  ['/events/?tribe-bar-date=2199-01-01', 'calendar'],
  ['/kalender?date=2040-01-01', 'calendar'],
]
for (const [path, expected] of cases) {
  test(`${path} is ${expected ?? 'an ordinary page'}`, () => {
    assert.equal(sideEffectOf(`https://a.example${path}`, 2026), expected)
  })
}

test('a host that is called like an action is an ordinary host', () => {
  assert.equal(sideEffectOf('https://logout.example', 2026), undefined)
  assert.equal(sideEffectOf('https://logout/', 2026), undefined)
})

test('a calendar walked ahead is left soon, whenever we start', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2000, max: 2100 }), (year) => {
      assert.equal(sideEffectOf(`https://a.example/calendar/${year}/01`, year), undefined)
      assert.equal(sideEffectOf(`https://a.example/calendar/${year + 3}/01`, year), 'calendar')
    }),
  )
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotThrow(() => sideEffectOf(text, 2026))),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
