/**
 * Field: one thing that a page says, by a CSS selector, with the type of what is found. Of several elements that fit, the first counts; one
 * that is not there, or says nothing, is undefined. Selectors are read once, when the field is made, and what is no selector throws there.
 */
import { ownValue } from '@comity/protocol'
import { compile, selectAll, selectOne } from 'css-select'
import type { AnyNode, Document, Element } from 'domhandler'
import { selectorInvalid } from './errors.ts'
import { textIn } from './page-tree.ts'

/** Where to look, and what links are relative to. */
interface Within {
  readonly root: Document | Element
  readonly base: string
}

export interface Field<Value> {
  pick(within: Within): Value
  /** A page without it is incomplete; see `required`. */
  readonly isRequired?: boolean
}

/** A field of one element, which `list` finds in each that fits. */
export interface OneField<Value> extends Field<Value | undefined> {
  all(within: Within): Value[]
}

/** The values of such fields, by their names. */
export type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never
}

/** Text as a reader sees it, in one line. */
export const text = (selector: string): OneField<string> => one(selector, (element) => textIn(element) || undefined)

/** An attribute, as it stands there. */
export const attribute = (selector: string, name: string): OneField<string> =>
  one(selector, ({ attribs }) => ownValue(attribs, name))

/** The address that an attribute names, whole; undefined for what is not on the Web (`mailto:`, `javascript:`). */
export const link = (selector: string, name: string = 'href'): OneField<string> =>
  one(selector, ({ attribs }, { base }) => {
    const written = ownValue(attribs, name)
    const url = written === undefined ? null : URL.parse(written, base)
    return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
  })

/** The first number of the text. `decimal`: what stands before its fraction; whatever else is among its digits groups them. */
export const number = (selector: string, decimal: '.' | ',' = '.'): OneField<number> =>
  one(selector, (element) => numberIn(textIn(element), decimal))

/** What can be told of some elements at once: each the values of these fields, looked for within it. */
export const items = <Fields extends Readonly<Record<string, Field<unknown>>>>(
  selector: string,
  fields: Fields,
): OneField<ValuesOf<Fields>> => one(selector, (root, { base }) => valuesOf(fields, { root, base }))

/** The same of every element that fits, in the order of the page. */
export const list = <Value>(field: OneField<Value>): Field<Value[]> => ({ pick: (within) => field.all(within) })

/** A page where it is missing is incomplete, and says so. */
export const required = <Value>(field: OneField<Value>): Field<Value> => ({
  isRequired: true,
  // Of a page that is told as read, none of these is missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `page-reader.ts` hands out no values where one is.
  pick: (within) => field.pick(within) as Value,
})

export function valuesOf<Fields extends Readonly<Record<string, Field<unknown>>>>(
  fields: Fields,
  within: Within,
): ValuesOf<Fields> {
  const values = Object.entries(fields).map(([name, field]) => [name, field.pick(within)] as const)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries of these very names.
  return Object.fromEntries(values) as ValuesOf<Fields>
}

type Read<Value> = (element: Element, within: Within) => Value | undefined

const self = ({ root }: Within): Element[] => ('attribs' in root ? [root] : [])

/** `:scope` by itself is the element that is looked in. */
function one<Value>(selector: string, read: Read<Value>): OneField<Value> {
  const isSelf = selector.trim() === ':scope'
  const query = isSelf ? () => false : compiled(selector)
  return {
    pick: (within) => {
      const found = isSelf ? self(within)[0] : selectOne<AnyNode, Element>(query, within.root.children)
      return found === null || found === undefined ? undefined : read(found, within)
    },
    all: (within) => {
      const found = isSelf ? self(within) : selectAll<AnyNode, Element>(query, within.root.children)
      return found.flatMap((element) => {
        const value = read(element, within)
        return value === undefined ? [] : [value]
      })
    },
  }
}

function compiled(selector: string): (element: Element) => boolean {
  try {
    return compile<AnyNode, Element>(selector)
  } catch (error) {
    throw selectorInvalid(selector, error)
  }
}

function numberIn(words: string, decimal: '.' | ','): number | undefined {
  const found = /(?<sign>[-−]?)\s*(?<digits>\p{Sc}?\s*\d[\d\s.,'’]*)/u.exec(words)?.groups
  if (found === undefined) return undefined
  const [whole = '', fraction = ''] = found['digits']!.split(decimal, 2).map((part) => part.replaceAll(/\D/g, ''))
  const value = Number(`${whole}.${fraction || '0'}`)
  return found['sign'] === '' ? value : -value
}
