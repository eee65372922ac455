import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { digestOf, nameOf, oddTalk, viewsOf, viewVerdict, readRecording } from '../testing/chromium-verdicts.ts'
import { ODD_ANSWERS } from '../testing/odd-answer-table.ts'

const { version, verdicts } = readRecording('answers')

test('odd answers are those that were put to Chromium', () => {
  const now = ODD_ANSWERS.map((answer) => `${nameOf(answer)} ${digestOf(answer.bytes)}`)
  const then = [...verdicts].map(([what, { sent }]) => `${what} ${sent}`)
  assert.deepEqual(now, then, 'record them anew: node test/gateway/record-chromium.ts')
  assert.ok(now.length >= 400)
})

for (const answer of ODD_ANSWERS) {
  const name = nameOf(answer)
  test(`Chromium ${version} and we see the same: ${name}`, () => {
    const { verdict: theirs } = verdicts.get(name)!
    for (const segment of [1_460, answer.bytes.length < 2_000 ? 7 : 999]) {
      const [view] = viewsOf(oddTalk(answer, segment).packets)
      assert.ok(view !== undefined)
      const ours = viewVerdict(view)
      if (theirs.outcome !== 'broken') assert.deepEqual(ours, theirs)
      else {
        assert.deepEqual([ours.outcome, ours.status, ours.error], [theirs.outcome, theirs.status, theirs.error])
        // How much of it was on the screen depends on when it broke off.
        assert.equal(digestOf(view.body.subarray(0, theirs.length)), theirs.digest)
      }
    }
  })
}

test('docs/gateway-cases.md counts what Chromium makes of them', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/gateway-cases.md'), 'utf8')
  const rows = document
    .slice(document.indexOf('## What Chromium shows of odd answers'))
    .matchAll(/^\| ([a-z ]+\S) +\| +(\d.*\d) \|$/gm)
  const said = [...rows].map(([, group, counts]) => `${group}: ${counts!.split(/ +\| +/).join(' ')}`)
  const groups = new Set(ODD_ANSWERS.map(({ group }) => group))
  const counted = [...groups].map((group) => {
    const of = ODD_ANSWERS.filter((answer) => answer.group === group).map(
      (answer) => verdicts.get(nameOf(answer))!.verdict,
    )
    const counts = ['shown', 'broken', 'refused', 'redirected'].map(
      (each) => of.filter(({ outcome }) => outcome === each).length,
    )
    return `${group}: ${[of.length, ...counts].join(' ')}`
  })
  assert.deepEqual(said, counted)
})
