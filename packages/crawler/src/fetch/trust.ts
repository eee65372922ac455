/** Trust: the authorities whose certificates we believe, when those of the system are not enough. */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'

/** The system's authorities and those in `pem`; made once, as reading some 150 certificates takes a while. */
export function trustOf(pem: string | undefined): SecureContext | undefined {
  return pem === undefined ? undefined : createSecureContext({ ca: [...getCACertificates('default'), pem] })
}
