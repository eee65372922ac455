/** Docroot options: how a document root becomes pages, with every default in one table. */
import type { Instant } from '@comity/protocol'
import { defaultIndexRule } from './docroot-path.ts'
import type { IndexRule } from './docroot-path.ts'
import { optionInvalid } from '../errors.ts'
import type { PublicRuleOptions } from '../privacy/public-rules.ts'

export interface DocrootOptions extends IndexRule {
  /** The folder whose files are the site. */
  readonly root: string
  /** What becomes public. robots.txt is read from the root at each scan unless it is given here. */
  readonly rules: PublicRuleOptions
  /** Work a scan over this time, so that it is not felt (000 §3.3); 0 is as fast as it goes. */
  readonly spreadMs: number
  /** Texts up to this size are handed on with their bodies, so that differences can be made; 0 for none. */
  readonly maxBodyBytes: number
  /** An empty root with a full journal is a mistake unless this is set. */
  readonly mayBeEmpty: boolean
  /** Which of the journal's pages the root is answerable for: those it does not hold are gone. */
  readonly owns: (path: string) => boolean
}

const defaultDocrootOptions: Omit<DocrootOptions, 'root'> = {
  ...defaultIndexRule,
  rules: {},
  spreadMs: 0,
  maxBodyBytes: 1 << 20,
  mayBeEmpty: false,
  // No file has a query; such pages come from other sources.
  owns: (path) => !path.includes('?'),
}

/** All that a scan touches besides the files and the journal. */
export interface DocrootScanWorld {
  now(): Instant
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export function docrootOptions(given: Partial<DocrootOptions> & { readonly root: string }): DocrootOptions {
  const unknown = Object.keys(given).find((name) => name !== 'root' && !Object.hasOwn(defaultDocrootOptions, name))
  if (unknown !== undefined) throw optionInvalid(`A document root has no option named ${unknown}.`)
  const options = { ...defaultDocrootOptions, ...given }
  if (!['folder', 'file', 'both'].includes(options.indexPaths))
    throw optionInvalid(`indexPaths is folder, file or both, not ${options.indexPaths}.`)
  for (const name of ['spreadMs', 'maxBodyBytes'] as const) {
    if (!(options[name] >= 0 && options[name] < Infinity))
      throw optionInvalid(`${name} is a number from 0 on, not ${options[name]}.`)
  }
  const odd = options.indexNames.find((name) => name === '' || name.includes('/') || name.startsWith('.'))
  if (odd !== undefined) throw optionInvalid(`"${odd}" cannot be the name of an index file.`)
  return options
}
