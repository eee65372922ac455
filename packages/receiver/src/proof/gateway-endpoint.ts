/** GatewayEndpoint: who may come in by `/gateway`, of what they may speak, and which batches came since the endpoint was opened. */
import { isTaken, withBatch } from '@comity/ingest'
import type { GatewayRun } from '@comity/ingest'
import type { GatewayBatch, Instant, SignedMessage } from '@comity/protocol'
import { GatewayProof } from './gateway-proof.ts'
import type { GatewaySigner } from './gateway-proof.ts'
import { SignatureMark } from './signature-mark.ts'
import type { GatewayTrust } from './gateway-trust.ts'

/** Below the best sites, above those nobody has named: a gateway brings much, and must not crowd them out. */
export const GATEWAY_WORTH = 0.5

export class GatewayEndpoint {
  readonly #trust: GatewayTrust
  readonly #proof: GatewayProof
  readonly #now: () => Instant
  /** By gateway. Another key of the same gateway makes no second batch of one. */
  readonly #runs = new Map<string, readonly GatewayRun[]>()

  /** `mark`: what was taken before a restart; of this process alone unless given. */
  constructor(trust: GatewayTrust, now: () => Instant, mark: SignatureMark = new SignatureMark(now())) {
    this.#trust = trust
    this.#proof = new GatewayProof(trust, now, mark)
    this.#now = now
  }

  /** The gateway that signed a request; throws a PushRefusal that says why nobody did. */
  signerOf(message: SignedMessage): Promise<GatewaySigner> {
    return this.#proof.signerOf(message)
  }

  mayName(name: string, url: string): boolean {
    return this.#trust.mayName(name, url)
  }

  isTaken(name: string, { run, number }: Pick<GatewayBatch, 'run' | 'number'>): boolean {
    return isTaken(this.#runs.get(name) ?? [], run, number)
  }

  took(name: string, { run, number }: Pick<GatewayBatch, 'run' | 'number'>): void {
    this.#runs.set(name, withBatch(this.#runs.get(name) ?? [], run, number, this.#now()))
  }
}
