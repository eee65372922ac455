/**
 * Answer digest: from what a dynamic site answered to what a journal may know of it.
 *
 * The digest is over the public answer with its volatile parts masked, and the page changed when that did. A digest over
 * masked bytes is marked, for nobody else can check it, and the body is then not kept: what a crawler got differs from it in
 * the masked parts, so no difference could be made against it.
 */
import { decodeBody, headerOf, isTextType } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { Observation, JournaledPage } from '../journal/journal.ts'
import { publicVerdict } from '../privacy/privacy.ts'
import type { AnswerFacts, RequestFacts } from '../privacy/privacy.ts'
import { isWithdrawn, privateFor } from '../privacy/private-reason.ts'
import type { PublicVerdict } from '../privacy/private-reason.ts'
import type { PublicRules } from '../privacy/public-rules.ts'
import { digestOf } from '../journal/version-store.ts'
import { commonMasks, maskedBody } from './volatile-mask.ts'
import type { VolatileMask } from './volatile-mask.ts'

export interface AnswerOptions {
  readonly rules: PublicRules
  /** `commonMasks` unless given. */
  readonly masks?: readonly VolatileMask[] | undefined
  /** Larger answers are not looked at. */
  readonly maxBytes?: number | undefined
  /** Texts up to this size are handed on with their bodies, so that differences can be made. */
  readonly maxBodyBytes?: number | undefined
}

export type SeenAnswer =
  /** Record this. When `verdict` is not public, the page is withdrawn. */
  | { readonly kind: 'observed'; readonly observation: Observation; readonly verdict: PublicVerdict }
  /** It tells nothing of what strangers get; what is known stays. */
  | { readonly kind: 'ignored'; readonly verdict: PublicVerdict }

const MAX_BYTES = 8 << 20
const MAX_BODY_BYTES = 1 << 20

/** `answer.body` as it was sent, content codings and all. `known`: the page as the journal has it. */
export function observeAnswer(
  request: RequestFacts,
  answer: AnswerFacts,
  options: AnswerOptions,
  known: JournaledPage | undefined,
  now: Instant,
): SeenAnswer {
  const { rules, masks = commonMasks, maxBytes = MAX_BYTES, maxBodyBytes = MAX_BODY_BYTES } = options
  const { path } = request
  // Headers first: the body of an answer that is private anyway is nothing to look into.
  const early = publicVerdict(request, { ...answer, body: undefined }, rules, now)
  if (!early.public) return refused(path, early)
  const decoded = decodeBody(answer.body ?? new Uint8Array(), headerOf(answer.headers, 'content-encoding'), {
    maxBytes,
  })
  if (decoded.kind === 'too-large') return refused(path, privateFor('too-large', `more than ${maxBytes} bytes`))
  if (decoded.kind !== 'ok') return refused(path, privateFor('unreadable', `content coding: ${decoded.kind}`))
  const { body } = decoded
  const verdict = publicVerdict(request, { ...answer, body }, rules, now)
  if (!verdict.public) return refused(path, verdict)
  const type = mediaTypeOf(headerOf(answer.headers, 'content-type'))
  const masked = maskedBody(body, type, masks)
  const page = {
    path,
    digest: digestOf(masked ?? body),
    bytes: body.length,
    type,
    ...(masked === undefined ? {} : { masked: true }),
  }
  const modifiedAt = known?.digest === page.digest ? known.modifiedAt : changedAt(answer, known, now)
  const isKept = masked === undefined && body.length <= maxBodyBytes && isTextType(type)
  return { kind: 'observed', observation: { ...page, modifiedAt, ...(isKept ? { body } : {}) }, verdict }
}

function refused(path: string, verdict: PublicVerdict): SeenAnswer {
  // A path that is none was never listed.
  const isListable = verdict.public || verdict.reason !== 'path'
  return isWithdrawn(verdict) && isListable
    ? { kind: 'observed', observation: { path, gone: true }, verdict }
    : { kind: 'ignored', verdict }
}

/** The site's own word when it can be true: not in the future, and not before the change it replaces. */
function changedAt({ headers }: AnswerFacts, known: JournaledPage | undefined, now: Instant): Instant {
  const said = Date.parse(headerOf(headers, 'last-modified') ?? '')
  return said <= now && said >= (known?.modifiedAt ?? 0) ? said : now
}

/** Without parameters, in lower case; what is no type is nothing in particular. */
export function mediaTypeOf(contentType: string | undefined): string {
  const type = (contentType ?? '').slice(0, 300).split(';', 1)[0]!.trim().toLowerCase()
  const isType = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(type)
  return isType ? type : 'application/octet-stream'
}
