/**
 * JSON contract: the names in what commands print with `--json`, and the types behind them, as `test/contract/COMMAND.json` has
 * them. Programs of others read these: names are added, never renamed or taken away.
 *
 *   { "pages": "number", "title?": "string", "sites": [{ "origin": "string" }], "statuses": { "*": "number" } }
 *
 *   "name"     always there               { "*": … }       any keys, such as hosts, paths or numbers
 *   "name?"    in some objects            [ … ]            a list; of anything, when nothing stands in it
 *   "name??"   not at every time          { "|": [ … ] }   one of several kinds
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape }

/** What one command prints, by the words that it was called with. */
export type Contract = Readonly<Record<string, Shape>>

export const CONTRACTS: string = join(import.meta.dirname, '../../../../test/contract/recorded')

export function contractOf(command: string): Contract {
  return JSON.parse(readFileSync(join(CONTRACTS, `${command}.json`), 'utf8')) as Contract
}

/** How often a name is there: in every object, in some, or not at every time. */
type Presence = 'always' | 'some' | 'rare'

/** A shape taken apart: which scalars, and what objects and lists have in them. */
interface Kinds {
  readonly scalars: ReadonlySet<string>
  readonly names?: ReadonlyMap<string, { readonly kinds: Kinds; readonly presence: Presence }>
  /** Of any key. */
  readonly any?: Kinds
  readonly items?: Kinds
}

const NONE: Kinds = { scalars: new Set() }
const MARKS: Readonly<Record<Presence, string>> = { always: '', some: '?', rare: '??' }
/** Hosts, addresses, digests, media types and numbers are keys that somebody else chose. */
const NAME = /^[A-Za-z_][\w-]{0,40}$/

/** The shape of all of these together. */
export function shapeOf(values: readonly unknown[]): Shape {
  return written(values.map(kindsOf).reduce((sum, one) => merged(sum, one, 'some'), NONE))
}

/** What is in either; what one of them has not at all is rare. */
export function joined(one: Shape, other: Shape): Shape {
  return written(merged(read(one), read(other), 'rare'))
}

/** What of a recorded shape is gone or has another type now, in words. */
export function broken(recorded: Shape, now: Shape): string[] {
  return [...brokenIn(read(recorded), read(now), '')]
}

function kindsOf(value: unknown): Kinds {
  if (Array.isArray(value)) {
    const items = value.map(kindsOf).reduce((sum, one) => merged(sum, one, 'some'), NONE)
    return { ...NONE, items }
  }
  if (typeof value !== 'object' || value === null) return { scalars: new Set([value === null ? 'null' : typeof value]) }
  const entries = Object.entries(value)
  if (entries.length > 0 && !entries.some(([name]) => NAME.test(name))) {
    const any = entries.map(([, one]) => kindsOf(one)).reduce((sum, one) => merged(sum, one, 'some'), NONE)
    return { ...NONE, any }
  }
  const names = entries.map(([name, one]) => [name, { kinds: kindsOf(one), presence: 'always' }] as const)
  return { ...NONE, names: new Map(names) }
}

/** `missing`: how present a name is that only one of the two has. */
function merged(one: Kinds, other: Kinds, missing: Presence): Kinds {
  const both = (a: Kinds | undefined, b: Kinds | undefined): Kinds | undefined =>
    a === undefined || b === undefined ? (a ?? b) : merged(a, b, missing)
  const [names, any, items] = [
    mergedNames(one.names, other.names, missing),
    both(one.any, other.any),
    both(one.items, other.items),
  ]
  return {
    scalars: one.scalars.union(other.scalars),
    ...(names === undefined ? {} : { names }),
    ...(any === undefined ? {} : { any }),
    ...(items === undefined ? {} : { items }),
  }
}

function mergedNames(one: Kinds['names'], other: Kinds['names'], missing: Presence): Kinds['names'] {
  if (one === undefined || other === undefined) return one ?? other
  const all = [...new Set([...one.keys(), ...other.keys()])]
  return new Map(
    all.map((name) => {
      const [a, b] = [one.get(name), other.get(name)]
      if (a !== undefined && b !== undefined)
        return [name, { kinds: merged(a.kinds, b.kinds, missing), presence: lesser(a.presence, b.presence) }]
      const there = (a ?? b)!
      return [name, { kinds: there.kinds, presence: lesser(there.presence, missing) }]
    }),
  )
}

function lesser(a: Presence, b: Presence): Presence {
  if (a === 'rare' || b === 'rare') return 'rare'
  return a === 'some' || b === 'some' ? 'some' : 'always'
}

function* brokenIn(recorded: Kinds, now: Kinds, path: string): Generator<string> {
  const where = path === '' ? 'it' : path
  const were = typesOf(recorded)
  for (const type of typesOf(now))
    if (were.length > 0 && !were.includes(type)) yield `${where} is ${type} and was ${were.join(' or ')}`
  for (const [name, { kinds, presence }] of recorded.names ?? []) {
    const here = path === '' ? name : `${path}.${name}`
    const is = now.names?.get(name)
    if (is === undefined) {
      if (presence !== 'rare') yield `${here} is gone`
      continue
    }
    if (presence === 'always' && is.presence !== 'always') yield `${here} is not always there any more`
    yield* brokenIn(kinds, is.kinds, here)
  }
  for (const [kind, mark] of [
    ['any', '.*'],
    ['items', '[]'],
  ] as const) {
    const was = recorded[kind]
    if (was === undefined) continue
    const is = now[kind]
    if (is !== undefined) yield* brokenIn(was, is, `${path}${mark}`)
    // An object without any key has no names either.
    else if (typesOf(was).length > 0 && !(recorded.names !== undefined && now.names?.size === 0))
      yield `${path}${mark} is gone`
  }
}

const typesOf = ({ scalars, names, any, items }: Kinds): readonly string[] => [
  ...scalars,
  ...(names === undefined && any === undefined ? [] : ['object']),
  ...(items === undefined ? [] : ['list']),
]

function written({ scalars, names, any, items }: Kinds): Shape {
  const kinds: Shape[] = [...scalars].toSorted()
  if (names !== undefined)
    kinds.push(
      Object.fromEntries(
        Array.from(names, ([name, { kinds: one, presence }]) => [`${name}${MARKS[presence]}`, written(one)]),
      ),
    )
  if (any !== undefined) kinds.push({ '*': written(any) })
  if (items !== undefined) kinds.push(typesOf(items).length === 0 ? [] : [written(items)])
  if (kinds.length === 1) return kinds[0]!
  return { '|': kinds }
}

function read(shape: Shape): Kinds {
  if (typeof shape === 'string') return { scalars: new Set([shape]) }
  if (Array.isArray(shape)) return { ...NONE, items: shape.length === 0 ? NONE : read((shape as readonly Shape[])[0]!) }
  const entries = Object.entries(shape)
  const [[first, value] = []] = entries
  if (first === '|') return (value as readonly Shape[]).map(read).reduce((sum, one) => merged(sum, one, 'some'), NONE)
  if (first === '*' && entries.length === 1) return { ...NONE, any: read(value!) }
  const names = entries.map(([marked, one]) => {
    const [, name = '', mark = ''] = /^(.*?)(\??\??)$/.exec(marked) ?? []
    const presence: Presence = mark === '??' ? 'rare' : mark === '?' ? 'some' : 'always'
    return [name, { kinds: read(one), presence }] as const
  })
  return { ...NONE, names: new Map(names) }
}
