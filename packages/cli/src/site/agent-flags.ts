/** The flags of `comity publish` that let agents of search engines run here. */
import type { FlagTable } from '../command.ts'
import { formatDuration, parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

export interface PublishAgentSettings {
  readonly agents: string | undefined
  readonly agentsEvery: number
  readonly accessLog: string | undefined
}

const MINUTE_MS = 60_000

// oxfmt-ignore
export const publishAgentFlags: FlagTable<PublishAgentSettings> = {
  agents: { argument: 'DIR', default: undefined, parse: String, help: 'with --serve or --proxy: run the agents that are installed in this folder as pages change, and send what they say to those whose agents they are' },
  agentsEvery: { argument: 'TIME', default: MINUTE_MS, shown: formatDuration(MINUTE_MS), parse: parseEvery, help: 'run each agent no more often than this' },
  accessLog: { argument: 'FILE', default: undefined, parse: String, help: 'count readers in this access log, for agents that may know it' },
}

function parseEvery(text: string): number {
  const ms = parseDuration(text)
  if (ms < 100) throw new BadValue('is too often: from 100ms on')
  return ms
}
