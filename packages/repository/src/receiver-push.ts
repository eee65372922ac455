/**
 * Signed push: `POST /push`, for sites that have the crawler's address and need no subscription. The request is signed with a
 * key that the site publishes (RFC 9421, Content-Digest RFC 9530). Which site speaks is said by Signature-Agent, or else by
 * the topic (`Link: <…>; rel="self"`); neither is believed before that site's own keys have verified the signature.
 */
import { checkContentDigest, combinedField, parseDigestField, readHubLinks, readUploadFields } from '@comity/protocol'
import { checkContent, contentKind, schemeOf } from './pushed-content.ts'
import { PushRefusal } from './push-refusal.ts'
import { ReceivedBody } from './received-body.ts'
import { admitted, checkWanted, heldBody, keepOrDrop } from './receiver-parts.ts'
import type { ReceiverParts } from './receiver-parts.ts'
import type { ReceiverAnswer, ReceiverRequest } from './receiver-request.ts'
import { checkSigned, notSigned } from './receiver-signature.ts'
import { beginUpload } from './receiver-uploads.ts'

export const PUSH_PATH = '/push'

export async function answerPush(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const { type, headers, url } = request
  const { topic } = readHubLinks(headers, url)
  const origin = speakerOf(request, topic)
  if (origin === undefined) throw notSigned()
  named(origin)
  checkWanted(parts, origin)
  const scheme = schemeOf(type, topic)
  const kind = contentKind(type, scheme, request.header('content-encoding'))
  const covered = await checkSigned(request, parts, origin, true)
  const from = { origin, door: 'push', scheme, topic: topic ?? `${origin}/` } as const
  if (readUploadFields(headers).isComplete !== undefined) return await beginUpload(request, parts, { ...from, covered })
  const { limits } = parts
  const maxBytes = kind === 'notice' ? limits.maxNoticeBytes : limits.maxBodyBytes
  const room = { memory: parts.memory, disk: parts.disk, spool: () => parts.inbox.spool() }
  return await admitted(parts, { origin, door: 'push', bytes: request.contentLength ?? 0 }, async (entry) => {
    await using body = await ReceivedBody.read(request, room, { maxBytes, inMemory: kind === 'notice' })
    checkDigest(request, body)
    const content = await checkContent(body, { ...from, kind, type, maxUnpackedBytes: limits.maxUnpackedBytes })
    const held = await heldBody(parts, body, content.body)
    await keepOrDrop(parts, entry, { origin, door: 'push', proof: 'signature', ...content, ...held })
    body.giveAway()
    return { status: 202 }
  })
}

/** The site that is said to speak. A URL of its own in Signature-Agent, as Web Bot Auth has it; or its topic. */
function speakerOf({ headers }: ReceiverRequest, topic: string | undefined): string | undefined {
  const agent = combinedField(headers, 'signature-agent')
  const quoted = agent === undefined ? undefined : /"(https?:\/\/[^"\\\s]{1,2000})"/i.exec(agent)?.[1]
  const url = URL.parse(quoted ?? topic ?? '')
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url.origin
}

/** The signature covers Content-Digest, and Content-Digest the body. */
export function checkDigest({ headers }: ReceiverRequest, body: ReceivedBody): void {
  const field = combinedField(headers, 'content-digest') ?? ''
  const claimed = parseDigestField(field)
  const isSame =
    claimed === undefined
      ? body.spool === undefined && checkContentDigest(headers, body.bytes) === 'match'
      : Buffer.from(body.digest()).equals(claimed)
  if (!isSame) throw new PushRefusal('wrong-digest', 'The body is not the one that Content-Digest (sha-256) speaks of.')
}
