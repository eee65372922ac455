/**
 * ProgramEndpoint: `GET /programs/NAME`, for gateways that run a program of the repository's (001 §I). The request is signed like a
 * batch; the answer is the bundle that this gateway is nominated for (`programs/program-list.ts`), or 304 when it has that. What
 * gateways run, by what they say they have, and faults they tell of in the figures of their batches, are kept in a file beside
 * the operator's: a version with too many faults is withdrawn, and the one before is nominated instead.
 */
import { BUNDLE_TYPE } from '@comity/agent'
import { gatewayFaultsOf, PROGRAMS_PATH, ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { GatewayEndpoint } from '../proof/gateway-endpoint.ts'
import { nominatedVersion, readProgramList } from './program-list.ts'
import type { Program, ProgramVersion } from './program-list.ts'
import { fileVersion, ProgramStateFile } from './state.ts'
import type { ProgramState, ProgramUse, WithdrawnProgram } from './state.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'

export interface ProgramEndpointOptions {
  readonly now: () => Instant
  /** What the operator should know: a file that is spoiled, a version that was withdrawn. */
  readonly tell: (sentence: string) => void
}

export class ProgramEndpoint {
  readonly #path: string
  readonly #options: ProgramEndpointOptions
  #programs: readonly Program[] = []
  #version = ''
  readonly #state: ProgramStateFile

  /** `path`: the operator's file; what happens is kept beside it (`programs/state.ts`). */
  constructor(path: string, options: ProgramEndpointOptions) {
    this.#path = path
    this.#options = options
    this.#state = new ProgramStateFile(path)
    this.#look()
  }

  /** Who runs what. */
  get uses(): readonly ProgramUse[] {
    return this.#state.now.uses
  }

  get withdrawn(): readonly WithdrawnProgram[] {
    return this.#state.now.withdrawn
  }

  /** The version that a gateway is to run. `runs` is what it has now. */
  ask(name: string, gateway: string, runs: string | undefined): ProgramVersion | undefined {
    this.#look()
    const program = this.#programs.find((one) => one.name === name)
    const { withdrawn } = this.#state.now
    const isWithdrawn = (digest: string): boolean => withdrawn.some((one) => one.digest === digest)
    const version = program === undefined ? undefined : nominatedVersion(program, gateway, isWithdrawn)
    if (version === undefined) return undefined
    const use = { program: name, gateway, runs, nominated: version.digest, askedAt: this.#options.now() }
    this.#change((state) => {
      const others = state.uses.filter((one) => one.program !== name || one.gateway !== gateway)
      return { ...state, uses: [...others, use] }
    })
    return version
  }

  /** The figures of a batch, once for each. */
  report(gateway: string, figures: Readonly<Record<string, number>>): void {
    for (const [begins, times] of gatewayFaultsOf(figures)) {
      const found = this.#programs
        .flatMap((program) => program.versions.map((version) => ({ program, version })))
        .find(({ version }) => version.digest.startsWith(begins))
      if (found !== undefined) this.#fault(found.program, found.version, gateway, times)
    }
  }

  /** The operator's word: it may be nominated again, and its faults are forgotten. */
  forgive(digest: string): void {
    this.#change((state) => {
      const { [digest]: _, ...faults } = state.faults
      return { ...state, faults, withdrawn: state.withdrawn.filter((one) => one.digest !== digest) }
    })
  }

  #fault({ name, maxFaults }: Program, { digest, version }: ProgramVersion, gateway: string, times: number): void {
    this.#change((state) => {
      const before = ownValue(state.faults, digest) ?? {}
      const now = { ...before, [gateway]: (ownValue(before, gateway) ?? 0) + times }
      const all = Object.values(now).reduce((sum, one) => sum + one, 0)
      const isGone = state.withdrawn.some((one) => one.digest === digest)
      let { withdrawn } = state
      if (all >= maxFaults && !isGone) {
        const reason = `${all} faults at ${Object.keys(now).join(', ')}`
        withdrawn = [...withdrawn, { digest, version, reason, at: this.#options.now() }]
        this.#options.tell(`Program ${name} ${version} was withdrawn: ${reason}. The version before it is nominated.`)
      }
      return { ...state, withdrawn, faults: { ...state.faults, [digest]: now } }
    })
  }

  /** A disk that fails is told; gateways get their answers. */
  #change(change: (state: ProgramState) => ProgramState): void {
    try {
      this.#state.change(change)
    } catch (error) {
      this.#options.tell(`What is known of programs could not be written: ${(error as Error).message}`)
    }
  }

  /** A file that is spoiled changes nothing, and is told once. */
  #look(): void {
    const version = fileVersion(this.#path)
    if (version === this.#version && version !== '') return
    this.#version = version
    const read = readProgramList(this.#path)
    if (typeof read === 'string') this.#options.tell(`${this.#path} is not used: ${read}.`)
    else this.#programs = read
  }
}

/** What a gateway is given; throws a PushRefusal that says why that is nothing. */
export async function answerProgram(
  request: ReceiverRequest,
  gateways: GatewayEndpoint | undefined,
  programs: ProgramEndpoint | undefined,
): Promise<ReceiverAnswer> {
  if (gateways === undefined || programs === undefined)
    throw new PushRefusal('not-found', 'There are no programs for gateways here.')
  const { method, url, headers, path } = request
  const { name: gateway, covered } = await gateways.signerOf({ method, url, headers })
  const name = path.slice(PROGRAMS_PATH.length)
  // What a gateway runs is remembered, so nobody else is to say it.
  const tag = covered.includes('if-none-match') ? request.header('if-none-match') : undefined
  const runs = /^"(sha-256:[0-9a-f]{64})"$/.exec(tag ?? '')?.[1]
  const version = programs.ask(name, gateway, runs)
  if (version === undefined)
    throw new PushRefusal(
      'not-found',
      `There is no program ${name.slice(0, 64)} for ${gateway}. Whoever runs the repository lists gateways and programs.`,
    )
  const etag = { ETag: `"${version.digest}"` }
  if (runs === version.digest) return { status: 304, headers: etag }
  return { status: 200, headers: etag, type: BUNDLE_TYPE, body: version.bytes }
}
