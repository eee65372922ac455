/** Private reasons: every reason why a page is not made public, and whether it speaks of the page or of one answer. */

export type PrivateReason =
  | 'robots'
  | 'hidden'
  | 'backup'
  | 'program'
  | 'secret-file'
  | 'rejected'
  | 'not-included'
  | 'query'
  | 'secret-address'
  | 'path'
  | 'noindex'
  | 'private'
  | 'protected'
  | 'cookie-set'
  | 'varies'
  | 'missing'
  | 'redirect'
  | 'method'
  | 'authorization'
  | 'cookie-sent'
  | 'status'
  | 'too-large'
  | 'unreadable'
  | 'no-answer'

/**
 * `page`: what was listed before is withdrawn. `answer`: this answer tells nothing of what strangers get, so what is known
 * stays as it is.
 */
interface PrivateReasonFacts {
  readonly about: 'page' | 'answer'
  readonly sentence: string
}

export const PRIVATE_REASONS: Readonly<Record<PrivateReason, PrivateReasonFacts>> = {
  robots: { about: 'page', sentence: 'robots.txt disallows it for everybody' },
  hidden: { about: 'page', sentence: 'a part of its path begins with a dot, as those of .git, .htaccess and .env do' },
  backup: { about: 'page', sentence: 'its name is that of a backup or a draft, which nobody means to publish' },
  program: { about: 'page', sentence: 'the file is a program: what it answers is not what it holds' },
  'secret-file': {
    about: 'page',
    sentence:
      'its name is that of a database or its dump, a key, a file of passwords or a log, which nobody means to publish',
  },
  rejected: { about: 'page', sentence: 'a reject pattern matches it' },
  'not-included': { about: 'page', sentence: 'no include pattern matches it' },
  query: { about: 'page', sentence: 'it has a query, and no pattern for queries matches it' },
  'secret-address': {
    about: 'page',
    sentence: 'its path looks like a key that somebody was given, and no include pattern names it',
  },
  path: { about: 'page', sentence: 'its path is longer than 4,096 characters, or not as a request line has it' },
  noindex: { about: 'page', sentence: 'X-Robots-Tag or a meta element says noindex, or that its time is over' },
  private: { about: 'page', sentence: 'Cache-Control says private or no-store' },
  protected: { about: 'page', sentence: 'it answers 401, 403 or 407, or asks who is there' },
  'cookie-set': { about: 'page', sentence: 'its answer sets a cookie' },
  varies: { about: 'page', sentence: 'Vary says that the answer depends on more than the request tells' },
  missing: { about: 'page', sentence: 'it answers 404 or 410' },
  redirect: { about: 'page', sentence: 'it leads elsewhere' },
  method: { about: 'answer', sentence: 'the request was no GET' },
  authorization: { about: 'answer', sentence: 'the request said who was asking' },
  'cookie-sent': {
    about: 'answer',
    sentence: 'the request carried a cookie, so the answer may be meant for one visitor',
  },
  status: { about: 'answer', sentence: 'the answer is no whole page: its status is not 200' },
  'too-large': { about: 'answer', sentence: 'the body is larger than what is looked at' },
  unreadable: { about: 'answer', sentence: 'the body is cut, or has a content coding that cannot be undone' },
  'no-answer': { about: 'answer', sentence: 'there was no answer, or not in time' },
}

/** `detail` names what decided: the rule, the pattern, the field. */
export type PublicVerdict =
  | { readonly public: true }
  | { readonly public: false; readonly reason: PrivateReason; readonly detail: string }

export const PUBLIC: PublicVerdict = { public: true }

export function privateFor(reason: PrivateReason, detail: string): PublicVerdict {
  return { public: false, reason, detail: detail.slice(0, 200) }
}

/** Has what was listed before to be withdrawn? */
export function isWithdrawn(verdict: PublicVerdict): boolean {
  return !verdict.public && PRIVATE_REASONS[verdict.reason].about === 'page'
}
