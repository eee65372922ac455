/** Package fetch: a file of a site's, or a part of one, asked for until it is whole or hopeless (`bulk/dump-fetch.ts` of follow). */
import { DumpFetch, MAX_PACKAGE_BYTES } from '@comity/follow'
import type { FilePart, Questions, Spent } from '@comity/follow'

export type Fetched =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: 'failed'; readonly problem: string }

interface WantedPackage {
  readonly site: number
  /** On that site. */
  readonly path: string
  /** All of it when not given. */
  readonly part?: FilePart | undefined
}

/** `then` is called once, unless the run ends or the site is given up before; the site is asked nothing more until it is done. */
export function fetchPackage(
  questions: Questions,
  { site, path, part }: WantedPackage,
  then: (fetched: Fetched, spent: Spent) => void | Promise<void>,
): void {
  const fetch = new DumpFetch(MAX_PACKAGE_BYTES, part)
  let [requests, bytes] = [0, 0]
  const ask = (): void => {
    const { headers, maxBytes } = fetch.begin()
    questions.ask({
      site,
      path,
      headers,
      maxBodyBytes: maxBytes,
      answered: async (exchange, address) => {
        requests++
        if (exchange.kind === 'answered') bytes += exchange.body.length
        const step = fetch.answered(exchange)
        if (step.kind === 'ask') ask()
        else await then(step.kind === 'whole' ? { ...step, address } : step, { requests, bytes })
      },
    })
  }
  ask()
}
