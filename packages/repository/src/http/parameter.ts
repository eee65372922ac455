/**
 * Parameters of a request: one table a route says which there are, what they may hold and what stands for those that are
 * left out. Read once, at the endpoint: whatever is past it is of the right kind and within its limits.
 */
import { Problem } from '@comity/receiver'

interface Named {
  readonly name: string
  readonly isRequired?: boolean
}

export type Parameter =
  | (Named & { readonly kind: 'text'; readonly maxLength: number; readonly fallback?: string })
  | (Named & { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly fallback?: number })
  | (Named & { readonly kind: 'choice'; readonly choices: readonly string[]; readonly fallback: string })
  /** `1` or `true`, `0` or `false`. */
  | (Named & { readonly kind: 'flag' })

type Value = string | number | boolean | undefined

/** The values of one request. Asking for a name that is not in the route's table is a bug, and throws. */
export class Parameters {
  readonly #values: ReadonlyMap<string, Value>

  constructor(values: ReadonlyMap<string, Value>) {
    this.#values = values
  }

  text(name: string): string {
    return String(this.#get(name) ?? '')
  }
  number(name: string): number {
    return Number(this.#get(name))
  }
  flag(name: string): boolean {
    return this.#get(name) === true
  }
  /** Whether it was given, or has a fallback. */
  has(name: string): boolean {
    return this.#get(name) !== undefined
  }

  #get(name: string): Value {
    if (!this.#values.has(name)) throw new Error(`the route has no parameter ${name}`)
    return this.#values.get(name)
  }
}

/** `isStrict`: a name that is not in the table is a mistake to be told, and not to be passed over. */
export function readParameters(table: readonly Parameter[], query: URLSearchParams, isStrict: boolean): Parameters {
  const unknown = isStrict ? [...query.keys()].find((name) => !table.some((one) => one.name === name)) : undefined
  if (unknown !== undefined) {
    const names = table.map(({ name }) => name).join(', ')
    throw bad(`There is no parameter ${quoted(unknown)} here. ${names === '' ? 'None is taken.' : `Known: ${names}.`}`)
  }
  return new Parameters(new Map(table.map((parameter) => [parameter.name, valueOf(parameter, query)])))
}

function valueOf(parameter: Parameter, query: URLSearchParams): Value {
  const given = query.getAll(parameter.name)
  if (given.length > 1) throw bad(`${parameter.name} is given ${given.length} times. Give it once.`)
  const text = given[0]
  if (text === undefined || (text === '' && parameter.isRequired !== true)) {
    if (parameter.isRequired === true) throw bad(`${parameter.name} is missing.`)
    return 'fallback' in parameter ? parameter.fallback : undefined
  }
  return parsed(parameter, text)
}

function parsed(parameter: Parameter, text: string): Value {
  const { name } = parameter
  if (parameter.kind === 'integer') {
    const { min, max } = parameter
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw bad(`${name} is a whole number from ${min} to ${max}.`)
    return value
  }
  if (parameter.kind === 'choice') {
    if (!parameter.choices.includes(text)) throw bad(`${name} is one of ${parameter.choices.join(', ')}.`)
    return text
  }
  if (parameter.kind === 'flag') {
    if (!/^(?:0|1|true|false)$/.test(text)) throw bad(`${name} is 1 or 0.`)
    return text === '1' || text === 'true'
  }
  if (text.length > parameter.maxLength) throw bad(`${name} may be ${parameter.maxLength} characters long.`)
  if (text === '') throw bad(`${name} is empty.`)
  return text.toWellFormed()
}

const bad = (detail: string): Problem => new Problem('bad-parameter', detail)

/** A stranger's word inside a sentence of ours: short, and printable. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 40).toWellFormed())
