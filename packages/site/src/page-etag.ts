/**
 * Page ETag: the tag a page's answer carries, out of its digest, so that whoever has read a list knows it beforehand and
 * whoever has the tag can be told whether the page changed without its body being made.
 *
 * 128 bits of SHA-256 name a version safely and keep every request and answer that bears one 32 bytes shorter.
 */
import type { JournaledPage } from './journal/journal.ts'

const HEX_DIGITS = 32

/** Strong: equal tags, equal bytes. `digest` is `sha-256:` and 64 hexadecimal digits. */
export const etagOf = (digest: string): string => `"${digest.slice('sha-256:'.length).slice(0, HEX_DIGITS)}"`

/** Weak where parts were masked: two answers with one tag say the same, but not byte by byte. */
export const pageEtag = ({ digest, masked }: Pick<JournaledPage, 'digest' | 'masked'>): string =>
  masked === true ? `W/${etagOf(digest)}` : etagOf(digest)
