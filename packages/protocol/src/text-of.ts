/**
 * Text of whatever was given: a value out of a stranger's JSON, what somebody's hook or program threw, a setting of the
 * wrong kind. `String` asks the value itself, and `{"toString":null}` is JSON: then the message about a bad item would be
 * the fault that stops the next one. These never throw.
 */

export function textOf(value: unknown): string {
  try {
    // oxlint-disable-next-line typescript/no-base-to-string -- This is the place where it may fail.
    return String(value)
  } catch {
    return 'a value that has no text'
  }
}

/** What an error says, or the text of what was thrown in its place. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? textOf(error.message) : textOf(error)
  } catch {
    return textOf(error)
  }
}
