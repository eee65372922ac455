/** The lab is a package of its own, which not everybody wants to install: it draws plots. Whoever calls it without having it is told. */
import { versionOf } from '../version.ts'
import { UsageError } from '../usage-error.ts'

type Lab = typeof import('@comity/lab')

export async function labPackage(load: () => Promise<Lab> = () => import('@comity/lab')): Promise<Lab> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    const wanted = `@comity/lab@${versionOf()}`
    throw new UsageError(
      `The lab is a package of its own, and not installed here. Beside comity: npm install ${wanted}; ` +
        `for once: npx -p comity -p ${wanted} comity lab …`,
      { cause: error },
    )
  }
}

/** It is this package that is missing, and not one that it needs. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'@comity/lab'`)
