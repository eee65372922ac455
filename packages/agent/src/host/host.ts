/**
 * Agent host: runs an agent over the public pages of a site and gives what came of it.
 *
 *   bundle, pages, memory ──▶ sandbox ⇄ services ──▶ records, memory as it is now, what was used
 *
 * Deterministic: the same bundle over the same pages with the same memory gives the same records in the same order,
 * wherever it runs, which is what audits rest on (`host/audit.ts`). Caps that are reached end a run without a result.
 */
import { grantedCaps } from '../bundle/caps.ts'
import type { AgentCaps } from '../bundle/caps.ts'
import type { AgentBundle } from '../bundle/bundle.ts'
import { AgentMemory } from './memory.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { inOrder, pagesDigest } from './pages.ts'
import type { AgentPages } from './pages.ts'
import { AgentServices } from './services.ts'
import type { EmittedRecord, ServiceUse } from './services.ts'
import { runSandbox } from '../sandbox/process.ts'

export interface AgentTask {
  readonly bundle: AgentBundle
  readonly pages: AgentPages
  /** What it remembers from the run before. */
  readonly memory?: AgentMemory | undefined
  /** What the owner grants; where the manifest asks for less, that counts. */
  readonly caps?: AgentCaps | undefined
  /** How often pages were asked for, by URL: only when the owner allows it. */
  readonly log?: ReadonlyMap<string, number> | undefined
  /** Each record as it comes; they count when the run is done. */
  readonly onRecord: (emitted: EmittedRecord) => void
  /** How many pages there are, and the digest that names them, before it begins. */
  readonly onBegin?: ((pages: number, pagesDigest: string) => void) | undefined
  readonly onProgress?: ((use: ServiceUse) => void) | undefined
  readonly onStart?: ((pid: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface AgentUse extends ServiceUse {
  readonly cpuMs: number
  readonly wallMs: number
  readonly memoryBytes: number
}

export interface AgentRun {
  readonly outcome: AgentOutcome
  /** More than the outcome's own sentence; may be ''. */
  readonly message: string
  readonly use: AgentUse
  /** Pages there were, and the digest that names them all. */
  readonly pages: number
  readonly pagesDigest: string
  /** As it is after the run; unchanged unless it was done. */
  readonly memory: AgentMemory
  /** What the agent noted for whoever wrote it. */
  readonly notes: readonly string[]
  readonly isOffline: boolean
}

export async function runAgent(task: AgentTask): Promise<AgentRun> {
  const { bundle, memory = new AgentMemory(), signal, onProgress, onStart } = task
  const { manifest, source } = bundle
  const caps = grantedCaps(manifest.caps, task.caps)
  const pages = inOrder(task.pages.list())
  const digest = pagesDigest(pages)
  task.onBegin?.(pages.length, digest)
  const parts = { manifest, caps, pages, source: task.pages, memory, log: task.log, onRecord: task.onRecord }
  const services = new AgentServices(parts)
  const { cpuMs, wallMs, memoryBytes } = caps
  const sandbox = await runSandbox(
    { task: 'run', source, perPage: manifest.perPage, cpuMs, memoryBytes },
    async (question) => {
      const answer = await services.answer(question)
      onProgress?.(services.use)
      return answer
    },
    { wallMs, signal, onStart },
  )
  const isDone = sandbox.outcome === 'done'
  return {
    outcome: sandbox.outcome,
    message: sandbox.message,
    use: { ...services.use, cpuMs: sandbox.cpuMs, wallMs: sandbox.wallMs, memoryBytes: sandbox.memoryBytes },
    pages: pages.length,
    pagesDigest: digest,
    memory: isDone ? services.draft.kept() : memory,
    notes: services.notes,
    isOffline: sandbox.isOffline,
  }
}

export type AgentDescription =
  /** The manifest as the program has it, parsed from JSON. */
  | { readonly kind: 'described'; readonly manifest: unknown }
  | { readonly kind: 'refused'; readonly outcome: AgentOutcome; readonly message: string }

/** What loading a program may take. */
const DESCRIBE = { cpuMs: 2_000, wallMs: 20_000, memoryBytes: 64 << 20 } as const

/** Loads a program in a sandbox, without pages, and asks for its manifest: what is wrong with its form comes out here. */
export async function describeAgent(source: string, signal?: AbortSignal): Promise<AgentDescription> {
  const end = await runSandbox(
    { task: 'describe', source, perPage: false, cpuMs: DESCRIBE.cpuMs, memoryBytes: DESCRIBE.memoryBytes },
    ({ name }) =>
      Promise.resolve({
        kind: 'fault',
        outcome: 'bad-program',
        message: `it asks for ${name} while it is being loaded`,
      }),
    { wallMs: DESCRIBE.wallMs, signal },
  )
  if (end.outcome !== 'done') return { kind: 'refused', outcome: end.outcome, message: end.message }
  return { kind: 'described', manifest: JSON.parse(end.manifest ?? 'null') as unknown }
}
