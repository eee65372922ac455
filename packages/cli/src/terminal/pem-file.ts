/** PEM files: a certificate with its private key, as servers take them. Told at once when they are not what they are called. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unreadableText } from '../system-failure.ts'
import { UsageError } from '../usage-error.ts'

export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Undefined where none is given. `names`: of the two flags. */
export function tlsFiles(
  cert: string | undefined,
  key: string | undefined,
  [certFlag, keyFlag]: readonly [cert: string, key: string],
): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) throw new UsageError(`${keyFlag} goes with ${certFlag}: give both.`)
  if (key === undefined) throw new UsageError(`${certFlag} needs ${keyFlag}: the private key of the certificate.`)
  const files = { cert: pemIn(cert, certFlag), key: pemIn(key, keyFlag) }
  const certificate = madeOf(() => new X509Certificate(files.cert), `${certFlag}: ${cert} holds no certificate in PEM.`)
  const secret = madeOf(
    () => createPrivateKey(files.key),
    `${keyFlag}: ${key} holds no private key in PEM that can be read without a passphrase.`,
  )
  if (!certificate.checkPrivateKey(secret))
    throw new UsageError(`${keyFlag}: the key in ${key} is not that of the certificate in ${cert}.`)
  return files
}

function pemIn(path: string, flag: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${flag}: ${unreadableText(path, error)}`)
  }
}

function madeOf<Made>(make: () => Made, sentence: string): Made {
  try {
    return make()
  } catch (cause) {
    throw new UsageError(sentence, { cause })
  }
}
