/** `comity publish`: make a site tell crawlers what changed, as files for a server that is there, or as the server itself. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import type { FileJournal, OffersTo, PublicRuleOptions, SiteScheme, SiteOptions } from '@comity/site'
import type { Call, Command } from '../command.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { documentLines, planDocuments } from './document-plan.ts'
import { publishFiles } from './files.ts'
import { publishFlags } from './flags.ts'
import type { PublishSettings } from './flags.ts'
import { checkPushing, ownKeyFile } from './push.ts'
import { previewReport } from './report.ts'
import { publishServer } from './server.ts'
import { UsageError } from '../usage-error.ts'

export const publishCommand: Command<PublishSettings> = {
  name: 'publish',
  summary: 'tell crawlers what a site has and what changed: files for a server, or a server of its own',
  operands: [{ name: 'DOCROOT', help: 'the folder that the server answers / with', optional: true }],
  flags: publishFlags,
  examples: [
    ['comity publish /var/www/html --base https://example.org/ --dry-run', 'what would become public?'],
    [
      'comity publish /var/www/html --base https://example.org/',
      'robots.txt, sitemap and all else, as files; once a day by cron',
    ],
    ['comity publish /var/www/html --base https://example.org/ --snippet nginx', 'what nginx has to be told'],
    [
      'comity publish /var/www/html --base https://example.org/ --serve 8080',
      'pages and documents, with differences and batches',
    ],
    ['comity publish --proxy http://127.0.0.1:3000 --base https://example.org/ --serve 8080', 'in front of any server'],
    [
      'comity publish /var/www/html --base https://example.org/ --serve 8080 --hub',
      'the same, and crawlers can subscribe to what changes',
    ],
    [
      'comity publish /var/www/html --base https://example.org/ --push https://crawler.example/push',
      'by cron: send a crawler what changed since the last time',
    ],
    [
      'comity publish /var/www/html --base https://example.org/ --serve 8080 --offers-to proven',
      'pages for everybody, lists and dumps for crawlers that prove who they are',
    ],
  ],
  notes: [
    'Private stays private: what robots.txt disallows, what says noindex, hidden files, backups, databases, keys and programs are never listed. ' +
      'Files that somebody else wrote are never overwritten; robots.txt gets lines between two comments at its end.',
    'With --base https://example.org/docs/ only what stands below docs/ in DOCROOT is published.',
  ],
  run: runPublish,
}

/** What all ways of publishing need. */
export interface PublishParts {
  readonly call: Call<PublishSettings>
  readonly base: string
  /** Undefined before a server. */
  readonly docroot: string | undefined
  readonly journal: FileJournal
  readonly journalDir: string
  readonly rules: Omit<PublicRuleOptions, 'robots'>
  readonly site: Pick<
    SiteOptions,
    'journal' | 'base' | 'now' | 'rules' | 'schemes' | 'kept' | 'robotsRdf' | 'keys' | 'offersTo'
  >
}

async function runPublish(call: Call<PublishSettings>): Promise<number> {
  const { settings, operands, terminal } = call
  const { base, snippet, dryRun, json } = settings
  if (base === undefined) throw new UsageError('Say where visitors find the site: --base https://example.org/.')
  const { apacheSnippet, FileJournal, FolderFiles, nginxSnippet, previewDocroot } = await import('@comity/site')
  const schemes = await schemesOf(settings)
  const docroot = docrootOf(settings, operands[0])
  if (snippet !== undefined) {
    const into = settings.into === undefined ? undefined : resolve(settings.into)
    terminal.print((snippet === 'nginx' ? nginxSnippet : apacheSnippet)({ base, into }).trimEnd())
    return 0
  }
  const rules = rulesOf(settings, new URL(base).pathname)
  await checkPushing(settings, settings.serve !== undefined || settings.proxy !== undefined)
  const { agents } = settings
  if (agents !== undefined && docroot !== undefined && isInside(resolve(agents), docroot))
    throw new UsageError(
      `${agents} is inside the document root, where the server would hand it out: name a folder elsewhere with --agents.`,
    )
  if (dryRun) {
    if (docroot === undefined) throw new UsageError('--dry-run looks at files: name a DOCROOT instead of --proxy.')
    const preview = await previewDocroot({ root: docroot, base, rules, now: Date.now() })
    const isServed = settings.serve !== undefined
    const place = { docroot, into: settings.into ?? docroot, journalDir: journalOf(settings, base, docroot) }
    const site = { base, rules, schemes, maximum: settings.maximum, hasIncludes: settings.include.length > 0 }
    const documents = isServed ? undefined : await planDocuments(place, site)
    terminal.print(
      json
        ? JSON.stringify({ ...preview, documents })
        : [
            ...previewReport(preview, docroot, base, terminal.paint),
            ...(documents === undefined ? [] : documentLines(documents, place.into, terminal.paint)),
          ].join('\n'),
    )
    return 0
  }
  const journalDir = journalOf(settings, base, docroot)
  await using journal = await FileJournal.open(journalDir, { versions: { maxBytes: settings.versions } })
  const kept = new FolderFiles(join(journalDir, 'archives'))
  const robotsRdf = robotsRdfTerms(settings.maximum, settings.include.length > 0)
  const identity = await identityOptions(settings, docroot, journalDir)
  const site = { journal, base, now: Date.now, rules, schemes, kept, robotsRdf, ...identity }
  const parts = { call, base, docroot, journal, journalDir, rules, site }
  return settings.serve === undefined && settings.proxy === undefined
    ? await publishFiles(parts)
    : await publishServer(parts)
}

/** As WIRE's generator has it: names with .htm in them unless something else is asked for (002 §6.5.1). */
export const robotsRdfTerms = (maximum: number, hasIncludes: boolean): NonNullable<SiteOptions['robotsRdf']> => ({
  maximum,
  ...(hasIncludes && { include: [''] }),
})

/** What only a server can do: sign, and see who asks. */
async function identityOptions(
  settings: PublishSettings,
  docroot: string | undefined,
  journalDir: string,
): Promise<Pick<SiteOptions, 'keys' | 'offersTo'>> {
  const { serve, proxy, push } = settings
  // Whoever is sent to without having subscribed has nothing but the signature to go by.
  const keys = settings.keys ?? (push.length > 0 ? ownKeyFile(journalDir) : undefined)
  const offersTo = offersOf(settings.offersTo)
  if (serve === undefined && proxy === undefined) {
    if (keys !== undefined && push.length === 0)
      throw new UsageError(
        `Files cannot be signed: --keys goes with --serve or --proxy. To publish keys as a file, put what \`comity keys show ${keys}\` ` +
          'prints at /.well-known/http-message-signatures-directory.',
      )
    if (offersTo !== 'everyone')
      throw new UsageError('Files are for everybody: --offers-to goes with --serve or --proxy.')
    if (settings.behind.length > 0)
      throw new UsageError('Files have nobody in front of them: --behind goes with --serve or --proxy.')
    if (keys === undefined) return {}
  }
  if (keys !== undefined && docroot !== undefined && isInside(resolve(keys), docroot))
    throw new UsageError(`${keys} is inside the document root, where everybody could read it: name a file elsewhere.`)
  if (keys !== undefined && settings.keys === undefined) makePrivateFolder(dirname(keys))
  const { KeyFile } = await import('@comity/site')
  return { offersTo, keys: keys === undefined ? undefined : KeyFile.openOrMake(keys, { now: Date.now }) }
}

/** A name for all stands alone; whatever else is a list. */
function offersOf(given: readonly string[]): OffersTo {
  const all = given.find((name) => name === 'everyone' || name === 'proven')
  if (all === undefined) return given
  if (given.length === 1) return all === 'proven' ? 'proven' : 'everyone'
  throw new UsageError(`--offers-to: ${all} is for all of them; say that, or list some, not both.`)
}

function docrootOf({ proxy, serve, into, watch }: PublishSettings, given: string | undefined): string | undefined {
  if (proxy !== undefined && given !== undefined)
    throw new UsageError(`Pages come from ${proxy} or from ${given}: leave out one of them.`)
  if ((proxy !== undefined || serve !== undefined) && into !== undefined)
    throw new UsageError('--into is for files; --serve and --proxy write none.')
  if (proxy !== undefined && watch) throw new UsageError('--watch follows files; a proxy sees changes as pages pass.')
  if (given === undefined) {
    if (proxy !== undefined) return undefined
    throw new UsageError(
      'DOCROOT is missing: the folder that the server answers / with. In front of a server: --proxy ORIGIN.',
    )
  }
  if (!existsSync(given)) throw new UsageError(`${given} is not there: name the folder that the server answers / with.`)
  // Not where a link leads: deployments set it to another folder, and the journal has to outlast that.
  const docroot = resolve(given)
  if (into !== undefined && isInside(resolve(into), docroot))
    throw new UsageError(`${into} is inside ${given}, where its files would count as pages: name a folder beside it.`)
  return docroot
}

/** Beside the document root, never in it. */
export function journalOf(
  { journal }: Pick<PublishSettings, 'journal'>,
  base: string,
  docroot: string | undefined,
): string {
  const { host } = new URL(base)
  if (docroot === undefined) return resolve(journal ?? `.comity-${host.replaceAll(':', '-')}`)
  const dir = resolve(journal ?? join(dirname(docroot), `.comity-${basename(docroot) || 'root'}`))
  if (dir === docroot || isInside(dir, docroot))
    throw new UsageError(
      `${dir} is inside the document root, where the server would hand it out: name a folder elsewhere with --journal.`,
    )
  return dir
}

function isInside(path: string, folder: string): boolean {
  return [folder, realpathSync(folder)].some((one) => path.startsWith(one.endsWith(sep) ? one : `${one}${sep}`))
}

/** A site below a folder is what stands there: patterns are narrowed to it. */
function rulesOf({ include, reject, queries }: PublishSettings, root: string): Omit<PublicRuleOptions, 'robots'> {
  if (root === '/') return { include, reject, queries }
  const within = include.flatMap((pattern) => {
    if (pattern.startsWith(root)) return [pattern]
    return pattern.startsWith('*') ? [`${root}${pattern}`] : []
  })
  if (include.length > 0 && within.length === 0)
    throw new UsageError(`No --include pattern can match anything below ${root}: begin it with ${root} or *.`)
  return { include: include.length === 0 ? [`${root}*`] : within, reject, queries }
}

async function schemesOf({ schemes, robots, serve, proxy }: PublishSettings): Promise<readonly SiteScheme[]> {
  const { FILE_SCHEMES, SCHEMES } = await import('@comity/site')
  for (const name of schemes) {
    if (name === 'all' || SCHEMES.some((scheme) => scheme === name)) continue
    throw new UsageError(
      `--schemes: there is no scheme "${name}": they are ${SCHEMES.join(', ')}, or all.${didYouMean(name, SCHEMES)}`,
    )
  }
  const usual = serve === undefined && proxy === undefined ? FILE_SCHEMES : SCHEMES
  const named = SCHEMES.filter((scheme) => schemes.includes(scheme) || schemes.includes('all'))
  const wanted = schemes.length === 0 ? usual : named
  return robots ? wanted : wanted.filter((scheme) => scheme !== 'robots')
}
