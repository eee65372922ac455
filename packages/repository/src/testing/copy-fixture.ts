/** The stored copy of a page as it is offered, for tests of the pages that show it. */
import type { HeldCopy, PageModel } from '../model/models.ts'

export function copyOf({ key, url, title, site, captures }: PageModel): HeldCopy {
  const versions = captures.filter(({ hasBody }) => hasBody).toReversed()
  return {
    kind: 'held',
    key,
    url,
    title,
    site,
    language: 'en',
    shown: versions[2]!,
    isFile: false,
    older: versions[1],
    newer: versions[3],
    versions,
    more: 3,
    askedFor: 'http://docs.example.org/politeness',
    fragment: '#waiting',
  }
}
