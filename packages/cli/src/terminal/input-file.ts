/** Input file: what is named to be read is there and is no folder, before anything is made for it. */
import { stat } from 'node:fs/promises'
import { UsageError } from '../usage-error.ts'

/** Throws what the system says of a name that is not there. `what`: such as "a WARC or WACZ file". */
export async function requireFile(path: string, what: string): Promise<void> {
  if ((await stat(path)).isDirectory()) throw new UsageError(`${path} is a folder: name ${what}.`)
}
