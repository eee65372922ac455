/** Trust: the authorities whose certificates we believe, when those of the system are not enough. */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'

let usual: SecureContext | undefined

/** The system's authorities and those in `pem`; made once, as reading some 150 certificates takes a while. */
export function trustOf(pem: string | undefined): SecureContext | undefined {
  return pem === undefined ? undefined : createSecureContext({ ca: [...getCACertificates('default'), pem] })
}

/** The system's alone: one for all connections, made when the first of them needs it. */
export function usualTrust(): SecureContext {
  return (usual ??= createSecureContext())
}
