/**
 * HTML: `html` is a template that cannot be left. Whatever is filled in becomes text, or the value of its attribute,
 * and nothing else: only what another `html` template made stays markup. Addresses go through `safeAddress`, whoever
 * wrote them. What a template of ours may not hold at all, html-places.ts refuses.
 *
 * Everything a crawl brings home was written by strangers, so safety is the default here and not a habit of callers.
 */
import { tableOf } from '@comity/protocol'
import { INVALID_ADDRESS, safeAddress } from './address.ts'
import { ADDRESSES, isForbidden, placesOf, TemplateError } from './html-places.ts'
import type { Place } from './html-places.ts'

/** Markup made by a template. */
export class Html {
  readonly source: string
  readonly kind: 'content' | 'attributes'
  /** For this file alone: everybody else writes templates. */
  constructor(source: string, kind: 'content' | 'attributes') {
    this.source = source
    this.kind = kind
  }
}

/** What may be filled in; `undefined` and `false` leave nothing. */
export type Filling = Html | string | number | undefined | false | readonly Filling[]

interface Template {
  readonly parts: readonly string[]
  readonly places: readonly Place[]
}

// Read once: the fixed parts of a template are the same object on every call.
const known = new WeakMap<readonly string[], Template>()

export function html(parts: TemplateStringsArray, ...fillings: readonly Filling[]): Html {
  let template = known.get(parts)
  if (template === undefined) known.set(parts, (template = templateOf(parts)))
  let source = template.parts[0]!
  for (const [i, place] of template.places.entries()) source += fill(place, fillings[i]) + template.parts[i + 1]!
  return new Html(source, 'content')
}

function templateOf(parts: readonly string[]): Template {
  const places = placesOf(parts)
  // Templates are indented for those who read the source; browsers need none of it, as white space is white space.
  const squeezed = parts.map((part, i) => {
    const short = part.replaceAll(/\s*\n\s*/g, '\n')
    return places[i]?.kind === 'attributes' ? short.trimEnd() : short
  })
  return { parts: squeezed, places }
}

function fill(place: Place, filling: Filling): string {
  if (filling === undefined || filling === false) return ''
  if (place.kind === 'text') return fillText(filling)
  if (place.kind === 'attributes') {
    if (filling instanceof Html && filling.kind === 'attributes') return filling.source
    throw new TemplateError('between attributes only attributes() may stand')
  }
  if (typeof filling === 'object') throw new TemplateError(`markup cannot be the value of ${place.attribute}=`)
  if (place.kind === 'address') return escapeHtml(safeAddress(String(filling)) ?? INVALID_ADDRESS)
  return escapeHtml(String(filling))
}

function fillText(filling: Filling): string {
  if (filling === undefined || filling === false) return ''
  if (filling instanceof Html) {
    if (filling.kind === 'content') return filling.source
    throw new TemplateError('attributes cannot stand in text')
  }
  if (typeof filling === 'object') return filling.map(fillText).join('')
  return escapeHtml(String(filling))
}

/** Attributes that come and go: `undefined` and `false` leave one out, `true` writes it without a value. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const written = Object.entries(values).map(([name, value]) => {
    if (!/^[a-z][a-z0-9-]*$/i.test(name) || isForbidden(name.toLowerCase())) {
      throw new TemplateError(`${name} is no attribute to fill in`)
    }
    if (value === undefined || value === false) return ''
    if (value === true) return ` ${name}`
    const text = ADDRESSES.has(name.toLowerCase()) ? (safeAddress(String(value)) ?? INVALID_ADDRESS) : String(value)
    return ` ${name}="${escapeHtml(text)}"`
  })
  return new Html(written.join(''), 'attributes')
}

const ENTITIES: ReadonlyMap<string, string> = tableOf({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})

// Control characters are not HTML, and a carriage return would come back as a line feed.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Right in text and in a quoted value alike. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(CONTROLS, '\ufffd')
    .replaceAll(/[&<>"']/g, (c) => ENTITIES.get(c)!)
