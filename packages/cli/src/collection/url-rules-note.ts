/** URL rules, told: what makes two URLs one page of a collection, where that is not what a new one would have. */
import { Collection } from '@comity/collection'
import { defaultUrlRules } from '@comity/protocol'
import type { SiteUrlRules, UrlRules } from '@comity/protocol'
import { shellWord, visible } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Sites told of. */
const MAX_SITES = 10
/** Parameters told of, of one site or of all. */
const MAX_NAMES = 10

/** Before a command writes a collection that is there. Throws where none is. */
export async function sayUrlRules(dir: string, terminal: Terminal, stated?: UrlRules): Promise<void> {
  await using collection = Collection.openReadOnly(dir)
  const rules = collection.urlRules()
  if (isOld(rules)) terminal.say(`note: ${oldRulesNote(dir, rules.version)}`)
  // Whoever states settings knows them, and hears it when they are others.
  const settings = stated === undefined ? urlSettings(rules) : []
  if (settings.length > 0)
    terminal.say(`note: URLs go by the settings that ${dir} was made with: ${settings.join('; ')}.`)
}

const isOld = ({ version, dropSessionIds }: UrlRules): boolean => dropSessionIds && version < defaultUrlRules.version

/** What they took for one page, in a note and in short. */
const OLD: ReadonlyMap<UrlRules['version'], readonly [note: string, line: string]> = new Map([
  [
    1,
    [
      '16 hexadecimal digits or more in session, sid, s and the like count as a session id',
      'long hexadecimal numbers in session, sid, s and the like are session ids',
    ],
  ],
  [
    2,
    [
      'what a ; parts from a session id goes with it, as in ?PHPSESSID=1;id=7',
      'what a ; parts from a session id goes with it',
    ],
  ],
])

const oldRulesNote = (dir: string, version: UrlRules['version']): string =>
  `${dir} was made by older URL rules and goes on with them: ${OLD.get(version)![0]}, ` +
  'and URLs that differ in nothing else as one page. For the rules of today crawl into a new directory; ' +
  `\`comity import ${shellWord(dir)}/warc/*.warc.gz --into NEW\` takes along what was fetched.`

/** A line for all that differs from what a new collection has. */
export function urlRulesLines(rules: UrlRules): string[] {
  const age = isOld(rules) ? [`version ${rules.version}: ${OLD.get(rules.version)![1]}`] : []
  return [...age, ...urlSettings(rules)]
}

function urlSettings({ dropParameters, dropSessionIds, sites }: UrlRules): string[] {
  const usual = new Set(defaultUrlRules.dropParameters)
  const more = dropParameters.filter((name) => !usual.has(name))
  const kept = [...usual].filter((name) => !dropParameters.includes(name))
  const all = words({
    dropParameters: more,
    keepParameters: kept,
    ...(dropSessionIds === defaultUrlRules.dropSessionIds ? {} : { dropSessionIds }),
  })
  const told = sites.slice(0, MAX_SITES).map((site) => `${visible(site.origin ?? site.host ?? '')} ${words(site)}`)
  const rest = sites.length > MAX_SITES ? [`${sites.length - MAX_SITES} more sites`] : []
  return [...(all === '' ? [] : [`all sites ${all}`]), ...told, ...rest]
}

function words({
  dropParameters = [],
  keepParameters = [],
  dropSessionIds,
}: Omit<SiteUrlRules, 'host' | 'origin'>): string {
  const said = [
    ...(dropParameters.length === 0 ? [] : [`without ${names(dropParameters)}`]),
    ...(keepParameters.length === 0 ? [] : [`with ${names(keepParameters)}`]),
    ...(dropSessionIds === undefined ? [] : [dropSessionIds ? 'without session ids' : 'with session ids']),
  ]
  return said.join(', ')
}

function names(list: readonly string[]): string {
  const told = visible(list.slice(0, MAX_NAMES).join(', '))
  return list.length > MAX_NAMES ? `${told} and ${list.length - MAX_NAMES} more` : told
}
