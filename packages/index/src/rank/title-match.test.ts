import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleMatch, titleWords } from './title-match.ts'

const cases: [asked: string, title: string, match: 0 | 1 | 2][] = [
  ['vacuum', 'VACUUM', 2],
  ['create index', 'CREATE INDEX', 2],
  ['create index', 'PostgreSQL: Documentation: 18: CREATE INDEX', 1],
  ['routine vacuuming', 'Routine Vacuuming | The manual', 1],
  ['routine vacuuming', 'Routine Vacuuming – The manual', 1],
  ['lanterns', 'Lanterns', 2],
  ['vacuum', 'Routine Vacuuming', 0],
  ['vacuum', 'Autovacuum and VACUUM of the harbour', 0],
  ['manual', 'The manual | Chapter | Manual of lamps', 0],
  ['index create', 'CREATE INDEX', 0],
  ['e mail', 'E-Mail', 2],
  ['', '', 0],
]
for (const [asked, title, match] of cases)
  test(`who asks for “${asked}” ${match === 0 ? 'does not mean' : 'means'} a page called “${title}”`, () => {
    assert.equal(titleMatch(titleWords(asked), title), match)
  })
