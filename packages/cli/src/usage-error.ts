/** Wrong use: what was typed cannot be done as it stands. The command ends with exit code 2 and says what would work. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  readonly code = 'WRONG_USE' as const
}

/** What was asked about is not there. Not the words' fault: exit code 1. */
export class NotThere extends Error {
  override readonly name: string = 'NotThere'
  readonly code = 'PAGE_UNKNOWN' as const
}

/** A value that its flag cannot take. The message follows the value: `"fast" is not a duration: …`. */
export class BadValue extends Error {
  override readonly name: string = 'BadValue'
}

/** With a full stop, unless it ends like a sentence already. */
export const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)
