/**
 * Report HTML: a template tag that escapes. Whatever is put in is text, unless it is markup made by this tag (or trusted
 * by name, as our own SVG is), so a page title of a stranger's web cannot become an element of the report.
 */
import { tableOf } from '@comity/protocol'
export interface Markup {
  readonly source: string
}

type Content = string | number | Markup | undefined | readonly Content[]

export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return trusted(strings.map((text, i) => (i === 0 ? text : render(values[i - 1]) + text)).join(''))
}

/** Only for text that is made of escaped parts already. */
export const trusted = (source: string): Markup => ({ source })

function render(value: Content): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeMarkup(value)
  if (typeof value === 'number') return String(value)
  if ('source' in value) return value.source
  return value.map(render).join('')
}

const entities: ReadonlyMap<string, string> = tableOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

/** Fit for text and for attributes in quotes of either kind. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities.get(char) ?? char)
}
