/** Crawl identity: from --identity and --signature-agent to what a crawler proves who it is with. */
import { CrawlerIdentity } from '@comity/crawler'
import type { Flag } from '../command.ts'
import { BadValue, UsageError } from '../usage-error.ts'

interface IdentitySettings {
  readonly identity: string | undefined
  readonly signatureAgent: string | undefined
}

export const identityFlag: Flag<string | undefined> = {
  argument: 'FILE',
  default: undefined,
  parse: String,
  help: 'prove to sites who asks: sign every request with the key in this file, which `comity keys new` makes',
}

export const signatureAgentFlag: Flag<string | undefined> = {
  argument: 'URL',
  default: undefined,
  parse: parseAgent,
  help: 'where the public half of that key is published; sites know the crawler by it',
}

/** Undefined when there is to be none. The file is looked at now and then, so that keys can be rotated meanwhile. */
export async function identityOf({ identity, signatureAgent }: IdentitySettings): Promise<CrawlerIdentity | undefined> {
  if (identity === undefined && signatureAgent === undefined) return undefined
  if (identity === undefined)
    throw new UsageError('--signature-agent goes with a key: --identity FILE. `comity keys new FILE` makes one.')
  if (signatureAgent === undefined)
    throw new UsageError(
      `--identity goes with the place where its public half is published: --signature-agent https://my.example/keys.json. ` +
        `\`comity keys show ${identity}\` prints what has to stand there.`,
    )
  const { KeyFile } = await import('@comity/site')
  const file = KeyFile.open(identity, { now: Date.now })
  return new CrawlerIdentity({ ring: () => file.ring(), agent: signatureAgent })
}

function parseAgent(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || !/^[\x21-\x7e]+$/.test(text))
    throw new BadValue('is no place for keys: write https://my.example/keys.json')
  return text
}
