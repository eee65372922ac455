/**
 * GatewayProof: whether a request is signed by a gateway that may speak here (`proof/gateway-trust.ts`), with the coverage of any
 * push (RFC 9421). Unlike sites, gateways publish no keys: who is not listed is nobody.
 */
import { PUSH_TAG, SignatureMemory, verifyMessage } from '@comity/protocol'
import type { Instant, SignedMessage } from '@comity/protocol'
import type { GatewayTrust } from './gateway-trust.ts'
import { ACCEPT_PUSH_SIGNATURE, comeAgain, PushRefusal } from '../admit/push-refusal.ts'
import type { SignatureMark } from './signature-mark.ts'
import { MAX_LIFE_MS, SIGNATURE_REASONS, SIGNED_BEFORE, SIGNED_PARTS, SKEW_MS } from './speaker-proof.ts'

const HOW_TO_BE_HEARD =
  'Sign each request with the key of the gateway, tag "comity-push", covering "@method" "@target-uri" "content-digest" ' +
  '"content-type"; whoever runs this repository has to list the public key with the hosts that the gateway is for.'

export interface GatewaySigner {
  readonly name: string
  /** What the signature speaks of. */
  readonly covered: readonly string[]
}

export class GatewayProof {
  readonly #trust: GatewayTrust
  readonly #now: () => Instant
  readonly #mark: SignatureMark
  readonly #seen = new SignatureMemory()

  constructor(trust: GatewayTrust, now: () => Instant, mark: SignatureMark) {
    this.#trust = trust
    this.#now = now
    this.#mark = mark
  }

  /** The gateway that signed it; throws a PushRefusal that says why nobody did. The body is not looked at. */
  async signerOf(message: SignedMessage): Promise<GatewaySigner> {
    const at = this.#now()
    const keyOf = (keyId: string): ReturnType<typeof this.keyOf> => this.keyOf(keyId)
    const verdict = verifyMessage(message, { keyOf, at, skewMs: SKEW_MS, mustCover: SIGNED_PARTS, tag: PUSH_TAG })
    if (verdict.kind === 'absent')
      throw new PushRefusal('not-signed', HOW_TO_BE_HEARD, {
        'WWW-Authenticate': 'Signature realm="comity"',
        'Accept-Signature': ACCEPT_PUSH_SIGNATURE,
      })
    if (verdict.kind === 'refused') {
      const kind = verdict.reason === 'unknown-key' ? 'gateway-unknown' : SIGNATURE_REASONS[verdict.reason]
      throw new PushRefusal(kind, `${verdict.message}. ${HOW_TO_BE_HEARD}`)
    }
    const { name } = this.#trust.keyOf(verdict.keyId)!
    if (verdict.expires - verdict.created > MAX_LIFE_MS)
      throw new PushRefusal('stale', 'The signature is good for more than an hour.')
    const waitMs = this.#mark.waitMs(verdict.created, at)
    if (waitMs > 0) throw new PushRefusal('unreachable', SIGNED_BEFORE, comeAgain(waitMs))
    if (!this.#seen.isNew(name, verdict, at, SKEW_MS))
      throw new PushRefusal('replayed', 'This very request came before: sign each one anew.', comeAgain(1_000))
    await this.#mark.cover(verdict.created)
    return { name, covered: verdict.covered }
  }

  keyOf(keyId: string): NonNullable<ReturnType<GatewayTrust['keyOf']>>['key'] | undefined {
    return this.#trust.keyOf(keyId)?.key
  }
}
