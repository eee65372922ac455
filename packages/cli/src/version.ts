/** The version of this command, from its package. */
import { readFileSync } from 'node:fs'

export function versionLine(): string {
  const path = new URL('../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(path, 'utf8'))
  return `comity ${version}, Node ${process.version}, ${process.platform} ${process.arch}`
}
