import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from './match-plan.ts'
import { parseQuery } from './parser.ts'
import { planOf, relaxedPlan } from './plan.ts'

/** A plan in one line: words are alternatives with a bar, a phrase stands in quotes. */
function shown(plan: Plan): string {
  switch (plan.kind) {
    case 'term':
      return plan.times === undefined ? plan.term : `${plan.term}^${plan.times}`
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
  ['cat dog cats', '(cat^2 & dog)', '(cat^2 | dog)'],
  ['cat cat', 'cat^2', 'cat^2'],
  ['cat "cat" -cat cat', 'cat^3 - cat', 'cat^3 - cat'],
  ['"black cat" "black cat"', '("black cat" & "black cat")', '("black cat" | "black cat")'],
  ['running dog', '(run & dog)', '(run | dog)'],
  ['"black cat"', '"black cat"'],
  ['"running cat"', '"run cat"'],
  ['机器学习', '"机器 学习"', '(机器 | 学习)'],
  ['机器学习 -信息', '"机器 学习" - 信息', '(机器 | 学习) - 信息'],
  ['"机器学习"', '"机器 学习"'],
  ['java.util.HashMap', '"java util hashmap"'],
  ['e-mail cat', '("e mail" & cat)', '(e | mail | cat)'],
  ['"e mail" cat', '("e mail" & cat)', '("e mail" | cat)'],
  ['e-mail mail cat -e-mail', '("e mail" & mail & cat) - "e mail"', '(e | mail^2 | cat) - "e mail"'],
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

test('what a word may have become in several languages is asked for as often as the word', () => {
  const { tree } = parseQuery('running dog running', 0)
  const plan = planOf(tree!, { ...context, languages: ['en', 'xx'] })
  assert.equal(shown(plan), '((run^2 | running^2) & dog)')
})

test('a prefix is asked for folded, as terms are', () => {
  const asked: string[] = []
  planOf({ kind: 'prefix', text: 'ÉTÉ' }, { languages: [], termsLike: (prefix) => (asked.push(prefix), []) })
  assert.deepEqual(asked, ['ete'])
})
