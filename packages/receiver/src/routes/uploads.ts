/**
 * Uploads in parts (draft-ietf-httpbis-resumable-upload): begun by a POST to `/push` or a callback that has Upload-Complete,
 * continued at `/push/uploads/ID` by HEAD, PATCH and DELETE.
 *
 * A signed push signs every part and where it belongs, so each is proven by itself. What came of a part that was cut is kept only when the digest of
 * the whole was signed at the beginning: otherwise nobody vouches for those bytes. By a callback the hub's signature of the
 * whole decides, at the end. What is whole passes the same endpoints as a body that came at once.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { InboxEndpoint, InboxScheme } from '@comity/collection'
import {
  appendVerdict,
  combinedField,
  parseDigestField,
  readUploadFields,
  statedLength,
  UPLOAD_RESUMPTION_STATUS,
  writeUploadFields,
} from '@comity/protocol'
import type { HeaderList, UploadFields } from '@comity/protocol'
import { contentKind } from '../body/pushed-content.ts'
import { comeAgain, PushRefusal } from '../admit/push-refusal.ts'
import { HubStream } from '../body/received-body.ts'
import { admitted, enter, fullRefusal, keep } from '../receiver-parts.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import { checkOpen } from './subscription.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'
import { checkSigned } from '../proof/receiver-signature.ts'
import type { AppendEnd, Upload } from '../body/upload-store.ts'

export const UPLOADS_PATH = '/push/uploads/'

interface UploadBeginning {
  readonly origin: string
  readonly door: InboxEndpoint
  readonly scheme: InboxScheme
  readonly topic: string
  readonly token?: string | undefined
  /** What the signature covers of the head; undefined by a callback, where it covers the whole body at the end. */
  readonly signed?: HeaderList | undefined
}

/** What a sender may send, for OPTIONS. */
export function uploadLimits({ uploads }: ReceiverParts): ReceiverAnswer {
  return { status: 204, headers: record(writeUploadFields({ limits: uploads.limits })) }
}

/** A POST with Upload-Complete. */
export async function beginUpload(
  request: ReceiverRequest,
  parts: ReceiverParts,
  beginning: UploadBeginning,
): Promise<ReceiverAnswer> {
  const { origin, door, scheme, topic, token, signed } = beginning
  const fields = readUploadFields(signed ?? request.headers)
  const length = statedLength(fields, 0, request.contentLength)
  if (length === 'inconsistent') throw new PushRefusal('malformed', 'Upload-Length and Content-Length disagree.')
  const digest = digestOf(signed)
  const hubSignature = token === undefined ? undefined : request.header('x-hub-signature')
  const facts = { origin, door, scheme, topic, token, hubSignature, digest, length, type: request.type }
  const begun = await inTurn(parts, beginning, () => parts.uploads.begin(facts, parts.now()))
  if (typeof begun === 'string') throw BEGIN_REFUSALS[begun](parts)
  const place = `${parts.publicUrl()}${UPLOADS_PATH}${begun.id}`
  request.interim(UPLOAD_RESUMPTION_STATUS, [
    ['Location', place],
    ...writeUploadFields({ limits: parts.uploads.limits }),
  ])
  return await appendTo(begun, request, parts, fields, place)
}

/** HEAD, PATCH and DELETE of an upload. */
export async function answerUpload(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const upload = await parts.uploads.find(request.path.slice(UPLOADS_PATH.length))
  if (upload === undefined) throw new PushRefusal('not-found', 'There is no such upload: begin it again.')
  if (request.method === 'HEAD' || request.method === 'GET') return standing(upload, parts)
  named(upload.origin)
  const isEnd = request.method === 'DELETE'
  const mustCover = isEnd ? [] : PLACE.filter((name) => request.header(name) !== undefined)
  const fields =
    upload.door === 'push' ? await checkSigned(request, parts, upload.origin, !isEnd, mustCover) : request.headers
  if (isEnd) {
    await inTurn(parts, upload, () => parts.uploads.remove(upload.id))
    return { status: 204 }
  }
  const resource = { offset: upload.offset, length: upload.length, maxSize: parts.uploads.limits.maxSize }
  const verdict = appendVerdict(fields, resource, request.contentLength)
  if (verdict.kind === 'refuse')
    return { status: verdict.status, headers: record(verdict.headers), body: verdict.body, type: PROBLEM_TYPE }
  // Its sender did not hear that it is kept.
  if (upload.isDone === true) return finished(upload.offset)
  if (verdict.length !== undefined) await parts.uploads.setLength(upload.id, verdict.length)
  return await appendTo(upload, request, parts, readUploadFields(fields))
}

/** Where a part belongs. */
const PLACE: readonly string[] = ['upload-offset', 'upload-complete', 'upload-length']
const PROBLEM_TYPE = 'application/problem+json'

function standing({ offset, isDone, length }: Upload, parts: ReceiverParts): ReceiverAnswer {
  const fields: UploadFields = { offset, isComplete: isDone === true, length, limits: parts.uploads.limits }
  return { status: 204, headers: { ...record(writeUploadFields(fields)), 'Cache-Control': 'no-store' } }
}

const finished = (offset: number): ReceiverAnswer => ({
  status: 202,
  headers: record(writeUploadFields({ offset, isComplete: true })),
})

async function appendTo(
  upload: Upload,
  request: ReceiverRequest,
  parts: ReceiverParts,
  { isComplete }: UploadFields,
  place?: string,
): Promise<ReceiverAnswer> {
  const { uploads } = parts
  const part = createHash('sha256')
  let isPartGood = upload.door === 'websub'
  const keeps = (end: AppendEnd): boolean => {
    isPartGood ||= end === 'whole' && isClaimed(request, part.digest())
    return isPartGood || (end === 'cut' && upload.digest !== undefined)
  }
  const terms = { maxBytes: uploads.limits.maxSize, now: parts.now, keeps }
  const append = (): Promise<AppendEnd> => uploads.append(upload.id, hashed(request.body(), part), terms)
  const ended = await inTurn(parts, upload, append)
  if (ended === 'whole' && !isPartGood)
    throw new PushRefusal('wrong-digest', 'The part is not what Content-Digest says.')
  if (ended === 'too-large') throw tooLarge(uploads.limits.maxSize)
  if (ended === 'full') throw fullRefusal()
  const now = await uploads.find(upload.id)
  if (now === undefined) throw new PushRefusal('not-found', 'The upload was given up meanwhile.')
  const location: Record<string, string> = place === undefined ? {} : { Location: place }
  if (ended === 'cut' || isComplete !== true) {
    const fields = record(writeUploadFields({ offset: now.offset, isComplete: false, limits: uploads.limits }))
    return { status: place === undefined ? 204 : 201, headers: { ...fields, ...location } }
  }
  await finish(now, parts)
  return { ...finished(now.offset), headers: { ...finished(now.offset).headers, ...location } }
}

/** Each step is a request of the site's, as its bucket counts them; what has come counts when it is whole. */
async function inTurn<Value>(
  parts: ReceiverParts,
  { origin, door }: { readonly origin: string; readonly door: InboxEndpoint },
  step: () => Promise<Value>,
): Promise<Value> {
  const entry = enter(parts, origin, door, 0)
  try {
    return await step()
  } finally {
    parts.admission.left(entry)
  }
}

/** All is here: into the inbox with it. What is refused for want of room may be finished later by an empty part. */
async function finish(upload: Upload, parts: ReceiverParts): Promise<void> {
  const { uploads, limits, now } = parts
  const { id, origin, door, scheme, type, topic } = upload
  const file = uploads.file(id)
  try {
    await checkWhole(upload, parts)
    await admitted(parts, { origin, door, bytes: file.bytes }, async (entry) => {
      const kind = contentKind(type, scheme, undefined)
      if (kind === 'notice')
        throw new PushRefusal('wrong-type', 'A notice is too small for an upload: post it at once.')
      const terms = { kind, scheme, type, origin, door, topic, maxUnpackedBytes: limits.maxUnpackedBytes }
      const content = await parts.content.check({ bytes: NOTHING, spool: file }, terms)
      const proof = door === 'websub' ? 'subscription' : 'signature'
      await keep(parts, entry, { origin, door, proof, ...content, body: NOTHING, file })
    })
    await uploads.done(id, now())
  } catch (error) {
    // What will never be taken need not be sent again to be refused again.
    if (error instanceof PushRefusal && error.status < 429) await uploads.remove(id)
    throw error
  }
}

const NOTHING = new Uint8Array()

async function checkWhole(upload: Upload, parts: ReceiverParts): Promise<void> {
  const { id, length, offset, digest, token } = upload
  if (length !== undefined && length !== offset)
    throw new PushRefusal('malformed', `The upload was to have ${length} bytes and has ${offset}.`)
  const subscription = token === undefined ? undefined : parts.store.get(token)
  if (subscription !== undefined) checkOpen(subscription, parts)
  const sha256 = createHash('sha256')
  const hub = subscription && new HubStream({ secret: subscription.secret, header: upload.hubSignature })
  for await (const chunk of createReadStream(parts.uploads.file(id).path) as AsyncIterable<Uint8Array>) {
    sha256.update(chunk)
    hub?.update(chunk)
  }
  if (digest !== undefined && sha256.digest('base64') !== digest)
    throw new PushRefusal('wrong-digest', 'The whole is not what Repr-Digest said when the upload began.')
  if (token !== undefined && hub?.verdict() !== 'good')
    throw new PushRefusal('forged', 'The hub did not sign this upload with the secret of the subscription.')
}

/** What the whole has to be, if the signature vouches for it. */
function digestOf(signed: HeaderList | undefined): string | undefined {
  const field = signed === undefined ? undefined : combinedField(signed, 'repr-digest')
  const claimed = field === undefined ? undefined : parseDigestField(field)
  return claimed === undefined ? undefined : Buffer.from(claimed).toString('base64')
}

function isClaimed({ headers }: ReceiverRequest, digest: Uint8Array): boolean {
  const field = combinedField(headers, 'content-digest')
  const claimed = field === undefined ? undefined : parseDigestField(field)
  return claimed !== undefined && Buffer.from(digest).equals(claimed)
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

const record = (headers: HeaderList): Record<string, string> => Object.fromEntries(headers)

const tooLarge = (maxBytes: number): PushRefusal =>
  new PushRefusal('too-large', `An upload may have ${maxBytes} bytes. Split it.`, { Connection: 'close' })

const BEGIN_REFUSALS = {
  'too-large': (parts: ReceiverParts) => tooLarge(parts.uploads.limits.maxSize),
  'too-many': () =>
    new PushRefusal('over-share', 'Other uploads of this site are not finished yet.', comeAgain(60_000)),
  full: () => fullRefusal(),
}
