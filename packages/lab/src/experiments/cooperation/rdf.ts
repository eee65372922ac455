/**
 * robots.rdf as 002 Figure 6.5 prints it, fault for fault: it is what the paper's 247 bytes a page were measured on. Sites
 * publish what `writeRobotsRdf` of the protocol writes instead, which is valid; readers take both.
 */
import { xmlText } from '@comity/protocol'
import type { Instant, PageEntry } from '@comity/protocol'

export function paperRobotsRdf(pages: Iterable<PageEntry>, base: string): string {
  const all = [...pages]
  const items = all.map(({ url }) => `      <rdf:li rdf:resource="${xmlText(url)}"/>\n`)
  const entries = all.map(
    ({ url, modifiedAt = 0 }) =>
      `  <item rdf:about="${xmlText(url)}">\n    <dc:modified>${minuteOf(modifiedAt)}</dc:modified>\n  </item>\n`,
  )
  return `<?xml version="1.0"?>
<rdf:rdf
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="${xmlText(base)}">
    <items><rdf:Seq>
${items.join('')}    </rdf:Seq></items>
  </channel>
${entries.join('')}</rdf:rdf>
`
}

/** No finer than a minute, and with an offset: `2004-10-01T12:05+02:00`. */
const minuteOf = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16)}+00:00`
