/** nginx and Apache for tests: the real ones, on loopback, as the current user, with nothing but a document root and a snippet. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface RealServer extends AsyncDisposable {
  readonly url: string
}

export interface RealServerKind {
  readonly name: string
  /** Debian's package. */
  readonly package: string
  readonly program: string
  /** Its configuration, and the words that run it in the foreground. */
  configure(place: ServerPlace): { readonly text: string; readonly words: readonly string[]; readonly ready: RegExp }
}

interface ServerPlace {
  /** A folder for the server's own files. */
  readonly dir: string
  readonly docroot: string
  readonly snippet: string
  readonly port: number
}

export const nginx: RealServerKind = {
  name: 'nginx',
  package: 'nginx-core',
  program: '/usr/sbin/nginx',
  configure: ({ dir, docroot, snippet, port }) => ({
    words: ['-p', dir, '-e', 'stderr', '-c', join(dir, 'server.conf')],
    ready: /using the "/,
    text: `daemon off; master_process off; pid ${dir}/nginx.pid; error_log stderr notice;
events { worker_connections 64; }
http {
  access_log off;
  types { text/html html; text/css css; }
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/tmp;`).join(' ')}
  gzip on; gzip_types text/html text/plain application/xml;
  server { listen 127.0.0.1:${port}; root ${docroot}; include ${snippet}; }
}
`,
  }),
}

const MODULES = [
  'mpm_event',
  'authz_core',
  'alias',
  'dir',
  'mime',
  'headers',
  'rewrite',
  'deflate',
  'filter',
  'env',
] as const

export const apache: RealServerKind = {
  name: 'Apache',
  package: 'apache2-bin',
  program: '/usr/sbin/apache2',
  configure: ({ dir, docroot, snippet, port }) => ({
    words: ['-d', dir, '-f', join(dir, 'server.conf'), '-DFOREGROUND'],
    ready: /resuming normal operations/,
    text: `ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${dir}/apache.pid
ErrorLog "|/bin/cat"
${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
User www-data
Group www-data
TypesConfig /dev/null
AddType text/html .html
AddOutputFilterByType DEFLATE text/html application/xml text/plain
DocumentRoot ${docroot}
DirectoryIndex index.html
<Directory ${docroot}>
  AllowOverride FileInfo
  Require all granted
</Directory>
StartServers 1
ServerLimit 1
ThreadsPerChild 4
MaxRequestWorkers 4
${snippet === '' ? '' : `Include ${snippet}`}
`,
  }),
}

/** Undefined when this machine does not have it. */
export async function startServer(
  kind: RealServerKind,
  place: Omit<ServerPlace, 'port'>,
): Promise<RealServer | undefined> {
  if (!existsSync(kind.program)) return undefined
  const port = await freePort()
  mkdirSync(join(place.dir, 'tmp'), { recursive: true })
  // Apache's workers are somebody else when it is started by root.
  for (const dir of [place.dir, place.docroot]) chmodSync(dir, 0o755)
  const { text, words, ready } = kind.configure({ ...place, port })
  writeFileSync(join(place.dir, 'server.conf'), text)
  const child = spawn(kind.program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  await said(child, ready)
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Until it says so; whatever else it says is why it ended. */
function said(child: ChildProcess, ready: RegExp): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (ready.test(text)) resolve()
    })
  }
  child.once('exit', () => reject(new Error(`the server ended: ${text}`)))
  child.once('error', reject)
  return promise
}
