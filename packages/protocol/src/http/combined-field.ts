/** Combined field: all lines of a header field as one value (RFC 9110 §5.3). `headerOf` has only the first. */
import type { HeaderList } from '../capture.ts'

/** The lines in order, joined by commas; undefined when there is none. */
export function combinedField(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const lines = headers.filter(([key]) => key.toLowerCase() === wanted)
  return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ')
}
