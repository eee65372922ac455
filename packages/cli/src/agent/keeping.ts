/** `comity agent install`, `list`, `rollback`, `remove` and `revoke`: what an owner decides, and what an engine takes back. */
import { writeFileSync } from 'node:fs'
import { AgentStore, bundleUnreadable, chosenVersion, writeRevocations } from '@comity/agent'
import type { Revocation } from '@comity/agent'
import type { AgentCall } from './command.ts'
import { bundleOf, onlyFile, publicKeysIn, readBytes, signingKeyIn } from './files.ts'
import { agentLines, bundleJson, bundleLines } from './report.ts'
import { counted } from '../terminal/quantity.ts'
import { shellWord } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function installWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const bundle = bundleOf(onlyFile(operands, 'the bundle to install'))
  const { name, version, engine, reads } = bundle.manifest
  const store = new AgentStore(settings.agents)
  const keys = settings.trust === undefined ? [] : publicKeysIn(settings.trust)
  if (settings.trust !== undefined) {
    const added = store.trust(keys, engine)
    for (const key of added) terminal.say(`${key} is trusted for ${engine} from now on`)
  }
  const { rollout, older, allowLog } = settings
  const { kind, agent } = store.install(bundle, {
    at: Date.now(),
    rollOut: rollout,
    mayBeOlder: older,
    mayReadLog: allowLog,
  })
  if (settings.json) terminal.print(JSON.stringify({ installed: kind === 'installed', agent }))
  else {
    terminal.print(bundleLines(bundle, terminal.paint).join('\n'))
    terminal.print(
      `${name} ${version} ${kind === 'there' ? 'was installed already' : 'is installed'} in ${settings.agents}.`,
    )
    if (reads.includes('log') && !agent.mayReadLog)
      terminal.say('It would like to know how often each page was read, and is not told: --allow-log would.')
  }
  return await Promise.resolve(0)
}

export async function listWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  if (operands.length > 0) {
    const bundle = bundleOf(onlyFile(operands, 'one bundle'))
    terminal.print(settings.json ? JSON.stringify(bundleJson(bundle)) : bundleLines(bundle, terminal.paint).join('\n'))
    return 0
  }
  const store = new AgentStore(settings.agents).read()
  const now = Date.now()
  if (settings.json) {
    const agents = store.agents.map((agent) => Object.assign({}, agent, { next: chosenVersion(agent, now) }))
    terminal.print(JSON.stringify({ keys: store.keys, revoked: store.revoked, agents }))
  } else if (store.agents.length === 0) terminal.print(`No agent is installed in ${settings.agents}.`)
  else terminal.print(agentLines(store.agents, now, terminal.paint).join('\n'))
  return await Promise.resolve(0)
}

export async function rollbackWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const name = onlyFile(operands, 'the agent to take back')
  const agent = new AgentStore(settings.agents).rollBack(name, settings.to)
  if (agent === undefined) {
    const what =
      settings.to === undefined
        ? 'no version before the current one that may run'
        : `no version ${settings.to} that may run`
    throw new UsageError(`${name} has ${what}: \`comity agent list\` shows those there are.`)
  }
  const version = agent.versions.find(({ digest }) => digest === agent.current)?.version
  terminal.print(settings.json ? JSON.stringify({ agent }) : `${name} runs as version ${version} from now on.`)
  return await Promise.resolve(0)
}

/** The owner's last word: an agent, or all that a key alone has signed. */
export async function removeWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const what = onlyFile(operands, 'the agent, or the thumbprint of a key')
  const store = new AgentStore(settings.agents)
  const isKey = store.read().keys.some(({ keyId }) => keyId === what)
  if (isKey) store.distrust(what)
  else store.remove(what)
  if (settings.json) terminal.print(JSON.stringify({ removed: what, kind: isKey ? 'key' : 'agent' }))
  else terminal.print(isKey ? `${what} is not trusted any more.` : `${what} is gone, with what it remembered.`)
  return await Promise.resolve(0)
}

export async function revokeWord(call: AgentCall): Promise<number> {
  return call.settings.key === undefined ? heed(call) : await makeList(call)
}

/** For sites: take in a list. */
function heed({ settings, operands, terminal }: AgentCall): number {
  const path = onlyFile(operands, 'the list of revocations; to make one, add --key KEYS')
  const done = new AgentStore(settings.agents).revoke(readBytes(path), Date.now())
  if (done.kind === 'refused') throw bundleUnreadable(path, `as a list of revocations, ${done.problem}`)
  if (settings.json) terminal.print(JSON.stringify(done))
  else {
    const stopped =
      done.stopped.length === 0 ? 'no agent here is concerned' : `this concerns ${done.stopped.join(', ')}`
    terminal.print(`${counted(done.revocations, 'new revocation')}; ${stopped}.`)
  }
  return 0
}

/** For engines: make a list. */
async function makeList({ settings, operands, terminal }: AgentCall): Promise<number> {
  if (operands.length === 0)
    throw new UsageError('Say what to take back: digests of bundles (sha-256:…) or thumbprints of keys.')
  const { out, reason } = settings
  if (out === undefined) throw new UsageError('Say where the list goes: --out FILE.')
  const revocations = operands.map((id): Revocation => {
    if (/^sha-256:[0-9a-f]{64}$/.test(id)) return { kind: 'bundle', id, reason }
    if (/^[\w-]{43}$/.test(id)) return { kind: 'key', id, reason }
    throw new UsageError(`${shellWord(id)} is neither the digest of a bundle (sha-256:…) nor the thumbprint of a key.`)
  })
  const key = await signingKeyIn(settings.key, Date.now())
  writeFileSync(out, writeRevocations(Date.now(), revocations, key))
  if (settings.json) terminal.print(JSON.stringify({ file: out, key: key.keyId, revocations }))
  else
    terminal.print(
      `${out} takes back ${counted(revocations.length, 'bundle or key', 'bundles or keys')}, signed by ${key.keyId}.`,
    )
  return 0
}
