/**
 * Pushing of `comity publish`: who is called when something changes, and what was sent. Subscribers, positions and keys stand in
 * a folder of the journal's, so that a publication by cron goes on where the last one was.
 *
 *   JOURNAL/push/subscribers.rows   courier.rows   agents.json   keys.json   indexnow-key.txt
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, writeNewSecret } from '@comity/disk'
import type {
  DeliveryWorker,
  DeliveryWorkerState,
  RefusedDelivery,
  DeliveryReport,
  PushOptions,
  PushSchedule,
  PushScheme,
  SiteOptions,
  Subscriber,
} from '@comity/site'
import type { PublishAgentSettings } from './agent-flags.ts'
import type { PublishParts } from './command.ts'
import type { PushSettings } from './push-flags.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import type { SiteAgents, SiteAgentsOptions } from './site-agents.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface Pushing extends AsyncDisposable {
  /** For the site: hub, key file of IndexNow. */
  readonly options: PushOptions
  readonly agents: SiteAgents | undefined
  /** For the same site as it is served or exported. */
  deliveryWorker(site: SiteOptions, onReport?: (report: DeliveryReport) => void): DeliveryWorker
}

/** What was sent, and what could not be. */
export interface PushReport {
  readonly deliveries: number
  readonly requests: number
  readonly bytes: number
  readonly pages: number
  readonly subscribers: readonly DeliveryWorkerState[]
  readonly deadLetters: readonly RefusedDelivery[]
}

const isPushing = ({ hub, push, indexnow, outsideHub }: PushSettings): boolean =>
  hub || push.length + indexnow.length + outsideHub.length > 0

/** Throws for what cannot be meant. */
export async function checkPushing(settings: PushSettings & PublishAgentSettings, isServer: boolean): Promise<void> {
  const { hub, push, pushScheme, announceBatches, pushSchedule: schedule } = settings
  checkAgents(settings, isServer)
  if (schedule !== undefined) await scheduleOf(schedule)
  if (hub && !isServer)
    throw new UsageError('A hub has to answer those who subscribe: --hub goes with --serve or --proxy.')
  if (pushScheme !== undefined && push.length === 0)
    throw new UsageError("--push-scheme says what --push sends: name a crawler's push address with --push URL.")
  if (announceBatches && !hub && pushScheme !== 'batches')
    throw new UsageError('--announce-batches is for batches: --push-scheme batches, or those who subscribe to --hub.')
}

function checkAgents(settings: PushSettings & PublishAgentSettings, isServer: boolean): void {
  const { agents, accessLog, hub, push, pushScheme } = settings
  const isSent = push.length > 0 && pushScheme === 'agent'
  if (agents === undefined) {
    if (isSent) throw new UsageError('What agents say is sent where agents run: --agents DIR says which those are.')
    if (accessLog !== undefined) throw new UsageError('--access-log is for agents: --agents DIR says which those are.')
    return
  }
  if (!isServer)
    throw new UsageError(
      'Agents run beside a server that goes on: --agents goes with --serve or --proxy. By cron: comity agent run.',
    )
  if (!hub && !isSent)
    throw new UsageError(
      'Nobody would hear what the agents say: let engines subscribe (--hub), or name one (--push URL --push-scheme agent).',
    )
}

async function scheduleOf(text: string): Promise<PushSchedule> {
  const { pushSchedule } = await import('@comity/site')
  try {
    return pushSchedule(text)
  } catch (error) {
    throw new UsageError(`--push-schedule: ${(error as Error).message}`)
  }
}

/** Where the site's keys stand when no --keys says it. */
export const ownKeyFile = (journalDir: string): string => join(journalDir, 'push', 'keys.json')

export async function openPushing(
  { call, base, journal, journalDir, site }: PublishParts,
  tell: (sentence: string) => void,
): Promise<Pushing | undefined> {
  const { settings } = call
  if (!isPushing(settings)) return undefined
  const own = await import('@comity/site')
  const dir = join(journalDir, 'push')
  const subscribers = await own.SubscriberFile.open(dir)
  const rows = await own.openDeliveryWorkerRows(dir)
  await own.configureSubscribers(subscribers, configured(own, settings, base, journal.last))
  const { allowPrivate, outsideHub: hubs, hub, announceBatches: isBatchAnnounced } = settings
  const schedule = settings.pushSchedule === undefined ? undefined : await scheduleOf(settings.pushSchedule)
  const sign = site.keys === undefined ? undefined : own.pushSigner(site.keys, Date.now)
  const post = own.httpPost({ allowPrivate, sign })
  const indexNowKey = settings.indexnow.length === 0 ? undefined : indexNowKeyIn(dir)
  const agents = await agentsIn(settings.agents, { dir, base, subscribers, tell })
  return {
    options: { ...(hub ? { subscribers } : {}), hubs, indexNowKey, allowPrivate, post, ...agents?.push },
    agents,
    deliveryWorker: (options, onReport) => {
      const memory = new own.DeliveryWorkerMemory(rows)
      const { random } = Math
      return own.createDeliveryWorker({
        site: options,
        subscribers,
        memory,
        post,
        random,
        schedule,
        isBatchAnnounced,
        agentResults: agents?.results,
        onReport,
        tell,
      })
    },
    [Symbol.asyncDispose]: async () => {
      await rows[Symbol.asyncDispose]()
      await subscribers[Symbol.asyncDispose]()
    },
  }
}

/** Loaded only when asked for: a sandbox is a large program. */
async function agentsIn(
  agents: string | undefined,
  { dir, ...site }: Pick<SiteAgentsOptions, 'base' | 'subscribers' | 'tell'> & { readonly dir: string },
): Promise<SiteAgents | undefined> {
  if (agents === undefined) return undefined
  const { openSiteAgents } = await import('./site-agents.ts')
  return openSiteAgents({ dir: agents, file: join(dir, 'agents.json'), ...site })
}

function configured(
  own: typeof import('@comity/site'),
  { push, pushScheme = DEFAULT_SCHEME, indexnow, outsideHub: hubs }: PushSettings,
  base: string,
  last: number,
): readonly Subscriber[] {
  const topic = own.topicUrl(base, 'changes')
  return [
    // A crawler that is sent pages wants all of them; what was there before is no news to the others.
    ...push.map((url) => own.pushSubscriber({ url, scheme: pushScheme, base, begins: 0 })),
    ...indexnow.map((endpoint) => own.indexNowSubscriber(endpoint, last)),
    ...hubs.map((url) => own.outsideHub({ url, topic, way: 'ping', begins: last })),
  ]
}

const DEFAULT_SCHEME: PushScheme = 'differences'

/** Made once: search engines look for the file of this name. */
function indexNowKeyIn(dir: string): string {
  const file = join(dir, 'indexnow-key.txt')
  makePrivateFolder(dir)
  try {
    writeNewSecret(file, randomBytes(16).toString('hex'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** In a document root the key is a file. It is not written over one that is there. */
export function writeIndexNowFile({ indexNowKey }: PushOptions, into: string): void {
  if (indexNowKey === undefined) return
  try {
    writeFileSync(join(into, `${indexNowKey}.txt`), indexNowKey, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Adds up what a delivery worker reports. */
export class PushTally {
  #deliveries = 0
  #requests = 0
  #bytes = 0
  #pages = 0

  readonly add = ({ verdict, requests, bytes, pages }: DeliveryReport): void => {
    this.#deliveries += Number(verdict === 'delivered')
    this.#requests += requests
    this.#bytes += bytes
    this.#pages += pages
  }

  report(deliveryWorker: DeliveryWorker): PushReport {
    return {
      deliveries: this.#deliveries,
      requests: this.#requests,
      bytes: this.#bytes,
      pages: this.#pages,
      subscribers: deliveryWorker.states(),
      deadLetters: deliveryWorker.deadLetters(),
    }
  }
}

/** Lines of a report for people. */
export function pushLines(report: PushReport, now: number, paint: Paint): string[] {
  const { deliveries, requests, bytes, pages, subscribers, deadLetters } = report
  const failing = subscribers.filter(({ failures }) => failures > 0)
  const sent =
    deliveries === 0
      ? `nothing had to be sent`
      : `${counted(pages, 'page')} told in ${counted(deliveries, 'delivery', 'deliveries')}, ${formatCount(requests)} requests, ${formatBytes(bytes)}`
  return [
    `  ${counted(subscribers.length, 'subscriber')}: ${sent}`,
    ...failing.map(({ origin, failures, trouble = '', nextTryAt = now }) =>
      paint(
        'yellow',
        `  ${visible(origin)} did not take what was sent, ${failures === 1 ? 'once' : `${formatCount(failures)} times in a row`}. ` +
          `${visible(trouble)} Tried again in ${formatDuration(Math.max(0, nextTryAt - now))} or later.`,
      ),
    ),
    ...(deadLetters.length === 0
      ? []
      : [
          paint(
            'yellow',
            `  ${counted(deadLetters.length, 'page')} refused for good, ${visible(deadLetters.at(-1)!.path)} the last (--json says which and why)`,
          ),
        ]),
  ]
}
