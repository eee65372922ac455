/**
 * Tamed HTML: a stored page without the elements that make a browser ask or go somewhere before anybody clicks and that
 * a Content-Security-Policy does not, or not in all browsers, hold back: `link` (preconnect, dns-prefetch), `meta`
 * (refresh), `base`, and frames, which the policy keeps from being loaded, but to whose servers Chromium connects before
 * it asks the policy. Their names are changed, so that they become elements that mean nothing.
 *
 * In HTML a tag's name follows its `<` at once, whatever comes before, so looking for the two together finds all of
 * them; that the same letters in a script or a comment are changed as well harms nobody. Scripts and forms stay where
 * they are: the policy keeps every browser from running and sending them.
 */
const STEERING = /<(?=(?:link|meta|base|i?frame|frameset|fencedframe|portal|object|embed)[\s/>])/gi

/** UTF-8 in and out. */
export function tamed(page: Uint8Array): Uint8Array {
  const text = Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString('utf8')
  return Buffer.from(text.replace(STEERING, '<x-'))
}
