/** Consumers: programs of strangers, in TypeScript with every type checked, and the examples as they stand. */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { tried } from './processes.ts'

const root = resolve(import.meta.dirname, '../..')

const OPTIONS = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'esnext.disposable', 'dom'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
  },
}

/** A program for each way into a package, and every example, checked with the types of the packages and of all that they need. */
export async function checkTypes(folder: string, ways: readonly string[]): Promise<void> {
  const consumers = join(folder, 'consumers')
  mkdirSync(consumers)
  for (const [at, way] of ways.entries()) {
    const text = `import * as all from '${way}'\nexport const names: readonly string[] = Object.keys(all)\n`
    writeFileSync(join(consumers, `consumer-${at}.ts`), text)
  }
  for (const [at, program] of firstPrograms(join(folder, 'node_modules')).entries())
    writeFileSync(join(consumers, `first-program-${at}.ts`), `${program}export {}\n`)
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  const include = ['consumers', 'examples/*.ts']
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...OPTIONS, include }))
  const { stdout, stderr, code } = await tried(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    folder,
  )
  if (code !== 0) throw new Error(stdout + stderr)
}

/** What the READMEs of the packages begin with, as they were installed. */
function firstPrograms(modules: string): string[] {
  const readmes = globSync(['comity/README.md', '@comity/*/README.md'], { cwd: modules })
  return readmes.flatMap((path) =>
    Array.from(
      readFileSync(join(modules, path), 'utf8').matchAll(/^```ts\n(?<program>[\s\S]*?)^```/gm),
      ({ groups }) => groups!['program']!,
    ),
  )
}

/** The tests of the examples, on copies of them beside the installed packages. */
export function runExamples(folder: string): number {
  const env = { ...process.env, COMITY_INSTALLED: folder }
  const { status, stdout } = spawnSync(process.execPath, ['--test', join(root, 'test/examples.test.ts')], {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (status !== 0) throw new Error(`examples beside the installed packages: ${stdout}`)
  return readdirSync(join(folder, 'examples')).length
}
