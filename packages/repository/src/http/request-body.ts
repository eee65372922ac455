/** Request body: a small JSON object, read up to a limit. */
import type { IncomingMessage } from 'node:http'
import { Problem } from '@comity/receiver'

const MAX_BODY_BYTES = 65_536

/** The object in a body; an empty one when there is no body. Never waits longer than the server's own time limit. */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  if (bytes === 0) return {}
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new Problem('wrong-type', 'Send the body as application/json.')
  }
  return parsed(Buffer.concat(chunks).toString('utf8'))
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new Problem('bad-request', 'The body is not JSON.', {}, cause)
  }
  throw new Problem('bad-request', 'The body is not a JSON object.')
}

// The rest of a body that nobody reads would stand before the next request.
const tooLarge = (): Problem =>
  new Problem('body-too-large', `A body may have ${MAX_BODY_BYTES} bytes.`, { Connection: 'close' })
