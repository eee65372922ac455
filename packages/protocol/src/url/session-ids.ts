/**
 * Session ids: which parts of a URL say who is looking, by their names alone.
 *
 * A name counts when it belongs to the session mechanism of one platform and is not met as anything else:
 *
 *   PHPSESSID                 PHP, its `session.name` unless somebody sets another
 *   jsessionid                servlets, in path and query (Servlet 3.0 §7.1.3: the name must be that)
 *   ASPSESSIONID, 8 letters   ASP, which draws the letters
 *   ASP.NET_SessionId         ASP.NET; where there are no cookies, a segment of the path: `/(S(…))/`, `/(X(1)F(…)S(…))/`
 *   CFID with CFTOKEN         ColdFusion sends both. Either alone is met as something else: `support?cfid=online`, `pay?cfToken=…`
 *   osCsid, XTCsid, zenid     osCommerce, xt:Commerce and Zen Cart, each its own `session_name`
 *   CGISESSID                 CGI::Session of Perl
 *   g2_GALLERYSID             Gallery 2
 *
 * Nothing that has other uses counts: `sid` (a story, a station, a subject), `s` (a search), `session`, `sessionid`, `session_id`,
 * `token`, `id`. Nor do values: 16 hexadecimal digits and more are also an id of MongoDB, a digest, a commit.
 *
 * Letter case says nothing: who writes links by hand, or all in lower case, means the same.
 */

/** Of rules: collections know their pages by one of them, so what is said here of a version that was used stays as it is. */
export type UrlRulesVersion = 1 | 2 | 3

interface SessionIds {
  /** What parts parameters to programs that use them: `;` as well as `&` (HTML 4.01, appendix B.2.2). */
  readonly separators: string
  /** Query parameters; a trailing `*` makes the name a prefix. */
  readonly names: readonly string[]
  /** Parameters that a name is not enough for, as a regular expression. */
  readonly expression: string
  /** Two names that are one session id where a query has both. */
  readonly pair?: readonly string[]
  /** Whole segments of a path. */
  readonly segment: RegExp
}

/** Behind a segment. The value ends at the next `;` or `/`, so a removal never joins halves of one. */
export const SESSION_IN_PATH: RegExp = /;(?:jsessionid|phpsessid)=[^;/]*/gi

const TODAY: SessionIds = {
  separators: '&;',
  names: ['phpsessid', 'jsessionid', 'asp.net_sessionid', 'oscsid', 'xtcsid', 'zenid', 'cgisessid', 'g2_gallerysid'],
  expression: 'aspsessionid[a-z]{8}(?=[=&;]|$)',
  pair: ['cfid', 'cftoken'],
  // S a session of 24 letters, A somebody without a name, F who has signed in; X that the browser was tried for cookies.
  segment: /\/\((?:x\(1\))?(?:[afs]\([\w-]{24,}\))+\)(?=\/)/gi,
}

export const SESSION_IDS: Readonly<Record<UrlRulesVersion, SessionIds>> = {
  // It took long hexadecimal values of common names for sessions, and so pages that differ in nothing else for one.
  1: {
    separators: '&',
    names: ['phpsessid', 'jsessionid', 'aspsessionid*', 'cfid', 'cftoken', 'oscsid', 'zenid'],
    expression: '(?:sid|s|sessid|session|sessionid|session_id)=[0-9a-f]{16,}(?=&|$)',
    segment: /\/\((?:[a-z]\([0-9a-z]{24,}\))+\)(?=\/)/gi,
  },
  // What stood behind a session id and a `;` went with it: `?PHPSESSID=1;id=7`.
  2: { ...TODAY, separators: '&', expression: 'aspsessionid[a-z]{8}(?=[=&]|$)' },
  3: TODAY,
}
