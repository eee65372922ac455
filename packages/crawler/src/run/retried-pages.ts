/**
 * Retried pages: those that were kept aside, and that somebody wants to be tried again, wait to be visited once more. Each
 * letter is let go when that is durable. What a site sent is taken in again by `push/intake-handler.ts`, which has it whole.
 */
import { canonicalUrl } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { EXCLUDED } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { FaultIsolation } from '@comity/ingest'

export async function retryPages(
  faults: Pick<FaultIsolation, 'retries' | 'settled'>,
  frontier: Pick<Frontier, 'findUrl' | 'admit'> & { readonly pages: Pick<Frontier['pages'], 'stateOf'> },
  rules: UrlRules,
  commit: () => Promise<void>,
): Promise<void> {
  const letters = faults.retries().filter(({ item }) => item === undefined)
  for (const { url = '' } of letters) {
    const page = frontier.findUrl(canonicalUrl(url, undefined, rules) ?? '')
    // A page that may not be asked for is not asked for because somebody sent it.
    if (page !== -1 && frontier.pages.stateOf(page) !== EXCLUDED) frontier.admit(page)
  }
  await commit()
  for (const letter of letters) faults.settled(letter)
}
