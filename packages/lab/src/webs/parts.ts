/**
 * The five parts of a web (Broder et al., Computer Networks 33, 2000, doi:10.1016/S1389-1286(00)00083-9; 001 §II), page by page:
 *
 *   IN ──▶ core ──▶ OUT        tendrils hang on IN or OUT without leading to or from the core
 *    └▶ tendril ──▶ ┘          disconnected pages hang on none of these
 */
import { componentsOf } from './graph/components.ts'
import { transposed } from './graph/links.ts'
import type { Links } from './graph/links.ts'
import { reachableFrom } from './graph/reach.ts'

export const PARTS = ['core', 'in', 'out', 'tendrils', 'disconnected'] as const
const [CORE, IN, OUT, TENDRILS, DISCONNECTED] = [0, 1, 2, 3, 4]

/** The place in `PARTS` of each page. The core is the largest set of pages that all reach each other. */
export function partsOf(web: Links): Uint8Array {
  const pages = web.starts.length - 1
  const parts = new Uint8Array(pages).fill(DISCONNECTED)
  const { sizes, memberOf } = componentsOf(web)
  const core = sizes.reduce((best, size, component) => (size > sizes[best]! ? component : best), 0)
  const start = memberOf[core]
  if (start === undefined) return parts
  const back = transposed(web)
  const attached = connectedWith(web, back, start)
  const behind = reachableFrom(web, [start]).reached
  const before = reachableFrom(back, [start]).reached
  for (let page = 0; page < pages; page++) {
    if (behind[page] === 1) parts[page] = before[page] === 1 ? CORE : OUT
    else if (before[page] === 1) parts[page] = IN
    else if (attached[page] === 1) parts[page] = TENDRILS
  }
  return parts
}

/** 1 for pages that hang together with one, whichever way the links lead. */
function connectedWith(web: Links, back: Links, start: number): Uint8Array {
  const seen = new Uint8Array(web.starts.length - 1)
  const queue = new Uint32Array(seen.length)
  let count = 0
  const see = (page: number): void => {
    if (seen[page] === 1) return
    seen[page] = 1
    queue[count++] = page
  }
  see(start)
  for (let at = 0; at < count; at++) {
    for (const { starts, targets } of [web, back]) {
      const page = queue[at]!
      for (let i = starts[page]!; i < starts[page + 1]!; i++) see(targets[i]!)
    }
  }
  return seen
}
