/**
 * Serve token: the secret that changing a crawl needs. It lies in the collection's folder, readable by its owner alone:
 * whoever may write the collection may steer its crawl.
 */
import { chmodSync, readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeNewSecret } from '@comity/disk'
import { tokenInvalid } from './errors.ts'

export const TOKEN_FILE = 'serve.token'

/** As `request-guard.ts` takes them. */
const TOKEN = /^[\w.~+/=-]{16,500}$/

/** The token of a collection, made when there is none. Throws when the file holds something else. */
export function serveToken(dir: string, random: (bytes: number) => Uint8Array = randomBytes): string {
  const path = join(dir, TOKEN_FILE)
  const known = tokenIn(path)
  if (known !== undefined) return known
  const token = Buffer.from(random(24)).toString('base64url')
  try {
    // Of two servers that start at once, one makes it and the other reads it.
    writeNewSecret(path, `${token}\n`)
    return token
  } catch (error) {
    const made = tokenIn(path)
    if (made === undefined) throw error
    return made
  }
}

/** A token that somebody chose; throws when it is too short to be one. */
export function checkedToken(token: string): string {
  if (TOKEN.test(token)) return token
  throw tokenInvalid('A token has at least 16 characters: letters, digits and . _ ~ + / = -')
}

function tokenIn(path: string): string | undefined {
  let token: string
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (!TOKEN.test(token)) {
    throw tokenInvalid(`${path} does not hold a token. Delete it, and the next start makes a new one.`)
  }
  // Copied or restored files may have become readable for everybody.
  chmodSync(path, 0o600)
  return token
}
