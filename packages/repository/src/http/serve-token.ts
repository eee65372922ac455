/**
 * Serve token: the secret that changing a crawl needs. It lies in the collection's folder, readable by its owner alone:
 * whoever may write the collection may steer its crawl.
 *
 *   RANDOM.MARK      the mark is of the file that it was made in: its number and when it was born
 *
 * A collection may come from a stranger, who would know the token in it. What is unpacked, copied or restored stands in a
 * file that was born elsewhere, which nobody could know beforehand: then a new token is made. Moving a collection keeps it.
 */
import { chmodSync, closeSync, fstatSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openNewSecret } from '@comity/disk'
import { tokenInvalid } from '../errors.ts'

export const TOKEN_FILE = 'serve.token'

/** As `http/request-guard.ts` takes them. */
const TOKEN = /^[\w.~+/=-]{16,500}$/
const MARK_CHARACTERS = 16

/** The token of a collection, made when there is none of ours. Throws when the file holds something else. */
export function serveToken(dir: string, random: (bytes: number) => Uint8Array = randomBytes): string {
  const path = join(dir, TOKEN_FILE)
  const known = tokenIn(path)
  if (known?.isOurs === true) return known.token
  if (known !== undefined) rmSync(path, { force: true })
  try {
    // Of two servers that start at once, one makes it and the other reads it.
    return newToken(path, Buffer.from(random(24)).toString('base64url'))
  } catch (error) {
    const made = tokenIn(path)
    if (made?.isOurs !== true) throw error
    return made.token
  }
}

/** A token that somebody chose; throws when it is too short to be one. */
export function checkedToken(token: string): string {
  if (TOKEN.test(token)) return token
  throw tokenInvalid('A token has at least 16 characters: letters, digits and . _ ~ + / = -')
}

function newToken(path: string, secret: string): string {
  const fd = openNewSecret(path)
  try {
    const token = `${secret}.${markOf(secret, fstatSync(fd, { bigint: true }))}`
    writeSync(fd, `${token}\n`)
    return token
  } finally {
    closeSync(fd)
  }
}

interface Birth {
  readonly ino: bigint
  readonly birthtimeNs: bigint
}

const markOf = (secret: string, { ino, birthtimeNs }: Birth): string =>
  hash('sha256', `${secret} ${ino} ${birthtimeNs}`, 'base64url').slice(0, MARK_CHARACTERS)

function tokenIn(path: string): { readonly token: string; readonly isOurs: boolean } | undefined {
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
  // Files may have become readable for everybody.
  chmodSync(path, 0o600)
  const [secret = '', mark] = token.split('.')
  return { token, isOurs: mark === markOf(secret, statSync(path, { bigint: true })) }
}
