/**
 * Cookie watch: notices a site that sets a cookie on every answer. Many frameworks start a session for whoever comes, and
 * then nothing of the site can be made known, for no reason its owner knows of. So they are told, and how to mend it.
 */
export class CookieWatch {
  #answers = 0
  #withCookie = 0

  /** One answer that would be public but for its cookie, or is public. */
  note(setsCookie: boolean): void {
    this.#answers++
    if (setsCookie) this.#withCookie++
  }

  /** What to tell the owner; undefined while there is nothing to tell. */
  advice(): string | undefined {
    if (this.#answers < ENOUGH || this.#withCookie < this.#answers) return undefined
    return (
      `All ${this.#answers} answers so far set a cookie, so no page of this site may be made known to crawlers. ` +
      'Most likely a session is started for every visitor. Start it only when there is something to remember ' +
      '(express-session: saveUninitialized: false; Django: do not touch request.session before login; ' +
      'PHP: no session_start() on public pages), set consent and statistics cookies from the browser, ' +
      'and let the proxy in front strip Set-Cookie from pages that are the same for all.'
    )
  }
}

/** Fewer could be a few pages behind a login. */
const ENOUGH = 20
