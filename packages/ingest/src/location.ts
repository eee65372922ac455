/** Location: where a redirect leads (RFC 9110 §10.2.2), as browsers understand what servers write. */
import { canonicalUrl, headerOf } from '@comity/protocol'
import type { HeaderList, UrlRules } from '@comity/protocol'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** The canonical target; undefined when there is none that is a page of the Web. */
export function locationOf(headers: HeaderList, base: string, rules: UrlRules): string | undefined {
  const written = headerOf(headers, 'location')
  return written === undefined ? undefined : canonicalUrl(asMeant(written), base, rules)
}

/** Headers come as Latin-1, byte for byte; what is not ASCII in a Location is UTF-8 nearly always. */
function asMeant(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII means
  if (/^[\x00-\x7f]*$/.test(text)) return text
  try {
    return strictUtf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    // Not UTF-8: then the bytes are what the server's author saw in Latin-1.
    return text
  }
}
