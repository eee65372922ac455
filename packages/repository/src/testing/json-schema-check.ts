/** JSON Schema check, for the tests of this package: ajv, in its strict mode, with the schemas of `openapi.json`. */
import { Ajv2020 } from 'ajv/dist/2020.js'

export type Schema = Readonly<Record<string, unknown>>

/** Everything that is wrong, with its place; empty when the value fits. Throws at a schema that is none. */
export function misfits(value: unknown, schema: Schema, schemas: Readonly<Record<string, Schema>>): string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  const whole = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  ajv.validate(JSON.parse(whole) as Schema, value)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `$${instancePath} ${message}`)
}
