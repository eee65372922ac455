/** Errors of the crawler: what happened, what to do. Codes are stable; `docs/errors.md` lists them all. */
import { OwnersFault } from '@comity/ingest'

export type CrawlErrorCode = 'OPTION_INVALID' | 'CONTACT_MISSING' | 'SEED_INVALID' | 'PLUGIN_INVALID'

export class CrawlError extends OwnersFault {
  override readonly name: string = 'CrawlError'
  readonly code: CrawlErrorCode
  constructor(code: CrawlErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const optionInvalid = (message: string): CrawlError => new CrawlError('OPTION_INVALID', message)

export const contactMissing = (userAgent: string): CrawlError =>
  new CrawlError(
    'CONTACT_MISSING',
    `The user agent "${userAgent}" names nobody. Whoever serves public pages must be able to ask you to stop: say ` +
      '--user-agent "yourbot/1.0 (+https://example.org/bot)" with a page or an e-mail address of yours.',
  )

export const seedInvalid = (seed: string): CrawlError =>
  new CrawlError(
    'SEED_INVALID',
    `"${seed.slice(0, 200)}" is not a URL to start from. Write it like https://example.org/start.`,
  )

/** What stands before the host may be a password, so it is not quoted. */
export const seedHasPassword = (): CrawlError =>
  new CrawlError(
    'SEED_INVALID',
    'A start page has a user name or a password in its address (before an @), where nothing is sent from. Take it out; a ' +
      'config file names it for one origin: "sites": [{ "origin": "https://example.org", "basicAuth": "user:password" }].',
  )
