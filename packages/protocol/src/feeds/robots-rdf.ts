/**
 * robots.rdf: a site's pages with the times of their last change, in one file at its root (WIRE, 002 §6.5.1).
 *
 * The paper prints an example that is neither valid RDF (root in lower case, a namespace without its `#`) nor valid RSS
 * 1.0 (no titles and links; `modified` is no element of Dublin Core 1.1). We write RSS 1.0 as it is specified
 * (https://purl.org/rss/1.0/spec): every item in the channel's sequence, with title and link, the time as
 * `dcterms:modified`. `feeds/robots-rdf-reader.ts` reads both. Size, format and number of accesses, which the paper leaves to
 * the future, are there when they are known and wished for.
 *
 * A large file is a waste when one page has changed (002 §6.5.3), so it is in parts: `feeds/robots-rdf-parts.ts`.
 */
import type { PageEntry } from './page-entry.ts'
import { robotsRdfParts } from './robots-rdf-parts.ts'
import type { RobotsRdfPart, RobotsRdfPartOptions } from './robots-rdf-parts.ts'
import { w3cDate } from './w3c-date.ts'
import { xmlText } from './xml-text.ts'

export interface RobotsRdfOptions extends RobotsRdfPartOptions {
  /** What is told besides URL and time. */
  readonly extras: readonly RobotsRdfExtra[]
  /** Of the channel. */
  readonly title: string
}

export type RobotsRdfExtra = 'size' | 'format' | 'accesses'

const robotsRdfDefaults: Omit<RobotsRdfOptions, 'base'> = {
  // As WIRE's own generator has it; it leaves out folders, even the home page.
  include: ['.htm'],
  reject: [],
  maximum: 1_000_000,
  // The paper's site had 249 pages, in one file.
  firstPages: 250,
  partPages: 1_000,
  extras: [],
  title: 'Pages and their last changes',
}

/** RDF Site Summary; the paper's "application/xml+rdf" was never registered (RFC 3870). */
export const ROBOTS_RDF_TYPE = 'application/rdf+xml'
/** For the number of accesses, which no vocabulary in use has. */
const ACCESSES_NAMESPACE = 'urn:comity:robots-rdf:'

export interface RobotsRdfFile {
  /** `robots.rdf`, `robots.2.rdf`. */
  readonly name: string
  readonly text: string
  readonly pages: number
}

/** All parts, the first first. Throws a RangeError when `base` is no site. */
export function writeRobotsRdf(
  pages: Iterable<PageEntry>,
  wishes: Partial<RobotsRdfOptions> & Pick<RobotsRdfOptions, 'base'>,
): readonly RobotsRdfFile[] {
  const options = { ...robotsRdfDefaults, ...wishes }
  const base = baseOf(options.base)
  const parts = robotsRdfParts(pages, { ...options, base })
  const others = parts.slice(1).map(({ name }) => new URL(name, base).href)
  return parts.map((part, i) => ({
    name: part.name,
    text: documentOf(part, i === 0 ? others : [], base, options),
    pages: part.pages.length,
  }))
}

function baseOf(text: string): string {
  const base = URL.parse('.', text)
  if (base?.protocol === 'https:' || base?.protocol === 'http:') return base.href
  throw new RangeError(`"${text}" is no site: --base is the absolute http or https URL of its home page`)
}

function documentOf(
  { name, pages }: RobotsRdfPart,
  others: readonly string[],
  base: string,
  options: RobotsRdfOptions,
): string {
  const about = xmlText(new URL(name, base).href)
  const title = xmlText(options.title)
  const items = pages.map(({ url }) => `<rdf:li rdf:resource="${xmlText(url)}"/>\n`).join('')
  const links = others.map((url) => `<rdfs:seeAlso rdf:resource="${xmlText(url)}"/>\n`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"${others.length > 0 ? ` xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"` : ''}
 xmlns:dcterms="http://purl.org/dc/terms/"${namespacesOf(options.extras)} xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="${about}">
<title>${title}</title><link>${xmlText(base)}</link><description>${title}</description>
<items><rdf:Seq>
${items}</rdf:Seq></items>
${links}</channel>
${pages.map((page) => itemOf(page, base, options.extras)).join('')}</rdf:RDF>
`
}

function namespacesOf(extras: readonly RobotsRdfExtra[]): string {
  const format = extras.includes('format') ? ' xmlns:dc="http://purl.org/dc/elements/1.1/"' : ''
  return extras.includes('accesses') ? `${format} xmlns:c="${ACCESSES_NAMESPACE}"` : format
}

function itemOf(page: PageEntry, base: string, extras: readonly RobotsRdfExtra[]): string {
  const url = xmlText(page.url)
  // We know no title here, and an item must have one: the last step of the path tells pages apart for a reader.
  const title = xmlText(page.url.slice(base.length).split('/').at(-1) ?? '') || url
  const modified = page.modifiedAt === undefined ? undefined : w3cDate(page.modifiedAt)
  const facts = [
    modified === undefined ? '' : `<dcterms:modified>${modified}</dcterms:modified>`,
    extras.includes('size') && page.bytes !== undefined ? `<dcterms:extent>${page.bytes}</dcterms:extent>` : '',
    extras.includes('format') && page.type !== undefined ? `<dc:format>${xmlText(page.type)}</dc:format>` : '',
    extras.includes('accesses') && page.accesses !== undefined ? `<c:accesses>${page.accesses}</c:accesses>` : '',
  ]
  return `<item rdf:about="${url}"><title>${title}</title><link>${url}</link>${facts.join('')}</item>\n`
}
