/**
 * Callback policy: which addresses a hub calls at all. A stranger names them, so none may lead into the owner's network or
 * back to the site. An address is looked at here as far as it can be without asking anybody; a name is looked at again when
 * it is resolved, right before the connection (`post.ts`).
 */
import { isIP } from 'node:net'
import { mayVisit } from '@comity/protocol'
import type { AllowPrivate } from '@comity/protocol'

export interface CallbackPolicy {
  /** Why a callback is not called, as a sentence for whoever named it; undefined when it may be. */
  fault(callback: string): string | undefined
}

interface CallbackPolicyOptions {
  /** The site's own. */
  readonly origin: string
  readonly allowPrivate: AllowPrivate
}

export function callbackPolicy({ origin, allowPrivate }: CallbackPolicyOptions): CallbackPolicy {
  const isAllowed = mayVisit(allowPrivate)
  return {
    fault: (callback) => {
      const url = URL.parse(callback)
      if (url === null) return 'The callback is no address.'
      if (url.origin === origin) return 'The callback is on the site itself: name one of your own.'
      const host = url.hostname.replaceAll(/^\[|\]$/g, '')
      if (isIP(host) !== 0)
        return isAllowed(host)
          ? undefined
          : 'The callback is at a private or reserved address, which is not called from here.'
      if (allowPrivate === false && LOCAL.test(host)) return 'The callback has a name of a local network only.'
      return undefined
    },
  }
}

/** What counts as one party: the name, whatever the port. */
export function hostOfCallback(callback: string): string {
  return URL.parse(callback)?.hostname ?? ''
}

/** Names that no public host has: without a dot, and those of RFC 6761, RFC 6762 and RFC 8375. */
const LOCAL = /^[^.]+\.?$|\.(?:local|localhost|internal|home\.arpa)\.?$/i
