/**
 * Chromium verdicts, for tests: what a real Chromium made of answers, as `test/gateway/record-chromium.ts` wrote it down, and what ours
 * makes of the same bytes.
 *
 *   fixtures/chromium-NAME.tsv: a line with Chromium's version; what it was, a digest of what was sent, what became of it
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserView } from '../browser/browser-view.ts'
import { Rebuilder } from '../rebuilder.ts'
import { Dialogue } from './dialogue-sample.ts'
import type { OddAnswer } from './odd-answer.ts'
import { pcapFile } from './packet-sample.ts'
import type { Wire } from './packet-sample.ts'

export interface Verdict {
  readonly outcome: string
  readonly status: number
  readonly error: string
  readonly length: number
  readonly digest: string
}

export interface RecordedVerdict {
  /** A digest of what was sent. */
  readonly sent: string
  readonly verdict: Verdict
}

interface Recording {
  readonly version: string
  readonly verdicts: ReadonlyMap<string, RecordedVerdict>
}

export const recordingPath = (name: string): string => join(import.meta.dirname, `../../fixtures/chromium-${name}.tsv`)

export function readRecording(name: string): Recording {
  const [first = '', , ...lines] = readFileSync(recordingPath(name), 'utf8').trimEnd().split('\n')
  const verdicts = lines.map((line): [string, RecordedVerdict] => {
    const [what = '', sent = '', outcome = '', status, error = '', length, digest = ''] = line.split('\t')
    return [what, { sent, verdict: { outcome, status: Number(status), error, length: Number(length), digest } }]
  })
  return { version: first.replace(/^# Chromium /, ''), verdicts: new Map(verdicts) }
}

export function recordingText(version: string, verdicts: Recording['verdicts']): string {
  const lines = [...verdicts].map(
    ([
      what,
      {
        sent,
        verdict: { outcome, status, error, length, digest },
      },
    ]) => [what, sent, outcome, status, error, length, digest].join('\t'),
  )
  const titles = ['what', 'sent', 'outcome', 'status', 'error', 'length', 'digest'].join('\t')
  return `${[`# Chromium ${version}`, titles, ...lines].join('\n')}\n`
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

export const verdictOf = (said: Pick<Verdict, 'outcome' | 'status' | 'error'>, body: Uint8Array): Verdict => ({
  outcome: said.outcome,
  status: said.status,
  error: said.error,
  length: body.length,
  digest: digestOf(body),
})

/** What ours says of an exchange, in the words of Chromium. */
export function viewVerdict({ outcome, status, error, body }: BrowserView): Verdict {
  return verdictOf(
    { outcome, status: outcome === 'shown' || outcome === 'broken' ? status : 0, error: error ?? '' },
    body,
  )
}

export const nameOf = ({ group, sentence }: OddAnswer): string => `${group}: ${sentence}`

/** Of an answer as it came over the wire, in packets of at most so many bytes. */
export function viewsOf(packets: readonly Wire[] | Uint8Array): BrowserView[] {
  const views: BrowserView[] = []
  const viewed = (view: BrowserView): void => void views.push(view)
  const rebuilder = new Rebuilder({ observed: () => undefined }, { asBrowser: { viewed } })
  rebuilder.write(packets instanceof Uint8Array ? packets : pcapFile(packets))
  rebuilder.end()
  return views
}

export function oddTalk({ bytes, how }: Pick<OddAnswer, 'bytes' | 'how'>, segment = 1_460): Dialogue {
  const host = how.has('port') ? 'a.example:8080' : 'a.example'
  const accepts = `gzip, deflate${how.has('br') ? ', br, zstd' : ''}`
  const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${accepts}\r\n\r\n`
  const talk = new Dialogue({ segment }).open()
  if (how.has('early')) talk.say(1, bytes).say(0, request)
  else talk.say(0, request).say(1, bytes)
  return how.has('reset') ? talk.reset(1) : talk.close()
}
