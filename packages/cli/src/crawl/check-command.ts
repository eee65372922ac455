/** `comity check`: what a crawler sees of a site. */
import { checkSite } from '@comity/crawler'
import type { AllowPrivate, CheckRequest } from '@comity/crawler'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { checkReport, requestLine } from './check-report.ts'
import { crawlFlags } from './flags.ts'
import { identityOf } from './identity.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { countFrom, parseDuration } from '../terminal/quantity.ts'

interface CheckSettings {
  readonly pages: number
  readonly maxRequests: number
  readonly pause: number | undefined
  readonly userAgent: string
  readonly identity: string | undefined
  readonly signatureAgent: string | undefined
  readonly allowPrivate: AllowPrivate
  readonly ca: string | undefined
  readonly requests: boolean
  readonly json: boolean
}

export const checkCommand: Command<CheckSettings> = {
  name: 'check',
  summary: 'what a crawler sees of a site: what it offers, whether that is right, and what is missing',
  operands: [{ name: 'URL', help: 'a page of the site: https://example.org/' }],
  flags: {
    pages: { argument: 'N', default: 3, shown: '3', parse: countFrom(1), help: 'pages to look at closely' },
    maxRequests: { argument: 'N', default: 60, shown: '60', parse: countFrom(1), help: 'requests, at most' },
    pause: {
      argument: 'TIME',
      default: undefined,
      shown: '1s, and none at an address of your own',
      parse: parseDuration,
      help: 'rest between two requests; the site may ask for more',
    },
    userAgent: crawlFlags.userAgent,
    identity: crawlFlags.identity,
    signatureAgent: crawlFlags.signatureAgent,
    allowPrivate: crawlFlags.allowPrivate,
    ca: crawlFlags.ca,
    requests: off('show every request in the report; while it runs they are on stderr anyway'),
    json: off('print everything that was found as one JSON object'),
  },
  examples: [
    ['comity check https://example.org/ --user-agent "mybot/1.0 (+https://my.example/bot)"', 'some thirty requests'],
    ['comity check http://127.0.0.1:8080/ --allow-private', 'a server of your own'],
  ],
  notes: [
    'The exit code is 0 when all that the site offers is right, also when it offers little, and 1 when something is wrong. ' +
      'What robots.txt forbids is not asked for.',
  ],
  run: runCheck,
}

async function runCheck({ settings, operands: [url = ''], terminal }: Call<CheckSettings>): Promise<number> {
  const { pages, maxRequests, pause, userAgent, allowPrivate, json } = settings
  const ca = settings.ca === undefined ? undefined : await readTextFile(settings.ca)
  const identity = await identityOf(settings)
  using line = new LiveLine(terminal)
  using interrupt = onInterrupt(() => line.say('stopping'))
  const onRequest = (request: CheckRequest): void => line.say(terminal.errorPaint('dim', requestLine(request)))
  const { signal } = interrupt
  const options = { pages, maxRequests, pauseMs: pause, userAgent, identity, allowPrivate, ca, onRequest, signal }
  const check = await unlessStopped(checkSite(url, options), signal)
  if (check === undefined) return 1
  if (json) terminal.print(JSON.stringify(check))
  else terminal.print(checkReport(check, settings.requests, terminal.paint).join('\n'))
  return check.findings.some(({ state }) => state === 'wrong') ? 1 : 0
}

async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
