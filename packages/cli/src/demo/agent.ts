/**
 * Demo agent: a program of the search engine, at one of the demo's sites. Engine and owner are in one hand here, so what they
 * would do in turn is done at once: built, signed, trusted, installed, and kept by the engine to hear and audit it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentPort } from '@comity/crawler'
import type { LivingWebOptions } from '@comity/testbed'

export interface DemoAgent extends Disposable {
  readonly name: string
  readonly agentsOf: NonNullable<LivingWebOptions['agentsOf']>
  /** The engine's side of it. */
  readonly port: AgentPort
}

const SOURCE = fileURLToPath(new URL('../../../../examples/agents/visible-text-change.js', import.meta.url))

/** `engine`: the host where what it says goes. Undefined when the example is not there: it belongs to no package. */
export async function openDemoAgent(engine: string): Promise<DemoAgent | undefined> {
  if (!existsSync(SOURCE)) return undefined
  // Here and not above: no other command needs it, and each would pay for loading it.
  const { placeAgent } = await import('../agent/placement.ts')
  const { EngineAgents } = await import('../agent/engine-agents.ts')
  const { openSiteAgents } = await import('../site/site-agents.ts')
  const dir = mkdtempSync(join(tmpdir(), 'comity-demo-agent-'))
  const [agents, bundles] = [join(dir, 'site'), join(dir, 'engine')]
  const source = readFileSync(SOURCE, 'utf8')
  const { manifest } = await placeAgent({ source, engine: `http://${engine}/keys`, agents, bundles, at: Date.now() })
  return {
    name: manifest.name,
    port: new EngineAgents(bundles),
    agentsOf: ({ origin }, subscribers) => {
      const own = { dir: agents, file: join(agents, 'told.json'), subscribers, base: `${origin}/` }
      return openSiteAgents({ ...own, tell: () => undefined })
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}
