import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disjunctionOf, timesAsked } from './match-plan.ts'
import type { Plan } from './match-plan.ts'

const term = (name: string): Plan => ({ kind: 'term', term: name })
const any = (...parts: Plan[]): Plan => ({ kind: 'any', parts })
const all = (...parts: Plan[]): Plan => ({ kind: 'all', parts })

const cases: [sentence: string, plan: Plan, scoring: string[], disjunction: string[] | undefined][] = [
  ['a term', term('a'), ['a'], ['a']],
  [
    'alternatives, also within alternatives, each once',
    any(term('a'), any(term('b'), term('a'))),
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['all of several', all(term('a'), term('b'), term('a')), ['a', 'b'], undefined],
  ['alternatives that ask for more', any(term('a'), all(term('b'), term('c'))), ['a', 'b', 'c'], undefined],
  ['one without another, which gives no score', { kind: 'without', part: term('a'), not: term('b') }, ['a'], undefined],
  ['a phrase with the forms of its words', { kind: 'phrase', words: [['a', 'b'], ['c']] }, ['a', 'b', 'c'], undefined],
  ['a term in a zone', { kind: 'zone', zones: 1, term: 'a' }, ['a'], undefined],
  ['every page', { kind: 'every' }, [], undefined],
  ['no page', { kind: 'none' }, [], undefined],
]
for (const [sentence, plan, scoring, disjunction] of cases) {
  test(`the terms of ${sentence}`, () => {
    assert.deepEqual([...timesAsked(plan).keys()], scoring)
    assert.deepEqual(disjunctionOf(plan), disjunction)
  })
}

const askings: [sentence: string, plan: Plan, times: [term: string, number: number][]][] = [
  ['once', term('a'), [['a', 1]]],
  [
    'twice, wherever in the plan',
    all(term('a'), any(term('b'), term('a'))),
    [
      ['a', 2],
      ['b', 1],
    ],
  ],
  ['as often as it says', all({ kind: 'term', term: 'a', times: 3 }, term('a')), [['a', 4]]],
  [
    'once in a zone and beside its phrase',
    all({ kind: 'phrase', words: [['a'], ['b']] }, { kind: 'zone', zones: 1, term: 'a' }),
    [
      ['a', 1],
      ['b', 1],
    ],
  ],
]
for (const [sentence, plan, times] of askings) {
  test(`a term that is asked for ${sentence} counts so`, () => assert.deepEqual([...timesAsked(plan)], times))
}
