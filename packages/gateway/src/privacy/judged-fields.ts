/**
 * Judged fields: what of an answer's head the gate looks at, beside its type. What was judged once is not judged again while
 * its bytes, these fields and the gate's rules are the same (`page-verdict.ts`), and parts of a page are joined while these are the same
 * (`http/range-join.ts`): a field that the gate reads and this table does not have could take nothing away from the index.
 */
import type { HeaderList } from '@comity/protocol'

export const SET_COOKIE = ['set-cookie', 'set-cookie2'] as const

/** What a server says to whom it knows (RFC 9110 §11.6.3, RFC 4559 §4.1). */
export const AUTH_ANSWER_FIELDS = [
  'authentication-info',
  'proxy-authentication-info',
  'www-authenticate',
  'proxy-authenticate',
] as const

/** Also what is said to caches of one kind alone (RFC 9213), or of those who came before it. */
export const isCacheControl = (name: string): boolean => name.endsWith('cache-control') || name === 'surrogate-control'

const OTHERS = ['content-encoding', 'vary', 'x-robots-tag'] as const
const NAMED: ReadonlySet<string> = new Set([...SET_COOKIE, ...AUTH_ANSWER_FIELDS, ...OTHERS])

const isJudged = (name: string): boolean => NAMED.has(name) || isCacheControl(name)

/** All fields that are judged, as they came. */
export const judgedFields = (headers: HeaderList = []): string =>
  JSON.stringify(headers.filter(([name]) => isJudged(name.toLowerCase())))
