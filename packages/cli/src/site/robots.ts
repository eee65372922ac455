/** Publish robots: the owner's robots.txt as it is in a document root, without the lines that a publication added to it. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Read anew when it has changed. One that cannot be read might disallow anything. */
export async function robotsReader(docroot: string): Promise<() => string> {
  const { ownRobots } = await import('@comity/site')
  const file = join(docroot, 'robots.txt')
  let [state, text] = ['', '']
  return () => {
    try {
      const stats = statSync(file, { throwIfNoEntry: false })
      const now = `${stats?.mtimeMs} ${stats?.size}`
      if (now !== state) text = stats === undefined ? '' : ownRobots(readFileSync(file)).toString('utf8')
      state = now
    } catch {
      text = 'User-agent: *\nDisallow: /\n'
    }
    return text
  }
}
