/** Rebuild check, for tests: what comes out of a capture of conversations that are known, held against what was said. */
import { headerOf } from '@comity/protocol'
import type { BrowserView } from '../browser/browser-view.ts'
import type { CaptureSample } from './capture-sample.ts'
import type { ResponseHead } from '../http/head.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { Rebuilder } from '../rebuilder.ts'
import type { RebuildOptions } from '../rebuilder.ts'

interface RebuildCheck {
  /** ObservedExchanges that are told as whole, and are not what was said, or were told before. */
  readonly wrong: readonly string[]
  /** What must have come out and did not: of captures that lost nothing. */
  readonly missing: readonly string[]
  readonly whole: number
  /** What was still held at the end. */
  readonly held: { readonly flows: number; readonly bytes: number }
}

export function checkRebuild(
  { capture, truth, finished, isLossy }: CaptureSample,
  options?: RebuildOptions,
): RebuildCheck {
  const seen = new Set<string>()
  const wrong: string[] = []
  const rebuilder = new Rebuilder(
    {
      observed(observed) {
        if (observed.verdict !== 'whole') return
        const fault = seen.has(observed.url!) ? 'told twice' : faultOf(observed, truth)
        if (fault !== undefined) wrong.push(`${observed.url}: ${fault}`)
        seen.add(observed.url!)
      },
    },
    options,
  )
  rebuilder.write(capture)
  rebuilder.end()
  const missing = isLossy ? [] : [...finished].filter((url) => !seen.has(url))
  return { wrong, missing, whole: seen.size, held: rebuilder.memory }
}

/** The same of what a browser would show: what is in no doubt must be what was said, and what was said must be there. */
export function checkViews({ capture, truth, finished, isLossy }: CaptureSample): RebuildCheck {
  const shown = new Set<string>()
  const wrong: string[] = []
  let whole = 0
  const viewed = ({ url, status, headers, body, outcome, doubts }: BrowserView): void => {
    if (outcome !== 'shown') return
    shown.add(url ?? '')
    if (doubts.length > 0) return
    whole++
    const fault = faultOf({ url, response: { status, headers }, body }, truth)
    if (fault !== undefined) wrong.push(`${url}: ${fault}`)
  }
  const rebuilder = new Rebuilder({ observed: () => undefined }, { asBrowser: { viewed } })
  rebuilder.write(capture)
  rebuilder.end()
  const missing = isLossy ? [] : [...finished].filter((url) => !shown.has(url))
  return { wrong, missing, whole, held: rebuilder.memory }
}

interface Told extends Pick<ObservedExchange, 'url' | 'body'> {
  readonly response: Pick<ResponseHead, 'status' | 'headers'> | undefined
}

function faultOf({ url, response, body }: Told, truth: CaptureSample['truth']): string | undefined {
  const said = truth.get(url!)
  if (said === undefined) return 'was never asked'
  const path = headerOf(response!.headers, 'x-for')
  if (`http://site.example${path}` !== url) return `has the answer to ${path}`
  if (response!.status !== said.status) return `has status ${response!.status}, not ${said.status}`
  return Buffer.compare(said.body, body) === 0
    ? undefined
    : `has ${body.length} bytes that are not the ${said.body.length}`
}
