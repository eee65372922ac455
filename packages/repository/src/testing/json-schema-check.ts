/** JSON Schema check, for the tests of this package: the part of draft 2020-12 that `openapi.json` uses, and no more. */
import { ownValue } from '@comity/protocol'
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly prefixItems?: readonly Schema[]
  readonly items?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly description?: string
}

const WORDS = new Set(
  (
    '$ref type enum const oneOf required properties additionalProperties prefixItems items minimum maximum minItems ' +
    'maxItems minProperties maxLength default description'
  ).split(' '),
)

/** Everything that is wrong, with its place; empty when the value fits. Throws at a word of a schema it cannot check. */
export function misfits(value: unknown, schema: Schema, schemas: Readonly<Record<string, Schema>>, at = '$'): string[] {
  const unchecked = Object.keys(schema).find((word) => !WORDS.has(word))
  if (unchecked !== undefined) throw new Error(`${at}: the check does not know "${unchecked}"`)
  if (schema.$ref !== undefined) {
    const target = ownValue(schemas, schema.$ref.split('/').at(-1)!)
    if (target === undefined) throw new Error(`${at}: there is no ${schema.$ref}`)
    return misfits(value, target, schemas, at)
  }
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((one) => misfits(value, one, schemas, at).length === 0)
    return fitting.length === 1 ? [] : [`${at} fits ${fitting.length} of ${schema.oneOf.length} schemas`]
  }
  if ('const' in schema && value !== schema.const) return [`${at} is not ${JSON.stringify(schema.const)}`]
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${at} is none of ${JSON.stringify(schema.enum)}`]
  if (schema.type !== undefined && !isOfType(value, schema.type))
    return [`${at} is no ${schema.type}: ${JSON.stringify(value)}`]
  if (Array.isArray(value)) return arrayMisfits(value, schema, schemas, at)
  if (typeof value === 'object' && value !== null)
    return objectMisfits(value as Record<string, unknown>, schema, schemas, at)
  if (typeof value === 'number') {
    return value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity) ? [`${at} is ${value}`] : []
  }
  return typeof value === 'string' && value.length > (schema.maxLength ?? Infinity) ? [`${at} is too long`] : []
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  // oxlint-disable-next-line valid-typeof -- the rest are JavaScript's own words.
  return typeof value === type
}

function arrayMisfits(
  value: readonly unknown[],
  schema: Schema,
  schemas: Parameters<typeof misfits>[2],
  at: string,
): string[] {
  const { prefixItems = [], items = true, minItems = 0, maxItems = Infinity } = schema
  const count = value.length < minItems || value.length > maxItems ? [`${at} has ${value.length} items`] : []
  return value.reduce<string[]>((all, item, i) => {
    const of = prefixItems[i] ?? items
    if (of === false) all.push(`${at}[${i}] is too many`)
    else if (of !== true) all.push(...misfits(item, of, schemas, `${at}[${i}]`))
    return all
  }, count)
}

function objectMisfits(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  schemas: Parameters<typeof misfits>[2],
  at: string,
): string[] {
  const { required = [], properties = {}, additionalProperties = true, minProperties = 0 } = schema
  const wrong = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`)
  if (Object.keys(value).length < minProperties) wrong.push(`${at} has too few members`)
  for (const [name, member] of Object.entries(value)) {
    const of = ownValue(properties, name) ?? additionalProperties
    if (of === false) wrong.push(`${at}.${name} is not in the schema`)
    else if (of !== true) wrong.push(...misfits(member, of, schemas, `${at}.${name}`))
  }
  return wrong
}
