/**
 * Secret address: does a path hold what looks like a key? Whoever has such an address may open it, and nobody else is meant to: one
 * that sets a password anew, a file that was shared, an invitation. Nothing in a request or its answer need say so, so that the
 * address is all there is to go by. It is a guess, and wrong for pages whose numbers are made at random: whoever uses it asks for
 * more than one reader then, or for the owner's word.
 */

/** Segments that look like one: what is long and changes between letters and digits, or between cases, more than words do. */
export function looksSecret(path: string): boolean {
  return path.split('?', 1)[0]!.split('/').some(isKey)
}

/** 16 bytes in hexadecimal have 32 digits, with dashes or without (RFC 9562); in base 64 they have 22. */
const HEXADECIMAL = /^[0-9a-f]{32,}$/i
const MARKS = /[-_.~%=:]/g
const TOKEN = /^[\w.~%=:-]{20,}$/
/** JSON Web Token (RFC 7519): `{"` in base 64. */
const JWT = /eyJ[\w-]{8,}\.[\w-]+/
/**
 * Of random letters and digits in base 36 four of ten differ in kind from the one before, in base 64 six; of words in CamelCase,
 * fewer. The fewer digits there are, the surer that has to be.
 */
const MANY_CHANGES = 0.4
const SOME_CHANGES = 0.25

function isKey(segment: string): boolean {
  if (segment.length < 20) return false
  if (JWT.test(segment)) return true
  // An extension is no part of it; a dash may be.
  const name = segment.replace(/\.[a-z][a-z0-9]{0,5}$/i, '')
  const plain = name.replaceAll(MARKS, '')
  if (HEXADECIMAL.test(plain) && /\d/.test(plain) && /[a-f]/i.test(plain)) return true
  if (!TOKEN.test(name) || plain.length < 18) return false
  const digits = plain.match(/\d/g)?.length ?? 0
  const share = changes(plain) / plain.length
  return digits > 1 ? share >= SOME_CHANGES : share >= MANY_CHANGES
}

function changes(text: string): number {
  let count = 0
  for (let at = 1; at < text.length; at++) if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) count++
  return count
}

/** A digit, a capital, a small letter. */
const kindOf = (code: number): number => (code < 58 ? 0 : code < 91 ? 1 : 2)
