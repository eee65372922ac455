/** Manifest rules: what publint and "Are the types wrong?" say about a package, as people who install it would meet it. */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Tarball } from './tarballs.ts'

/** CommonJS cannot `require` a package of modules alone but by Node's own way, which its types do not show; all of ours are such. */
const OF_MODULES_ALONE: ReadonlySet<string> = new Set(['CJSResolvesToESM'])

export async function manifestFaults(tarball: Tarball): Promise<string[]> {
  const bytes = readFileSync(tarball.path)
  const packed = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true })
  const said = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
  return [...said, ...(await typeFaults(tarball))]
}

async function typeFaults({ name, path, files }: Tarball): Promise<string[]> {
  // A command exports nothing, and needs no types.
  if (!files.some((file) => file.endsWith('.d.ts'))) return []
  const result = await checkPackage(createPackageFromTarballData(readFileSync(path)))
  if (result.types === false) return [`${name} has no types`]
  // Node 10 knows no `exports`.
  const problems = result.problems.filter(
    (problem) =>
      !OF_MODULES_ALONE.has(problem.kind) && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  )
  return problems.map((problem) => `types: ${JSON.stringify(problem)}`)
}
