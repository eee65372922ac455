/** Bar: a share as a stroke, drawn with SVG since a style attribute is not allowed. The number stands beside it in words. */
import { html } from './html.ts'
import type { Html } from './html.ts'

/** `share` is 0 to 1; what is there at all is never drawn as nothing. */
export function bar(share: number): Html {
  const width = share > 0 ? Math.min(100, Math.max(1, Math.round(share * 100))) : 0
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="all" width="100" height="6" />
    <rect class="part" width="${width}" height="6" />
  </svg>`
}
