/** Whether a request is signed by the site that it says it is of; throws a PushRefusal that says how to prove it. */
import type { HeaderList } from '@comity/protocol'
import { ACCEPT_PUSH_SIGNATURE, comeAgain, HOW_TO_PROVE, PushRefusal, tooManyLookUps } from '../admit/push-refusal.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import type { ReceiverRequest } from '../request.ts'
import { soonEnough } from '../http/soon-enough.ts'

/**
 * Gives the fields of the head that the signature covers: nobody has changed these, and no other is to be acted on. `mustCover`:
 * fields that it has to cover besides what every push covers.
 */
export async function checkSigned(
  request: ReceiverRequest,
  parts: ReceiverParts,
  origin: string,
  hasBody: boolean,
  mustCover: readonly string[] = [],
): Promise<HeaderList> {
  const { proof, limits } = parts
  const { method, url, headers } = request
  const looked = proof.bySignature(origin, { method, url, headers }, hasBody, request.client)
  const verdict = await soonEnough(looked, limits.proofWaitMs)
  if (verdict === undefined)
    throw new PushRefusal(
      'unreachable',
      `The keys of ${origin} are being looked up: send it again soon.`,
      comeAgain(5_000),
    )
  if (verdict.kind === 'proven') {
    const missing = mustCover.find((name) => !covers(verdict.covered, name))
    if (missing !== undefined) throw coversTooLittle(missing)
    request.prove(origin)
    return headers.filter(([name]) => covers(verdict.covered, name.toLowerCase()))
  }
  if (verdict.kind === 'too-many') throw tooManyLookUps(verdict)
  if (verdict.kind === 'unreachable')
    throw new PushRefusal('unreachable', `${verdict.message}.`, comeAgain(verdict.retryAfterMs))
  const { reason, message } = verdict
  if (reason === 'replayed') throw new PushRefusal('replayed', message, comeAgain(1_000))
  if (reason === 'not-signed') throw notSigned()
  throw new PushRefusal(reason, `${message}. ${HOW_TO_PROVE}`, { 'Accept-Signature': ACCEPT_PUSH_SIGNATURE })
}

/** A field as a whole; or a member of it, where it has no other (`routes/push.ts`). */
const covers = (covered: readonly string[], name: string): boolean =>
  covered.some((one) => one === name || one.startsWith(`${name};key=`))

const coversTooLittle = (name: string): PushRefusal =>
  new PushRefusal(
    'covers-too-little',
    `the signature does not cover "${name}", which says what is meant. ${HOW_TO_PROVE}`,
    { 'Accept-Signature': ACCEPT_PUSH_SIGNATURE },
  )

/** A 401 names what is asked for (RFC 9110 §15.5.2), and what a signature has to cover (RFC 9421 §5.1). */
export function notSigned(): PushRefusal {
  return new PushRefusal('not-signed', HOW_TO_PROVE, {
    'WWW-Authenticate': 'Signature realm="comity"',
    'Accept-Signature': ACCEPT_PUSH_SIGNATURE,
  })
}
