/**
 * ConnectionWatch: may the server know who speaks on a connection, though a request on it does not say? NTLM and Negotiate sign in a
 * connection and not a request (MS-NTHT §3.2.5): what follows on it carries nothing. And whoever was asked for a password once, or gave one, may be
 * known by other means from then on. So all that comes after such an exchange is taken for somebody's own; what came before is not.
 */
import { headerOf } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export class ConnectionWatch {
  #isKnown = false

  /** From now on. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  asks(headers: HeaderList): void {
    this.#isKnown ||= CREDENTIALS.some((name) => headerOf(headers, name) !== undefined)
  }

  answers(status: number): void {
    this.#isKnown ||= status === 401 || status === 407
  }
}

const CREDENTIALS = ['authorization', 'proxy-authorization'] as const
