/** Export plan: what a run would write and take away, without writing anything. Documents are made to be compared, and dropped. */
import { encodeHard } from '../documents/document-coding.ts'
import type { Publication } from '../documents/publication.ts'
import type { Content, SiteDocument } from '../documents/site-document.ts'
import type { SiteScheme } from '../site-options.ts'
import type { ExportFolder } from './folder.ts'

export interface PlannedFile {
  /** From the host's root on. */
  readonly path: string
  /** `foreign`: somebody else's file stands there, and will be left alone. */
  readonly change: 'new' | 'changed' | 'same' | 'removed' | 'foreign'
  readonly bytes: number
  /** None of what goes. */
  readonly scheme?: SiteScheme | undefined
}

/** Below this a packed copy takes as many packets as the text, and is one file more. */
const MIN_PACKED_BYTES = 1_400

/** A text that a packed copy stands beside. */
export const hasPackedCopy = ({ isPacked }: SiteDocument, content: Content): content is Uint8Array =>
  isPacked !== true && content instanceof Uint8Array && content.length >= MIN_PACKED_BYTES

/** Everything but robots.txt, which may be the owner's own file. */
export async function planFiles(
  folder: ExportFolder,
  documents: Iterable<SiteDocument>,
  { store }: Pick<Publication, 'store'>,
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = []
  const add = async (path: string, name: string, bytes: number, scheme: SiteScheme): Promise<void> => {
    const standing = await folder.standing(path)
    const isSame = standing === 'intact' && folder.own(path)?.name === name
    const change = standing === 'absent' ? 'new' : standing === 'foreign' ? 'foreign' : isSame ? 'same' : 'changed'
    planned.push({ path, change, bytes, scheme })
  }
  for (const document of documents) {
    const { path, scheme } = document
    const { content, name } = await store.made(document)
    await add(path, name, content instanceof Uint8Array ? content.length : content.bytes, scheme)
    if (hasPackedCopy(document, content))
      await add(`${path}.gz`, `${name}-gzip`, (await encodeHard(content, 'gzip')).length, scheme)
  }
  return planned
}

/** What is ours and no longer wanted; robots.txt apart, as a run does. */
export function goneFiles(folder: ExportFolder, wanted: ReadonlySet<string>): PlannedFile[] {
  const gone = [...folder.paths()].filter((path) => !wanted.has(path))
  return gone.map((path) => ({ path, change: 'removed', bytes: folder.lengthOf(path) }))
}
