/** Errors of a site's journal and sources: what happened, to what, what to do. Codes are stable. */
import { textOf } from '@comity/protocol'
export type SiteErrorCode =
  | 'JOURNAL_DAMAGED'
  | 'JOURNAL_FORMAT'
  | 'JOURNAL_HELD'
  | 'JOURNAL_UNWRITABLE'
  | 'JOURNAL_CLOSED'
  | 'JOURNAL_FULL'
  | 'OBSERVATION_INVALID'
  | 'DOCROOT_UNREADABLE'
  | 'DOCROOT_EMPTY'
  | 'PUBLISH_OPTION_INVALID'
  | 'EXPORT_UNWRITABLE'
  | 'ROWS_DAMAGED'
  | 'ROWS_UNWRITABLE'
  | 'ROWS_CLOSED'
  | 'KEYS_UNREADABLE'
  | 'KEYS_UNWRITABLE'
  | 'KEYS_EXPOSED'

export class SiteError extends Error {
  override readonly name: string = 'SiteError'
  readonly code: SiteErrorCode
  constructor(code: SiteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const journalDamaged = (file: string, what: string): SiteError =>
  new SiteError(
    'JOURNAL_DAMAGED',
    `${file} is damaged: ${what}. Nothing was changed. Restore it from a copy, or move it away: the next start begins a ` +
      'new journal from the site as it is, and crawlers, who see its new name, begin anew with it.',
  )

export const journalFormat = (file: string, found: string, known: number): SiteError =>
  new SiteError(
    'JOURNAL_FORMAT',
    `${file} is ${found}; this version reads and writes journals of version ${known}. ` +
      'Use the version that wrote it, or name another directory.',
  )

export const journalHeld = (dir: string, holder: string, lock: string): SiteError =>
  new SiteError(
    'JOURNAL_HELD',
    `What is in ${dir} is being written by ${holder}. One process writes it at a time: stop it, or give this ` +
      `one a directory of its own. If that machine or container is gone for good, delete ${lock}.`,
  )

export const journalUnwritable = (file: string, cause: unknown, isUsable: boolean): SiteError =>
  new SiteError(
    'JOURNAL_UNWRITABLE',
    `${file} could not be written (${textOf(cause)}). Everything recorded before is safe; these changes are not. ` +
      (isUsable
        ? 'Mend that (is the disk full?) and record them again.'
        : 'What the disk holds is no longer certain: mend it and open the journal again.'),
    { cause },
  )

export const journalUnopened = (dir: string, cause: unknown): SiteError =>
  new SiteError(
    'JOURNAL_UNWRITABLE',
    `The journal in ${dir} cannot be opened (${textOf(cause)}). It needs a folder that this process may read and write: ` +
      'mend its permissions, or name another.',
    { cause },
  )

export const journalClosed = (file: string): SiteError =>
  new SiteError('JOURNAL_CLOSED', `${file} was closed; open it again to record more.`)

export const journalFull = (path: string, maxPages: number): SiteError =>
  new SiteError(
    'JOURNAL_FULL',
    `There is no room for ${path}: the journal holds ${maxPages} pages already. If the site has more, raise maxPages; ` +
      'if addresses without end answer as pages, reject them by a pattern.',
  )

export const observationInvalid = (path: unknown, what: string): SiteError =>
  new SiteError('OBSERVATION_INVALID', `The observation of ${JSON.stringify(path)?.slice(0, 200)} ${what}.`)

export const docrootUnreadable = (root: string, cause: unknown): SiteError =>
  new SiteError(
    'DOCROOT_UNREADABLE',
    `The document root ${root} cannot be read (${textOf(cause)}), so nothing is known of its pages and the journal stays ` +
      'as it is. Check the path, its permissions, and whether its disk is mounted.',
    { cause },
  )

export const docrootEmpty = (root: string, pages: number): SiteError =>
  new SiteError(
    'DOCROOT_EMPTY',
    `The document root ${root} holds no file that may be listed, but the journal knows ${pages} pages. A disk that is ` +
      'not mounted looks like this, so they were not reported as deleted. If the site is meant to be empty, set mayBeEmpty.',
  )

export const optionInvalid = (what: string): SiteError => new SiteError('PUBLISH_OPTION_INVALID', what)

export const exportUnwritable = (dir: string, cause: unknown): SiteError =>
  new SiteError(
    'EXPORT_UNWRITABLE',
    `The documents cannot be written into ${dir} (${textOf(cause)}). What stands there is as it was before, each file whole. ` +
      'Check that it is a folder that this process may write, and that its disk has room.',
    { cause },
  )

export const rowsDamaged = (file: string, what: string): SiteError =>
  new SiteError(
    'ROWS_DAMAGED',
    `${file} is damaged: ${what}. Nothing was changed. Restore it from a copy, or move it away: it is then begun anew, and ` +
      'whoever stood in it has to come again, as subscribers do when their lease ends.',
  )

export const rowsUnwritable = (file: string, cause: unknown): SiteError =>
  new SiteError(
    'ROWS_UNWRITABLE',
    `${file} cannot be written (${textOf(cause)}). What was written before is safe, this is not. ` +
      'Check that this process may write it and that its disk has room; if it says so again, start the process anew.',
    { cause },
  )

export const rowsClosed = (file: string): SiteError =>
  new SiteError('ROWS_CLOSED', `${file} was closed; open it again to write more.`)

export const keysUnreadable = (file: string, what: string): SiteError =>
  new SiteError(
    'KEYS_UNREADABLE',
    `${file} is no file of keys: ${what}. Restore it from a copy; \`comity keys new\` makes another, whose keys have to be ` +
      'published before anybody believes them.',
  )

export const keysUnwritable = (file: string, cause: unknown): SiteError =>
  new SiteError(
    'KEYS_UNWRITABLE',
    `${file} cannot be written (${textOf(cause)}). What stands there is as it was. Check that this process may write it, ` +
      'and that nobody else is rotating its keys just now.',
    { cause },
  )

export const keysThere = (file: string): SiteError =>
  new SiteError(
    'KEYS_UNWRITABLE',
    `${file} is there already, and was left as it is. Name another file, or \`comity keys rotate ${file}\` for a new key in it.`,
  )

export const keysExposed = (file: string): SiteError =>
  new SiteError(
    'KEYS_EXPOSED',
    `${file} can be read by others, who could sign in its name. If nobody did, chmod 600 ${file}; if somebody may have, ` +
      '`comity keys rotate --at-once` afterwards.',
  )
