/**
 * Sync token: how far somebody is who follows the changes. `feed.number`, and while the first answers still go over all
 * pages, the path they have come to: `feed.number.path`.
 */
export interface SyncToken {
  readonly feed: string
  /** Changes up to this number are known. */
  readonly number: number
  /** Of all pages as they are, those up to this path are known. */
  readonly after?: string | undefined
}

export function writeToken({ feed, number, after }: SyncToken): string {
  const token = `${feed}.${number}`
  return after === undefined ? token : `${token}.${Buffer.from(after).toString('base64url')}`
}

/** Undefined when it is none of ours. */
export function readToken(text: string): SyncToken | undefined {
  const [, feed, number, after] = TOKEN.exec(text) ?? []
  if (feed === undefined || !Number.isSafeInteger(Number(number))) return undefined
  if (after === undefined) return { feed, number: Number(number) }
  const path = Buffer.from(after, 'base64url').toString('utf8')
  return path === '' ? undefined : { feed, number: Number(number), after: path }
}

const TOKEN = /^([0-9a-f]{16})\.(\d{1,16})(?:\.([\w-]{1,4000}))?$/
