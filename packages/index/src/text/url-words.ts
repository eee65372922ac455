/**
 * URL words: what a URL tells its readers, as a text to be cut into words: the host without `www` and the endings all
 * have, and the path, decoded and without `.html` or `index.php`. Port, query and fragment tell machines things.
 */
import { domainToUnicode } from 'node:url'

/** Units of a path that are read; longer ones are data. */
const MAX_PATH_UNITS = 1_024

/** '' for what is no URL, never an error. */
export function urlText(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return ''
  return `${hostText(parsed.hostname)} ${pathText(parsed.pathname)}`.trim()
}

const ADDRESS = /^[\d.]+$|^\[/
/** Below a country, these stand before the name: example.co.uk. */
const SECOND_ENDING = /\.(?:ac|co|com|edu|go|gov|gob|gouv|ltd|mil|ne|net|or|org)\.[a-z]{2}$/

function hostText(host: string): string {
  if (ADDRESS.test(host)) return host
  const name = host.replace(/\.$/, '').replace(/^www\d?\.(?=.*\.)/, '')
  const ending = SECOND_ENDING.exec(name)?.index ?? name.lastIndexOf('.')
  // Punycode is the letters' spelling for machines.
  return domainToUnicode(ending > 0 ? name.slice(0, ending) : name).replaceAll('.', ' ')
}

const PAGE_ENDING = /(?:\/(?:index|default))?\.(?:[xs]?html?|php\d?|aspx?|jspx?|cgi|cfm|do|pl)$/i

function pathText(path: string): string {
  const short = path.slice(0, MAX_PATH_UNITS)
  return short
    .replace(PAGE_ENDING, '')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString())
    .replaceAll('/', ' ')
    .trim()
}
