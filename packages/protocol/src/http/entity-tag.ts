/**
 * Entity tags (RFC 9110 §8.8.3): a page's version by name. A tag is kept as it was sent, quotes and `W/` included.
 *
 * Strong comparison says that two versions are equal byte by byte, weak comparison that one will do for the other.
 */

/** More tags than any cache offers; those beyond are as if they had not been sent. */
const MAX_TAGS = 100
const MAX_FIELD_CHARS = 16_384

/** The tag if the text is one, and undefined otherwise. */
export function parseEntityTag(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length <= MAX_FIELD_CHARS && ONE_TAG.test(trimmed) ? trimmed : undefined
}

/** The tags of a list, or `*`. Members that are no tags are left out: no version is meant by them. */
export function parseEntityTags(field: string): '*' | readonly string[] {
  if (field.trim() === '*') return '*'
  return (field.slice(0, MAX_FIELD_CHARS).match(TAGS) ?? []).slice(0, MAX_TAGS)
}

/** `W/` in capitals only (§8.8.3); within the quotes all but quotes, spaces and controls. */
const ONE_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"$/
const TAGS = /(?<![^\s,])(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"(?![^\s,])/g

export const isWeak = (tag: string): boolean => tag.startsWith('W/')

/** Equal and both strong. */
export const matchesStrongly = (a: string, b: string): boolean => a === b && !isWeak(a)

/** Equal but for weakness. */
export const matchesWeakly = (a: string, b: string): boolean => opaque(a) === opaque(b)

const opaque = (tag: string): string => (isWeak(tag) ? tag.slice(2) : tag)
