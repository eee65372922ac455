/**
 * Security headers: what every answer says to browsers. A crawler's pages are strangers' words, so the pages that show
 * them may run and load only what this server has in files: were an escape ever missing, nothing would happen.
 */

/** Pages for people: scripts, styles and pictures of our own, nothing in line, nobody may frame them. */
export const PAGE_POLICY: string =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Answers for programs: should a browser show one, it is only text. */
export const DATA_POLICY: string =
  "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

export function securityHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': policy.includes("frame-ancestors 'self'") ? 'SAMEORIGIN' : 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    // A stored page must not even look up the names it links to.
    'X-DNS-Prefetch-Control': 'off',
  }
}
