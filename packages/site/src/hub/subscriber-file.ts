/**
 * Subscriber file: subscribers that outlast the process.
 *
 *   DIR/subscribers.rows     one row a subscriber, secrets among them (`journal/row-file.ts`; readable by its owner only)
 *   DIR/writer-N.lock        who writes it (`journal/write-lock.ts`)
 */

import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { RowFile } from '../journal/row-file.ts'
import { PUSH_SCHEMES } from './subscriber.ts'
import type { Subscriber, Subscribers } from './subscriber.ts'
import { takeWriteLock } from '../journal/write-lock.ts'

export class SubscriberFile implements Subscribers, AsyncDisposable {
  readonly #file: RowFile<Subscriber>
  readonly #lock: Disposable

  private constructor(file: RowFile<Subscriber>, lock: Disposable) {
    this.#file = file
    this.#lock = lock
  }

  /** Opens the subscribers of a directory, or begins with none. Throws by name when it is in use or damaged. */
  static async open(dir: string): Promise<SubscriberFile> {
    makePrivateFolder(dir)
    const lock = takeWriteLock(dir)
    try {
      const path = join(dir, 'subscribers.rows')
      return new SubscriberFile(await RowFile.open(path, { kind: 'subscribers', read: readSubscriber }), lock)
    } catch (error) {
      lock[Symbol.dispose]()
      throw error
    }
  }

  all(): Iterable<Subscriber> {
    return this.#file.all()
  }

  get(id: string): Subscriber | undefined {
    return this.#file.get(id)
  }

  async put(subscriber: Subscriber): Promise<void> {
    await this.#file.put(subscriber.id, subscriber)
  }

  async delete(id: string): Promise<void> {
    if (this.#file.get(id) !== undefined) await this.#file.drop(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]()
    this.#lock[Symbol.dispose]()
  }
}

/** Undefined for what is no subscriber: a file that was changed by hand is damaged, not half understood. */
export function readSubscriber(json: unknown): Subscriber | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const row = json as Readonly<Record<string, unknown>>
  const { id, scheme, by, address, begins, expiresAt, isPing } = row
  const knownScheme = PUSH_SCHEMES.find((name) => name === scheme)
  const knownBy = WAYS.find((name) => name === by)
  const hasTexts = TEXTS.every((name) => row[name] === undefined || typeof row[name] === 'string')
  if (typeof id !== 'string' || typeof address !== 'string' || !hasTexts) return undefined
  if (knownScheme === undefined || knownBy === undefined || !isWhole(begins)) return undefined
  if (expiresAt !== undefined && !isWhole(expiresAt)) return undefined
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])))
  return {
    id,
    scheme: knownScheme,
    by: knownBy,
    address,
    begins,
    ...texts,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(isPing === true ? { isPing } : {}),
  }
}

const TEXTS = ['topic', 'hub', 'secret'] as const
const WAYS = ['websub', 'indexnow', 'push'] as const
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
