/**
 * Captures of answers that were made to be misread (HTTP Evader, 251 of them), as Chromium was shown them over loopback: what of that
 * ours, strict rebuilding and TShark have to the byte.
 */
import { decodeBody } from '@comity/protocol'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { rebuilt } from '../testing/dialogue-sample.ts'
import { digestOf, viewsOf, viewVerdict, readRecording } from '../testing/chromium-verdicts.ts'
import { codingOf } from '../http/observed-exchange.ts'

/** SHA-1 of what TShark 4.0.17 exports of each capture, content codings off. */
function tsharkDigests(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of readFileSync(join(folder, 'tshark-http-objects.tsv'), 'utf8').trimEnd().split('\n').slice(1)) {
    const [capture = '', , , sha1 = ''] = line.split('\t')
    found.set(capture, (found.get(capture) ?? new Set()).add(sha1))
  }
  return found
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

test('62: of what Chromium shows of answers made to be misread, all is read as it does, and said to be in doubt', (t) => {
  const folder = sharedData('captures')
  if (folder === undefined) return missing(t, 'packet captures')
  const { verdicts, version } = readRecording('captures')
  const tshark = tsharkDigests(folder)
  const counts = { shown: 0, ours: 0, doubtful: 0, strict: 0, tshark: 0, others: 0, othersOurs: 0 }
  for (const [name, { verdict: theirs }] of verdicts) {
    const bytes = readFileSync(join(folder, 'suricata', name))
    const [view] = viewsOf(bytes)
    const isSame = JSON.stringify(viewVerdict(view!)) === JSON.stringify(theirs)
    if (theirs.outcome !== 'shown') {
      counts.others++
      if (isSame) counts.othersOurs++
      continue
    }
    counts.shown++
    if (isSame) counts.ours++
    if (view!.doubts.length > 0) counts.doubtful++
    if (tshark.get(`suricata/${name}`)?.has(sha1(view!.body)) === true) counts.tshark++
    const isStrict = rebuilt(bytes).exchanges.some(({ verdict, response, body }) => {
      if (verdict !== 'whole' || response === undefined) return false
      const decoded = decodeBody(body, codingOf(response), { maxBytes: 1 << 20 })
      if (decoded.kind !== 'ok') return false
      // What is in no doubt is the same for all.
      if (view!.doubts.length === 0) assert.equal(digestOf(decoded.body), theirs.digest, name)
      return digestOf(decoded.body) === theirs.digest
    })
    if (isStrict) counts.strict++
    else assert.ok(view!.doubts.length > 0, `${name}: what strict rebuilding has not is in doubt`)
  }
  t.diagnostic(`Chromium ${version}: ${JSON.stringify(counts)}`)
  assert.equal(verdicts.size, 251)
  assert.ok(counts.ours >= 0.9 * counts.shown, `${counts.ours} of ${counts.shown}`)
  assert.ok(
    counts.othersOurs >= 0.9 * counts.others,
    `${counts.othersOurs} of ${counts.others} that break off or are refused`,
  )
})
