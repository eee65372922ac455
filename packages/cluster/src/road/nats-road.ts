/**
 * NatsRoad: the road on NATS. Questions go by core NATS, which keeps nothing. The register is one stream of JetStream with the newest
 * message of each subject; `create` and `replace` are publications that say which sequence they expect there, and JetStream refuses
 * those that are wrong. Pages never pass through it, so that wiping it loses none.
 */
import { connect } from '@nats-io/transport-node'
import type { ConnectionOptions, Msg, NatsConnection } from '@nats-io/transport-node'
import { jetstream, JetStreamApiError, jetstreamManager, StorageType, DiscardPolicy } from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { readFileSync } from 'node:fs'
import { messageOf } from '@comity/protocol'
import { clusterError } from '../errors.ts'
import { NoAnswer } from './road.ts'
import type { Answer, Entry, Message, Register, Road } from './road.ts'

interface NatsPlace {
  /** `nats://HOST:4222`, several with commas between them. */
  readonly servers: string
  /** Of the cluster: subjects begin with it. */
  readonly name: string
  /** Of this machine: who may speak is proven by its credentials (`nsc`), and kept in a file of its own. */
  readonly credentials?: string | undefined
  readonly ca?: string | undefined
}

/** What is told of the server that we are connected to. */
export interface ServerFacts {
  readonly version: string
  readonly name: string
  readonly cluster?: string | undefined
  /** Servers of its cluster that we may turn to. */
  readonly servers: number
  readonly maxPayload: number
}

const WRONG_SEQUENCE = 10_071
const NO_MESSAGE = 10_037
const NO_STREAM = 10_059
const REGISTER_MS = 3_000

export class NatsRoad implements Road {
  readonly #connection: NatsConnection
  readonly #stream: JetStreamClient
  readonly #manager: JetStreamManager
  readonly #name: string
  #isConnected = true
  readonly register: Register

  private constructor(connection: NatsConnection, stream: JetStreamClient, manager: JetStreamManager, name: string) {
    this.#connection = connection
    this.#stream = stream
    this.#manager = manager
    this.#name = name
    void this.#follow().catch(() => undefined)
    this.register = {
      read: (key) => this.#read(key),
      create: (key, value) => this.#write(key, value, 0),
      replace: (key, value, revision) => this.#write(key, value, revision),
    }
  }

  static async open(place: NatsPlace): Promise<NatsRoad> {
    const connection = await connected(place)
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REGISTER_MS })
    const stream = jetstream(connection, { timeout: REGISTER_MS })
    return new NatsRoad(connection, stream, manager, place.name)
  }

  get facts(): ServerFacts {
    const {
      version = '?',
      server_name: name = '?',
      cluster,
      connect_urls: urls,
      max_payload: maxPayload = 0,
    } = this.#connection.info ?? {}
    return { version, name, cluster, servers: Math.max(1, urls?.length ?? 1), maxPayload }
  }

  /** Make the register, unless it is there: held by as many servers, by three of three unless told. */
  async makeRegister(replicas: number = this.replicas): Promise<void> {
    try {
      await this.#manager.streams.add({
        name: this.#streamName,
        subjects: [`${this.#prefix}register.>`],
        max_msgs_per_subject: 1,
        discard: DiscardPolicy.New,
        max_msgs: 100_000,
        storage: StorageType.File,
        num_replicas: replicas,
        duplicate_window: 0,
      })
    } catch (error) {
      if (await this.hasRegister()) return
      throw clusterError(
        'CLUSTER_UNREACHABLE',
        `The register could not be made: ${messageOf(error)}. JetStream must be on (nats-server --jetstream).`,
        error,
      )
    }
  }

  /** As many servers as can hold a register here. */
  get replicas(): number {
    return this.facts.servers >= 3 ? 3 : 1
  }

  async hasRegister(): Promise<boolean> {
    try {
      await this.#manager.streams.info(this.#streamName)
      return true
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_STREAM) return false
      throw error
    }
  }

  async ask(to: string, message: Message, timeoutMs: number): Promise<Message> {
    this.#requireConnection(to)
    try {
      const answer = await this.#connection.request(this.#prefix + to, JSON.stringify(message), { timeout: timeoutMs })
      return answer.json<Message>()
    } catch (error) {
      throw new NoAnswer(`${to}: ${messageOf(error)}`, { cause: error })
    }
  }

  answerAt(place: string, answer: Answer): () => void {
    const subscription = this.#connection.subscribe(this.#prefix + place, {
      callback: (error, message) => {
        if (error !== null) return
        void respond(answer, message)
      },
    })
    return () => subscription.unsubscribe()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close()
  }

  /** What is said while nobody hears would be kept, without a limit, and sent when nobody means it any more. */
  #requireConnection(what: string): void {
    if (!this.#isConnected) throw new NoAnswer(`${what}: no connection to NATS`)
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#isConnected = false
      if (type === 'reconnect') this.#isConnected = true
    }
  }

  get #prefix(): string {
    return `comity.${this.#name}.`
  }
  get #streamName(): string {
    return `COMITY_${this.#name}`
  }

  async #read(key: string): Promise<Entry | undefined> {
    this.#requireConnection('the register')
    try {
      const held = await this.#manager.streams.getMessage(this.#streamName, { last_by_subj: this.#subject(key) })
      return held === null ? undefined : { value: held.json<Message>(), revision: held.seq }
    } catch (error) {
      if (error instanceof JetStreamApiError && (error.code === NO_MESSAGE || error.code === NO_STREAM))
        return undefined
      throw new NoAnswer(`the register: ${messageOf(error)}`, { cause: error })
    }
  }

  async #write(key: string, value: Message, revision: number): Promise<number | undefined> {
    this.#requireConnection('the register')
    try {
      const expect = { lastSubjectSequence: revision }
      const done = await this.#stream.publish(this.#subject(key), JSON.stringify(value), {
        expect,
        timeout: REGISTER_MS,
      })
      return done.seq
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_SEQUENCE) return undefined
      throw new NoAnswer(`the register: ${messageOf(error)}`, { cause: error })
    }
  }

  #subject(key: string): string {
    return `${this.#prefix}register.${key}`
  }
}

/** What is no JSON object is not answered, and what we fail on is as if we had not heard it. */
async function respond(answer: Answer, message: Msg): Promise<void> {
  const said = await answered(answer, message.data).catch(() => undefined)
  if (said !== undefined) message.respond(JSON.stringify(said))
}

async function answered(answer: Answer, data: Uint8Array): Promise<Message | undefined> {
  const message: unknown = JSON.parse(Buffer.from(data).toString())
  return typeof message === 'object' && message !== null ? await answer(message as Message) : undefined
}

async function connected({ servers, credentials, ca }: NatsPlace): Promise<NatsConnection> {
  const options: ConnectionOptions = {
    servers: servers.split(','),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    waitOnFirstConnect: false,
    timeout: 5_000,
    // A server whose machine has gone says nothing: another one is found while what we hold is still ours.
    pingInterval: 2_000,
    maxPingOut: 2,
    ...(ca === undefined ? {} : { tls: { caFile: ca } }),
  }
  try {
    if (credentials !== undefined) {
      const { credsAuthenticator } = await import('@nats-io/transport-node')
      options.authenticator = credsAuthenticator(readFileSync(credentials))
    }
    return await connect(options)
  } catch (error) {
    // A URL may hold a password, so it is not repeated.
    throw clusterError(
      'CLUSTER_UNREACHABLE',
      `NATS cannot be reached: ${messageOf(error)}. Start it (nats-server --jetstream), or see whether the address and the credentials are right.`,
      error,
    )
  }
}
