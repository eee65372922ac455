import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from './match-plan.ts'
import { parseQuery } from './parser.ts'
import { planOf, relaxedPlan } from './plan.ts'

/** A plan in one line: words are alternatives with a bar, a phrase stands in quotes. */
function shown(plan: Plan): string {
  switch (plan.kind) {
    case 'term':
      return plan.term
    case 'zone':
      return `${plan.term}@${plan.zones}`
    case 'all':
      return `(${plan.parts.map(shown).join(' & ')})`
    case 'any':
      return `(${plan.parts.map(shown).join(' | ')})`
    case 'without':
      return `${shown(plan.part)} - ${shown(plan.not)}`
    case 'phrase':
      return `"${plan.words.map((forms) => forms.join('|')).join(' ')}"`
    default:
      return `<${plan.kind}>`
  }
}

const terms = ['run', 'runner', 'runway', 'cafe', 'cafeteria', 'hash', 'hashmap']
const context = {
  languages: ['en'],
  termsLike: (prefix: string) => terms.filter((term) => term.startsWith(prefix)),
}

const cases: [query: string, plan: string, relaxed?: string][] = [
  ['cat', 'cat'],
  ['running', 'run'],
  ['cat dog', '(cat & dog)', '(cat | dog)'],
  ['cat OR dog', '(cat | dog)'],
  ['running dog', '(run & dog)', '(run | dog)'],
  ['"black cat"', '"black cat"'],
  ['"running cat"', '"run cat"'],
  ['java.util.HashMap', '"java util hashmap"'],
  ['e-mail cat', '("e mail" & cat)', '("e mail" | cat)'],
  ['"cat"', 'cat'],
  ['cat -dog', 'cat - dog'],
  ['cat dog -bird -fish', '(cat & dog) - (bird | fish)', '(cat | dog) - (bird | fish)'],
  ['cat -"big dog"', 'cat - "big dog"'],
  ['title:cat', 'cat@1'],
  ['title:running', 'run@1'],
  ['title:"black cat"', '("black cat" & black@1 & cat@1)'],
  ['title:"black cat" dog', '(("black cat" & black@1 & cat@1) & dog)', '(("black cat" & black@1 & cat@1) | dog)'],
  ['url:cat heading:dog', '(cat@8 & dog@2)', '(cat@8 | dog@2)'],
  ['run*', '(run | runner | runway)'],
  ['running*', 'run'],
  ['CAFÉ*', '(cafe | cafeteria)'],
  ['util.hash*', '"util hash|hashmap"'],
  ['xyz*', 'xyz'],
  ['cat ... dog', '(cat & dog)', '(cat | dog)'],
  ['...', '<every>'],
]
for (const [query, plan, wider] of cases) {
  test(`${query} is planned as ${plan}`, () => {
    const { tree } = parseQuery(query, 0)
    if (tree === undefined) return assert.equal(plan, '<every>')
    const found = planOf(tree, context)
    assert.equal(shown(found), plan)
    const more = relaxedPlan(tree, context)
    assert.equal(more === undefined ? undefined : shown(more), wider)
  })
}

test('a prefix is asked for folded, as terms are', () => {
  const asked: string[] = []
  planOf({ kind: 'prefix', text: 'ÉTÉ' }, { languages: [], termsLike: (prefix) => (asked.push(prefix), []) })
  assert.deepEqual(asked, ['ete'])
})
