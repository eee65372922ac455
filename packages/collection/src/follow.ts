/**
 * Follow: what changes in a collection, commit by commit, for a program of its own beside the one that writes: a database, a queue, a mirror.
 *
 *   for await (const { number, pages } of follow('example', since)) …
 *
 * Nothing is missed and nothing is held up: whoever keeps `number` together with what they made of the change goes on behind it after any
 * stop, and meets a change twice at most when they were killed in between. A page is read as it is now, so one that changed twice may show
 * its second content both times.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeaderList } from '@comity/protocol'
import { entityBody } from '@comity/protocol'
import type { Collection } from './collection.ts'
import { changeUnknown } from './errors.ts'
import { FollowedCollection } from './followed-collection.ts'
import { isGoneOrMoved } from './rows/change-list.ts'
import type { Change } from './rows/change-list.ts'
import type { PageRow } from './rows/rows.ts'

export interface FollowedChange {
  /** Rises from change to change; `since` of whoever goes on behind it. */
  readonly number: number
  readonly pages: readonly FollowedPage[]
}

export interface FollowedPage {
  /** Its number, which stays the same for ever: what to file it under. */
  readonly page: number
  /** Undefined when it was forgotten: whatever was made of it is to go. */
  readonly url: string | undefined
  /** What is known of it now. */
  readonly row: PageRow | undefined
  /** Its answer as it was sent, content coding on; undefined when it is gone, moved or forgotten. */
  readonly read: () => FollowedAnswer | undefined
}

export interface FollowedAnswer {
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

export interface FollowOptions {
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal
  /** Wait for more when there is none (the default), or end. */
  readonly stayOpen?: boolean
  /** How often to look, while there is nothing new. */
  readonly everyMs?: number
}

/** Changes that are taken from the database at once: no cursor stays open while somebody thinks about one. */
const CHANGES_AT_ONCE = 64

/** `since`: the number of the last change that was dealt with; 0 for all that there is. */
export async function* follow(
  dir: string,
  since: number = 0,
  { signal, stayOpen = true, everyMs = 500 }: FollowOptions = {},
): AsyncGenerator<FollowedChange, void, undefined> {
  await using followed = new FollowedCollection(dir, Date.now)
  const isOver = (): boolean => signal?.aborted === true
  for (let number = since; !isOver();) {
    const changes = changesAfter(followed.current, number)
    for (const change of changes) {
      if (isOver()) return
      yield { number: change.number, pages: Array.from(change.pages, (page) => followedPage(followed, page)) }
      number = change.number
    }
    if (changes.length > 0) continue
    if (followed.current.lastChange < number) throw changeUnknown(dir, number, followed.current.lastChange)
    if (!stayOpen) return
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

const changesAfter = (collection: Collection, number: number): Change[] =>
  collection.changes(number).take(CHANGES_AT_ONCE).toArray()

function followedPage(followed: FollowedCollection, page: number): FollowedPage {
  const collection = followed.current
  const url = collection.url(page)
  return {
    page,
    url,
    row: url === undefined ? undefined : collection.page(page),
    read: () => answerOf(followed, page),
  }
}

function answerOf(followed: FollowedCollection, page: number): FollowedAnswer | undefined {
  const { generation } = followed
  try {
    return storedAnswer(followed.current, page)
  } catch (error) {
    // Not where the state says: somebody may have forgotten pages meanwhile, and the state is another one.
    followed.look()
    if (followed.generation === generation) throw error
    return storedAnswer(followed.current, page)
  }
}

function storedAnswer(collection: Collection, page: number): FollowedAnswer | undefined {
  const [url, row] = [collection.url(page), collection.page(page)]
  if (url === undefined || row?.body === undefined || isGoneOrMoved(row)) return undefined
  const message = collection.readMessage(row.body)
  return { url, headers: message.headers, body: entityBody(message) }
}
