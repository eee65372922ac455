/**
 * Signed push: `POST /push`, for sites that have the crawler's address and need no subscription. The request is signed with a
 * key that the site publishes (RFC 9421, Content-Digest RFC 9530). Which site speaks is said by Signature-Agent, or else by
 * the topic (`Link: <…>; rel="self"`); neither is believed before that site's own keys have verified the signature, and the
 * signature has to cover it. Whatever else a head says counts only where it is covered (`receiver-fields.test.ts`).
 */
import {
  checkContentDigest,
  combinedField,
  parseDigestField,
  readHubLinks,
  readUploadFields,
  parseFieldDictionary,
  parseFieldItem,
} from '@comity/protocol'
import { contentKind, schemeOf } from '../body/pushed-content.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { ReceivedBody } from '../body/received-body.ts'
import { admitted, checkWanted, heldBody, keepOrDrop } from '../receiver-parts.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'
import { checkSigned, notSigned } from '../proof/receiver-signature.ts'
import { beginUpload } from './uploads.ts'

export const PUSH_PATH = '/push'

export async function answerPush(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const { type, url } = request
  const speaker = speakerOf(request)
  if (speaker === undefined) throw notSigned()
  const { origin } = speaker
  named(origin)
  checkWanted(parts, origin)
  const signed = await checkSigned(request, parts, origin, true, [speaker.saidBy])
  const { topic } = readHubLinks(signed, url)
  const scheme = schemeOf(type, topic)
  const kind = contentKind(type, scheme, request.header('content-encoding'))
  const from = { origin, door: 'push', scheme, topic: topic ?? `${origin}/` } as const
  if (readUploadFields(signed).isComplete !== undefined) return await beginUpload(request, parts, { ...from, signed })
  const { limits } = parts
  const maxBytes = kind === 'notice' ? limits.maxNoticeBytes : limits.maxBodyBytes
  const room = { memory: parts.memory, disk: parts.disk, spool: () => parts.inbox.spool() }
  return await admitted(parts, { origin, door: 'push', bytes: request.contentLength ?? 0 }, async (entry) => {
    await using body = await ReceivedBody.read(request, room, { maxBytes, inMemory: kind === 'notice' })
    checkDigest(request, body)
    const content = await parts.content.check(body, { ...from, kind, type, maxUnpackedBytes: limits.maxUnpackedBytes })
    const held = await heldBody(parts, body, content.body)
    await keepOrDrop(parts, entry, { origin, door: 'push', proof: 'signature', ...content, ...held })
    body.giveAway()
    return { status: 202 }
  })
}

interface Speaker {
  readonly origin: string
  /** The field that says so. */
  readonly saidBy: 'signature-agent' | 'link'
}

/** The site that is said to speak. A URL of its own in Signature-Agent, as Web Bot Auth has it; or its topic. */
function speakerOf({ headers, url }: ReceiverRequest): Speaker | undefined {
  const agent = agentOf(combinedField(headers, 'signature-agent') ?? '')
  const named = URL.parse(agent ?? readHubLinks(headers, url).topic ?? '')
  if (named === null || !/^https?:$/.test(named.protocol)) return undefined
  return { origin: named.origin, saidBy: agent === undefined ? 'link' : 'signature-agent' }
}

/** The string of earlier drafts, or the one member of the dictionary: of several nobody can tell who is meant. */
function agentOf(field: string): string | undefined {
  const members = field.trimStart().startsWith('"') ? undefined : parseFieldDictionary(field)
  const item = members === undefined ? parseFieldItem(field) : members.size === 1 ? [...members.values()][0] : undefined
  return item?.kind === 'string' ? item.value : undefined
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
