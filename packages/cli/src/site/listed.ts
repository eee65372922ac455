/**
 * Listed pages: those that `--urls` names, such as the results of forms. They are asked of the site itself, as a stranger
 * would, one after the other; what comes goes through the same rules as everything else.
 */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { robotsVerdict, textOf } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { OwnPageAnswer, PageSourceSummary } from '@comity/site'
import { readList } from '../terminal/list-source.ts'
import type { PublishParts } from './command.ts'

const MAX_BYTES = 16 << 20

export async function askListed(parts: PublishParts, signal: AbortSignal): Promise<PageSourceSummary | undefined> {
  const { call, base, journal, rules } = parts
  const addresses = await readList(call.settings.urls)
  if (addresses.length === 0) return undefined
  const { publicRules, recordPages } = await import('@comity/site')
  const { origin, host } = new URL(base)
  const from = call.settings.proxy ?? origin
  const answer = async (path: string, ending: AbortSignal): Promise<OwnPageAnswer> =>
    await askOrigin(from, host, path, ending)
  const told = await answer('/robots.txt', signal).catch((error: unknown) => textOf(error))
  // A robots.txt that cannot be had might disallow anything (RFC 9309 §2.3.1.4).
  const { robots } = robotsVerdict(
    typeof told === 'string' ? { kind: 'failed', reason: told } : { kind: 'answered', ...told },
  )
  const options = { base: origin, rules: publicRules({ ...rules, robots }) }
  return await recordPages(journal, addresses, options, { now: Date.now, answer }, signal)
}

/** One page as everybody gets it: no cookie, no coding, no redirect followed. */
export function askOrigin(origin: string, host: string, path: string, signal: AbortSignal): Promise<OwnPageAnswer> {
  const request = origin.startsWith('https:') ? httpsRequest : httpRequest
  const headers = { host, 'accept-encoding': 'identity', 'user-agent': 'comity-publish', connection: 'close' }
  return new Promise((resolve, reject) => {
    // Only the path is the list's: resolved against the origin, one that begins with // would be another host.
    request(origin, { path, headers, signal, agent: false }, (response) => {
      readAnswer(response).then(resolve, reject)
    })
      .on('error', reject)
      .end()
  })
}

async function readAnswer(response: IncomingMessage): Promise<OwnPageAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BYTES) throw new Error(`the page has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk as Buffer)
  }
  const { rawHeaders } = response
  const headers: HeaderList = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : [],
  )
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) }
}
