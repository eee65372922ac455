/** Sent version: which version of a page was sent, by its body without its content coding. */
import { headerOf } from '@comity/protocol'
import type { HeaderList, TooMuchWork } from '@comity/protocol'
import type { Documents } from '@comity/ingest'

interface BodyVersion {
  readonly key: Uint8Array
  /** As signals have it. */
  readonly digest: string
}

/** Undefined when its coding cannot be undone. */
export async function versionOfBody(
  documents: Documents,
  headers: HeaderList,
  body: Uint8Array,
  maxBytes: number,
): Promise<BodyVersion | TooMuchWork | undefined> {
  return await documents.work('version', { body, coding: headerOf(headers, 'content-encoding'), maxBytes })
}
