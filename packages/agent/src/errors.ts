/** Errors of agents: what happened, to what, what to do. Codes are stable. What a run comes to is an outcome instead. */
import { textOf } from '@comity/protocol'
export type AgentErrorCode =
  | 'BUNDLE_UNREADABLE'
  | 'BUNDLE_REFUSED'
  | 'AGENT_UNKNOWN'
  | 'AGENT_IDLE'
  | 'RESULTS_WAITING'
  | 'AGENTS_HELD'
  | 'AGENTS_DAMAGED'
  | 'RESULT_UNREADABLE'
  | 'SANDBOX_UNAVAILABLE'

export class AgentError extends Error {
  override readonly name: string = 'AgentError'
  readonly code: AgentErrorCode
  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const bundleUnreadable = (file: string, problem: string): AgentError =>
  new AgentError(
    'BUNDLE_UNREADABLE',
    `${file} is no agent: ${problem}. Take it from its engine again, or make it again from its source.`,
  )

export const bundleRefused = (what: string, why: string): AgentError =>
  new AgentError('BUNDLE_REFUSED', `${what} is not installed: ${why}`)

export const agentUnknown = (name: string, dir: string): AgentError =>
  new AgentError('AGENT_UNKNOWN', `There is no agent ${name} in ${dir}: \`comity agent list\` shows those there are.`)

export const agentIdle = (name: string, reason: string): AgentError =>
  new AgentError('AGENT_IDLE', `The agent ${name} is not run: ${reason}.`)

export const resultsWaiting = (name: string, count: number): AgentError =>
  new AgentError(
    'RESULTS_WAITING',
    `The agent ${name} is not run: ${count} results wait to be taken, and nobody takes them. Send them, or remove the agent.`,
  )

export const agentsHeld = (dir: string, who: string): AgentError =>
  new AgentError('AGENTS_HELD', `The agents in ${dir} are in the hands of ${who}. Wait until it is done, or stop it.`)

export const agentsDamaged = (file: string, problem: string, cause?: unknown): AgentError =>
  new AgentError(
    'AGENTS_DAMAGED',
    `${file} cannot be read: ${problem}. Nothing was changed. Restore it from a copy, or remove it and install again.`,
    { cause },
  )

export const resultUnreadable = (file: string, problem: string): AgentError =>
  new AgentError('RESULT_UNREADABLE', `${file} is not what an agent emitted: ${problem}. Take it from the site again.`)

export const sandboxUnavailable = (cause: unknown): AgentError =>
  new AgentError(
    'SANDBOX_UNAVAILABLE',
    `The sandbox cannot be started (${textOf(cause)}). It needs Node 24 or later and the right to start a process.`,
    { cause },
  )
