/**
 * Structured fields (RFC 9651): dictionaries and single items, as Repr-Digest and Use-As-Dictionary are written.
 *
 * One fault makes the whole field void (§4.2), so the readers answer with a value or undefined. Parameters are read and
 * dropped: none of our fields has any. Display strings are not read; no field of ours may hold one.
 */
export type FieldItem =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'token'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
export type FieldMember = FieldItem | { readonly kind: 'list'; readonly value: readonly FieldItem[] }

const MAX_FIELD_CHARS = 8_192

/** A whole field that is a dictionary; the last of equal keys counts. */
export function parseFieldDictionary(field: string): ReadonlyMap<string, FieldMember> | undefined {
  return parseWhole(field, dictionary)
}

/** A whole field that is one item. */
export function parseFieldItem(field: string): FieldItem | undefined {
  return parseWhole(field, itemWithParameters)
}

/** Quoted, with quotes and backslashes escaped; undefined when a character is not of ASCII's printable ones. */
export function writeFieldString(text: string): string | undefined {
  return /^[\x20-\x7e]*$/.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : undefined
}

export function writeFieldBytes(bytes: Uint8Array): string {
  return `:${Buffer.from(bytes).toString('base64')}:`
}

/** Where reading stands; regular expressions that stick to it do the rest. */
interface Cursor {
  readonly text: string
  at: number
}

function parseWhole<T>(field: string, read: (cursor: Cursor) => T | undefined): T | undefined {
  if (field.length > MAX_FIELD_CHARS) return undefined
  const cursor = { text: field, at: 0 }
  take(cursor, / */y)
  const value = read(cursor)
  take(cursor, / */y)
  return cursor.at === field.length ? value : undefined
}

/** What the expression matches here, its first group if it has one; undefined when it does not match. */
function take(cursor: Cursor, expression: RegExp): string | undefined {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)
  if (found === null) return undefined
  cursor.at += found[0].length
  return found[1] ?? found[0]
}

function dictionary(cursor: Cursor): ReadonlyMap<string, FieldMember> | undefined {
  const members = new Map<string, FieldMember>()
  if (cursor.at === cursor.text.length) return members
  do {
    const key = take(cursor, KEY)
    if (key === undefined) return undefined
    const value = take(cursor, /=/y) === undefined ? withParameters(cursor, TRUE) : member(cursor)
    if (value === undefined) return undefined
    // Set anew, a key moves to the end (§4.2.2).
    members.delete(key)
    members.set(key, value)
  } while (take(cursor, /[ \t]*,[ \t]*(?!$)/y) !== undefined)
  return members
}

const KEY = /[a-z*][a-z0-9_.*-]*/y
const TRUE: FieldItem = { kind: 'boolean', value: true }

function member(cursor: Cursor): FieldMember | undefined {
  return cursor.text[cursor.at] === '(' ? innerList(cursor) : itemWithParameters(cursor)
}

function innerList(cursor: Cursor): FieldMember | undefined {
  const value: FieldItem[] = []
  take(cursor, /\( */y)
  while (take(cursor, /\)/y) === undefined) {
    const item = itemWithParameters(cursor)
    if (item === undefined || take(cursor, / +|(?=\))/y) === undefined) return undefined
    value.push(item)
  }
  return withParameters(cursor, { kind: 'list', value })
}

const itemWithParameters = (cursor: Cursor): FieldItem | undefined => {
  const item = bareItem(cursor)
  return item === undefined ? undefined : withParameters(cursor, item)
}

function withParameters<T>(cursor: Cursor, value: T): T | undefined {
  while (take(cursor, /; */y) !== undefined) {
    if (take(cursor, KEY) === undefined) return undefined
    if (take(cursor, /=/y) !== undefined && bareItem(cursor) === undefined) return undefined
  }
  return value
}

function bareItem(cursor: Cursor): FieldItem | undefined {
  const string = take(cursor, /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y)
  if (string !== undefined) return { kind: 'string', value: string.replaceAll(/\\(.)/g, '$1') }
  const bytes = take(cursor, /:([A-Za-z0-9+/]*={0,2}):/y)
  if (bytes !== undefined) return { kind: 'bytes', value: Buffer.from(bytes, 'base64') }
  // A date is an integer with an @ before it (§3.3.7), and means the seconds it says.
  const number = take(cursor, /@?(-?(?:\d{1,12}\.\d{1,3}|\d{1,15}))(?![\d.])/y)
  if (number !== undefined) return { kind: 'number', value: Number(number) }
  const boolean = take(cursor, /\?([01])/y)
  if (boolean !== undefined) return { kind: 'boolean', value: boolean === '1' }
  const token = take(cursor, /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y)
  return token === undefined ? undefined : { kind: 'token', value: token }
}
