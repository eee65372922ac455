/**
 * Odd answers put to the Chromium of this machine: it says what it said when it was recorded, and ours shows what it shows, also of bytes
 * that nobody thought of. Another version than the recorded one may differ in a few, which are named.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createRandom } from '@comity/testbed'
import { amount, missing, sharedData } from '@comity/protocol/testing'
import { capturedAnswers } from '../../packages/gateway/src/testing/captured-answers.ts'
import {
  nameOf,
  oddTalk,
  viewsOf,
  viewVerdict,
  readRecording,
  verdictOf,
} from '../../packages/gateway/src/testing/chromium-verdicts.ts'
import { ODD_ANSWERS } from '../../packages/gateway/src/testing/odd-answer-table.ts'
import { mutated } from '../fuzz/mutation.ts'
import { browserFor } from '../pages/browser.ts'
import { ChromiumOracle } from './chromium-oracle.ts'
import type { Answer, ChromiumVerdict } from './chromium-oracle.ts'

const LIMIT = { timeout: 120_000 }
let shared: Promise<ChromiumOracle> | undefined
after(async () => await (await shared)?.[Symbol.asyncDispose]())

/** One for all tests. */
async function openOracle(t: TestContext): Promise<ChromiumOracle | undefined> {
  const path = browserFor(t)
  return path === undefined ? undefined : await (shared ??= ChromiumOracle.open(path))
}

/** Whether ours shows the same; of what breaks off, all that a page got of it. */
function isSame(answer: Answer, theirs: ChromiumVerdict): boolean {
  const [view] = viewsOf(oddTalk(answer, 60_000).packets)
  if (view === undefined) return false
  const ours = viewVerdict(view)
  const isBroken = theirs.outcome === 'broken' && ours.outcome === 'broken' && ours.error === theirs.error
  if (isBroken) return Buffer.from(view.body.subarray(0, theirs.body.length)).equals(theirs.body)
  return JSON.stringify(ours) === JSON.stringify(verdictOf(theirs, theirs.body))
}

async function checkRecorded(t: TestContext, name: string, answers: ReadonlyMap<string, Answer>): Promise<void> {
  const oracle = await openOracle(t)
  if (oracle === undefined) return
  const { version, verdicts } = readRecording(name)
  const said = await oracle.ask([...answers.values()])
  const [changed, unlike]: string[][] = [[], []]
  for (const [i, [what, answer]] of [...answers].entries()) {
    const { outcome, status, error } = verdicts.get(what)!.verdict
    const theirs = said[i]!
    if (`${outcome} ${status} ${error}` !== `${theirs.outcome} ${theirs.status} ${theirs.error}`) changed!.push(what)
    if (!isSame(answer, theirs)) unlike!.push(what)
  }
  const shown = said.filter(({ outcome }) => outcome === 'shown').length
  t.diagnostic(
    `Chromium ${oracle.version}, recorded ${version}: shows ${shown} of ${answers.size}; unlike it ${unlike!.length}`,
  )
  const most = oracle.version === version ? 0 : answers.size * 0.03
  assert.ok(changed!.length <= most, `not as recorded: ${changed!.join('; ')}`)
  assert.ok(unlike!.length <= most, `not as we read it: ${unlike!.join('; ')}`)
}

test('Chromium shows of odd answers what was recorded, and so do we', LIMIT, (t) =>
  checkRecorded(t, 'answers', new Map(ODD_ANSWERS.map((answer) => [nameOf(answer), answer]))),
)

test('Chromium shows of captures that were made to be misread what was recorded, and so do we', LIMIT, async (t) => {
  const folder = sharedData('captures/suricata')
  if (folder === undefined) return missing(t, 'packet captures')
  await checkRecorded(t, 'captures', capturedAnswers(folder))
})

const WORDS = [
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 C\r\n\r\n',
  'Content-Length: ',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Location: /x\r\n',
  'chunked',
  'deflate',
  'ffff',
  '5\r\n',
  '\r\n\r\n',
  '\r\n',
  '\n',
  '\r',
  ', ',
  ' ',
  '\t',
  '\xa0',
  '\0',
  ':',
  ';',
  '"',
  '0',
  '-',
  '+',
].map((word) => Buffer.from(word, 'latin1'))
const BATCH = 200
const batches = amount(2, 100)

test(
  `of ${BATCH * batches} answers that nobody thought of, what Chromium shows is what we show`,
  { timeout: 900_000 },
  async (t) => {
    const oracle = await openOracle(t)
    if (oracle === undefined) return
    const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
    const random = createRandom(seed)
    const samples = ODD_ANSWERS.filter(
      ({ how, bytes }) => !how.has('early') && !how.has('alone') && bytes.length < 20_000,
    )
    let [shown, same] = [0, 0]
    const unlike: string[] = []
    for (let batch = 0; batch < batches; batch++) {
      const answers: Answer[] = Array.from({ length: BATCH }, () => {
        const { bytes, how } = random.pick(samples)
        return { bytes: mutated(bytes, () => random.pick(WORDS), random), how }
        // What has too many codings takes the answers beside it with it.
      }).filter(({ bytes }) => (bytes.toString('latin1').match(/ncoding:/gi) ?? []).length <= 10)
      for (const [i, theirs] of (await oracle.ask(answers)).entries()) {
        if (theirs.outcome !== 'shown') continue
        shown++
        if (isSame(answers[i]!, theirs)) same++
        else unlike.push(answers[i]!.bytes.toString('base64').slice(0, 4_000))
      }
    }
    t.diagnostic(`COMITY_SEED=${seed}: Chromium ${oracle.version} shows ${shown}, we the same of ${same}`)
    assert.ok(shown > BATCH / 2)
    assert.ok(same >= 0.99 * shown, unlike.join('\n'))
  },
)
