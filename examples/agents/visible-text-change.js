/**
 * Visible text change: a page has changed when its readers see other words, and only then. New markup, scripts, addresses of
 * pictures and the order of attributes are no change; of what is one, the engine is told the fingerprint and asks the site
 * for the difference (002 §6.3: "changes can be detected using a custom algorithm that varies depending on the search
 * engine's characteristics").
 */
export const manifest = {
  name: 'visible-text-change',
  version: '1.0.0',
  about: 'Tells which pages have other visible words than before, and asks for their differences.',
  perPage: true,
  reads: ['pages'],
  emits: ['meta', 'difference'],
}

export function onPage(page, agent) {
  const before = agent.previous(page)
  // The bytes are the same, so the words are.
  if (before !== null && before[0] === page.digest) return
  const html = agent.html(page)
  const fingerprint = html === null ? page.digest : agent.digest(visibleText(html))
  agent.remember(page, [page.digest, fingerprint])
  if (before !== null && before[1] === fingerprint) return
  agent.emit({ kind: 'meta', url: page.url, fingerprint })
  agent.emit({ kind: 'difference', url: page.url })
}

export function onGone(url, agent) {
  agent.emit({ kind: 'meta', url, change: 'deleted' })
}

/** Title and text, with all white space alike. */
export function visibleText({ title, text }) {
  return `${title}\n${text}`.replaceAll(/\s+/gu, ' ').trim()
}
