/**
 * `comity gateway fetch URL…`: a page that nobody has read yet is put through by whoever made it (001 §VII: "the
 * creator of the page could simply fetch it through the network after its creation"). It takes the way of any page
 * that passes.
 */
import type { ObservedExchange } from '@comity/gateway'
import { canonicalUrl, headerOf, ownValue, messageOf } from '@comity/protocol'
import type { Call } from '../command.ts'
import type { GatewaySettings } from './flags.ts'
import { checkShipping, checkSpeakers, openGateway } from './gateway-parts.ts'
import { meaningOf } from './reasons.ts'
import { visible } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

const MAX_BYTES = 16 << 20
const AGENT = 'comity-gateway'

interface Fetched {
  readonly url: string
  /** What it was found to be, or why it was left out. */
  readonly outcome: string
}

export async function fetchWord({ settings, operands, terminal }: Call<GatewaySettings>): Promise<number> {
  const urls = operands.map((text) => {
    const url = canonicalUrl(text)
    if (url === undefined) throw new UsageError(`"${text}" is no address of a page: write http://www.example.org/new.`)
    return url
  })
  if (urls.length === 0) throw new UsageError('Say which pages: comity gateway fetch http://www.example.org/new.')
  checkShipping(settings)
  checkSpeakers(settings, false)
  // What we ask ourselves is answered by the server that the name leads to.
  const ours = { ...settings, servers: [] }
  await using parts = await openGateway(ours, { tell: (text) => terminal.say(visible(text)), readers: 'both' })
  const { node, sender, spool } = parts
  await parts.program?.update()
  const fetched: Fetched[] = []
  for (const url of urls) {
    const before = { skipped: { ...node.figures.skipped }, verdicts: { ...node.figures.verdicts } }
    const observed = await exchangeOf(url)
    if (typeof observed !== 'string') {
      node.observed(observed)
      await node.settle()
    }
    const outcome = typeof observed === 'string' ? observed : outcomeOf(before, node.figures)
    fetched.push({ url, outcome })
  }
  node.cut()
  const isSent = (await sender?.drain()) ?? true
  const json = { fetched, ...(sender === undefined ? {} : { sent: sender.figures, waiting: spool!.waiting.length }) }
  if (settings.json) terminal.print(JSON.stringify(json))
  else for (const { url, outcome } of fetched) terminal.print(`${url}  ${outcome}${toldOf(outcome)}`)
  const isTaken = fetched.every(({ outcome }) => TAKEN.has(outcome))
  return isTaken && isSent ? 0 : 1
}

const TAKEN: ReadonlySet<string> = new Set(['new', 'changed', 'same', 'same-version', 'older', 'resting'])

const toldOf = (outcome: string): string => (meaningOf(outcome) === '' ? '' : `: ${meaningOf(outcome)}`)

type Counts = Readonly<Record<'skipped' | 'verdicts', Readonly<Record<string, number>>>>

/** The one that was counted. */
function outcomeOf(before: Counts, after: Counts): string {
  const grown = (kind: 'skipped' | 'verdicts'): string | undefined =>
    Object.entries(after[kind]).find(([name, count]) => count > (ownValue(before[kind], name) ?? 0))?.[0]
  return grown('skipped') ?? grown('verdicts') ?? 'unsure-url'
}

/** What went by, or why nothing did. */
async function exchangeOf(url: string): Promise<ObservedExchange | string> {
  const { httpPost } = await import('@comity/site')
  const get = httpPost({ userAgent: AGENT, maxAnswerBytes: MAX_BYTES })
  const { host, hostname, port, pathname, search } = new URL(url)
  const at = Date.now()
  try {
    const asked = {
      url,
      method: 'GET',
      headers: [['Accept', 'text/html, */*;q=0.5']] as const,
      body: new Uint8Array(0),
    }
    const { status, headers, body } = await get({ ...asked, isOwners: true })
    const location = headerOf(headers, 'location')
    if (status >= 300 && status < 400 && location !== undefined)
      return `leads to ${visible(location.slice(0, 500))}: fetch that`
    const shared = { version: '1.1', doubts: [], isFramingOdd: false } as const
    return {
      at,
      endedAt: Date.now(),
      client: '',
      server: hostname.replace(/^\[|\]$/g, ''),
      serverPort: Number(port) || 80,
      authentication: 'none',
      request: {
        kind: 'request',
        method: 'GET',
        target: `${pathname}${search}`,
        headers: [
          ['Host', host],
          ['User-Agent', AGENT],
        ],
        ...shared,
      },
      url,
      response: { kind: 'response', status, headers, ...shared },
      body,
      verdict: body.length >= MAX_BYTES ? 'too-large' : 'whole',
    }
  } catch (error) {
    return visible(messageOf(error))
  }
}
