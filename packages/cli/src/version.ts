/** The version of this command, from its package. */
import { readFileSync } from 'node:fs'

export function versionOf(): string {
  const path = new URL('../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(path, 'utf8'))
  return version
}

export const versionLine = (): string =>
  `comity ${versionOf()}, Node ${process.version}, ${process.platform} ${process.arch}`
