/** What `comity check` tells: a line for each finding, what to do about it, and what the check itself has cost. */
import type { CheckRequest, Finding, FindingState, SiteCheck } from '@comity/crawler'
import { counted, formatBytes, formatDuration } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Colour, Paint } from '../terminal/terminal.ts'

const MARKS: Readonly<Record<FindingState, readonly [mark: string, colour: Colour]>> = {
  good: ['good   ', 'green'],
  missing: ['missing', 'yellow'],
  wrong: ['wrong  ', 'red'],
  unknown: ['?      ', 'dim'],
}

export function checkReport(check: SiteCheck, isLong: boolean, paint: Paint): string[] {
  const { url, findings, requests, bytes, stopped } = check
  const width = Math.max(...findings.map(({ about }) => about.length))
  const ms = requests.reduce((sum, request) => sum + request.ms, 0)
  return [
    paint('bold', visible(url)),
    ...findings.flatMap((finding) => findingLines(finding, width, paint)),
    '',
    `${sentenceOf(findings)} Asked: ${counted(requests.length, 'request')}, ${formatBytes(bytes)}, ${formatDuration(ms)} of the server's time.`,
    ...(stopped === undefined ? [] : [paint('yellow', `The check broke off: ${visible(stopped)}.`)]),
    ...(isLong ? ['', ...requests.map(requestLine)] : []),
  ]
}

function findingLines({ about, state, found, advice }: Finding, width: number, paint: Paint): string[] {
  const [mark, colour] = MARKS[state]
  const head = `  ${paint(colour, mark)}  ${about.padEnd(width)}  ${visible(found)}`
  return advice === undefined ? [head] : [head, paint('dim', `${' '.repeat(width + 13)}${visible(advice)}`)]
}

function sentenceOf(findings: readonly Finding[]): string {
  const count = (state: FindingState): number => findings.filter((finding) => finding.state === state).length
  const wrong = count('wrong')
  const found = `${count('good')} good, ${count('missing')} missing, ${wrong} wrong.`
  return wrong === 0 ? `Nothing is wrong: ${found}` : found
}

export function requestLine({ method, url, status, bytes, ms, problem }: CheckRequest): string {
  const what = problem === undefined ? `${status}  ${formatBytes(bytes)}` : visible(problem)
  return `${method} ${visible(url)}  ${what}  ${formatDuration(ms)}`
}
