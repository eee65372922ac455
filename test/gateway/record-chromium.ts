/**
 * Records what the Chromium of this machine makes of odd answers, and of answers of captures that were made to be misread, in
 * `packages/gateway/fixtures/chromium-*.tsv`. Chromium is asked twice: what it says once in one way and once in another is told, and
 * nothing is written.
 *
 *   node test/gateway/record-chromium.ts
 */
import { writeFileSync } from 'node:fs'
import {
  digestOf,
  nameOf,
  recordingPath,
  recordingText,
  verdictOf,
} from '../../packages/gateway/src/testing/chromium-verdicts.ts'
import type { RecordedVerdict, Verdict } from '../../packages/gateway/src/testing/chromium-verdicts.ts'
import { capturedAnswers } from '../../packages/gateway/src/testing/captured-answers.ts'
import { ODD_ANSWERS } from '../../packages/gateway/src/testing/odd-answer-table.ts'
import { sharedData } from '@comity/protocol/testing'
import { browserPath } from '../pages/browser.ts'
import { ChromiumOracle } from './chromium-oracle.ts'
import type { Answer } from './chromium-oracle.ts'

async function record(oracle: ChromiumOracle, name: string, answers: ReadonlyMap<string, Answer>): Promise<void> {
  const verdicts = new Map<string, RecordedVerdict>()
  for (const _ of [1, 2]) {
    const said = await oracle.ask([...answers.values()])
    for (const [i, [what, { bytes }]] of [...answers].entries()) {
      const fresh = { sent: digestOf(bytes), verdict: verdictOf(said[i]!, said[i]!.body) }
      const before = verdicts.get(what) ?? fresh
      const isSame = isBroken(before.verdict, fresh.verdict) || JSON.stringify(before) === JSON.stringify(fresh)
      if (!isSame) throw new Error(`${what}: ${JSON.stringify(before)}, and then ${JSON.stringify(fresh)}`)
      verdicts.set(what, before.verdict.length > fresh.verdict.length ? before : fresh)
    }
  }
  writeFileSync(recordingPath(name), recordingText(oracle.version, verdicts))
  console.log(`${name}: ${verdicts.size} answers`)
}

/** How much of what breaks off a page gets depends on when it does: the most that it got counts. */
const isBroken = (before: Verdict, fresh: Verdict): boolean =>
  before.outcome === 'broken' && fresh.outcome === 'broken' && before.error === fresh.error

const path = browserPath()
const captures = sharedData('captures/suricata')
if (path === undefined || captures === undefined) throw new Error('Chromium and the shared captures have to be there')
await using oracle = await ChromiumOracle.open(path)
await record(oracle, 'answers', new Map(ODD_ANSWERS.map((answer) => [nameOf(answer), answer])))
await record(oracle, 'captures', capturedAnswers(captures))
