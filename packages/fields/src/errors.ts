/** Errors of fields: wrong use, told when a field is made and not when a page is read. */
export type FieldsErrorCode = 'SELECTOR_INVALID'

export class FieldsError extends Error {
  override readonly name: string = 'FieldsError'
  readonly code: FieldsErrorCode
  constructor(code: FieldsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const selectorInvalid = (selector: string, cause: unknown): FieldsError => {
  const why = cause instanceof Error ? cause.message : 'it cannot be read'
  return new FieldsError('SELECTOR_INVALID', `"${selector}" is no CSS selector: ${why}. Correct it there.`, { cause })
}
