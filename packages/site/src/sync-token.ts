/**
 * Sync token: how far somebody is who follows the changes. `edition.number`, and while the first answers still go over all
 * pages, the path they have come to: `edition.number.path`.
 */
export interface SyncToken {
  readonly edition: string
  /** Changes up to this number are known. */
  readonly number: number
  /** Of all pages as they are, those up to this path are known. */
  readonly after?: string | undefined
}

export function writeToken({ edition, number, after }: SyncToken): string {
  const token = `${edition}.${number}`
  return after === undefined ? token : `${token}.${Buffer.from(after).toString('base64url')}`
}

/** Undefined when it is none of ours. */
export function readToken(text: string): SyncToken | undefined {
  const [, edition, number, after] = TOKEN.exec(text) ?? []
  if (edition === undefined || !Number.isSafeInteger(Number(number))) return undefined
  if (after === undefined) return { edition, number: Number(number) }
  const path = Buffer.from(after, 'base64url').toString('utf8')
  return path === '' ? undefined : { edition, number: Number(number), after: path }
}

const TOKEN = /^([0-9a-f]{16})\.(\d{1,16})(?:\.([\w-]{1,4000}))?$/
