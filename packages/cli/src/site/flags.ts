/** The flags of `comity publish`. */
import { behindFlag } from '../terminal/behind-proxy.ts'
import { off, on } from '../command.ts'
import type { FlagTable } from '../command.ts'
import { listFile, listInConfig, noList } from '../terminal/list-source.ts'
import type { ListSource } from '../terminal/list-source.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { publishAgentFlags } from './agent-flags.ts'
import type { PublishAgentSettings } from './agent-flags.ts'
import { priceFlags } from './price-flags.ts'
import type { PriceSettings } from './price-flags.ts'
import { pushFlags } from './push-flags.ts'
import type { PushSettings } from './push-flags.ts'
import { countFrom, parseBytes, parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

export interface PublishSettings extends PushSettings, PublishAgentSettings, PriceSettings {
  readonly base: string | undefined
  readonly into: string | undefined
  readonly serve: ListenPlace | undefined
  readonly proxy: string | undefined
  readonly behind: readonly string[]
  readonly watch: boolean
  readonly spread: number
  readonly include: readonly string[]
  readonly reject: readonly string[]
  readonly maximum: number
  readonly queries: readonly string[]
  readonly urls: ListSource
  readonly schemes: readonly string[]
  readonly robots: boolean
  readonly journal: string | undefined
  readonly versions: number
  readonly mayBeEmpty: boolean
  readonly keys: string | undefined
  readonly offersTo: readonly string[]
  readonly ledger: ListenPlace
  readonly snippet: 'nginx' | 'apache' | undefined
  readonly dryRun: boolean
  readonly json: boolean
}

export interface ListenPlace {
  readonly host: string
  readonly port: number
}

const patterns = (text: string): readonly string[] => {
  if (!/^[/*]/.test(text))
    throw new BadValue(`matches no path: begin it with / or *, as in /private/*, *.pdf or *${text}*`)
  return [text]
}

// oxfmt-ignore
export const publishFlags: FlagTable<PublishSettings> = {
  base: { argument: 'URL', default: undefined, parse: parseSite, help: 'the address of the home page, as visitors have it: https://example.org/' },
  into: { argument: 'DIR', default: undefined, shown: 'DOCROOT', parse: String, help: 'write the documents there and leave the document root alone' },
  serve: { argument: '[HOST:]PORT', default: undefined, parse: parseListen, help: 'write no files: answer for pages and documents on this port' },
  proxy: { argument: 'ORIGIN', default: undefined, parse: parseOrigin, help: 'the same in front of a server that runs already: http://127.0.0.1:8080' },
  behind: { ...behindFlag, help: `with --serve or --proxy: ${behindFlag.help}` },
  watch: off('go on publishing as files change, until Ctrl-C; --serve does so anyway'),
  spread: { argument: 'TIME', default: 0, parse: parseDuration, help: 'work a scan over this time, so that nobody feels it: 1d' },
  include: { argument: 'PATTERN', default: [], parse: patterns, many: true, help: 'make public only what matches: /manual/*, *.html' },
  reject: { argument: 'PATTERN', default: [], parse: patterns, many: true, help: 'keep private what matches: *.bak, /a.html, or all below a folder: /drafts/' },
  maximum: { argument: 'N', default: 1_000_000, shown: '1,000,000', parse: countFrom(1), help: 'pages in robots.rdf, at most' },
  queries: { argument: 'PATTERN', default: [], parse: patterns, many: true, help: 'make addresses with a query public that match: /list?page=*' },
  urls: { argument: 'FILE', default: noList, parse: listFile, read: listInConfig, help: 'pages that no link leads to, such as those behind forms: an address a line; - is standard input' },
  schemes: { argument: 'NAMES', default: [], shown: 'all; as files all but wacz', parse: (text) => text.split(',').map((name) => name.trim()), many: true, help: 'offer only these, with commas between: robots,sitemap,archives; all is each of them, a web archive as large as the dump among them' },
  robots: on('do not add lines to robots.txt; they are printed instead'),
  journal: { argument: 'DIR', default: undefined, shown: '.comity-NAME beside DOCROOT', parse: String, help: 'where what changed is remembered' },
  versions: { argument: 'SIZE', default: 256 << 20, shown: '256 MiB', parse: parseBytes, help: 'keep earlier versions of pages up to this size, so that differences can be sent' },
  mayBeEmpty: off('a document root without files is meant: report its pages as deleted'),
  keys: { argument: 'FILE', default: undefined, parse: String, help: 'with --serve or --proxy: sign what is sent to crawlers with the keys in this file, made when it is not there, and publish their public halves' },
  offersTo: { argument: 'WHO', default: ['everyone'], shown: 'everyone', parse: (text) => text.split(',').map((name) => name.trim()), many: true, help: 'with --serve or --proxy: keep lists, dumps, batches and differences for crawlers that prove who they are: proven, or their hosts (crawler.example), or the URLs of their keys, with commas between. Pages stay open' },
  ...pushFlags,
  ...publishAgentFlags,
  ledger: { argument: '[HOST:]PORT', default: { host: '127.0.0.1', port: 0 }, shown: 'any free port of 127.0.0.1', parse: parseListen, help: 'where --serve and --proxy show what crawlers asked for and what that saved' },
  ...priceFlags,
  snippet: { argument: 'SERVER', default: undefined, parse: parseServer, help: 'print what nginx or apache has to be told, and do nothing else' },
  dryRun: off('print what would become public and what not, with the reasons; write nothing'),
  json: off('print what was done as JSON'),
}

export function parseSite(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new BadValue('is no address of a site: write https://example.org/')
  if (url.search !== '' || url.hash !== '') throw new BadValue('is no home page: leave out what begins with ? or #')
  return new URL('.', url).href
}

function parseOrigin(text: string): string {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
  if (!isOrigin) throw new BadValue('is no origin: write scheme, host and port, as in http://127.0.0.1:8080')
  return url.origin
}

/** `8080`, `0.0.0.0:8080`, `[::]:8080`. */
export function parseListen(text: string): ListenPlace {
  const [, host = '127.0.0.1', digits] = /^(?:(\[[0-9a-f:.]+\]|[^:]+):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535)
    throw new BadValue('is no place to listen: write 8080, 0.0.0.0:8080 or [::]:8080')
  return { host: host.replace(/^\[|\]$/g, ''), port }
}

function parseServer(text: string): 'nginx' | 'apache' {
  const name = text.toLowerCase().replace(/^(?:apache2|httpd)$/, 'apache')
  if (name === 'nginx' || name === 'apache') return name
  throw new BadValue(`is neither nginx nor apache.${didYouMean(text, ['nginx', 'apache'])}`)
}
