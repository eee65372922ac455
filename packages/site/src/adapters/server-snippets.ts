/**
 * Server snippets: what nginx and Apache have to be told so that exported files go out as the documents they are: media
 * types, the packed copies, how long they last, and the Link that leads from every page to the capability list. Validators
 * and 304s both servers make by themselves, of length and time (`export/folder.ts` sees to it that they differ).
 */
import {
  API_CATALOG_PATH,
  API_CATALOG_TYPE,
  RESOURCESYNC_REL,
  RESOURCESYNC_WELL_KNOWN,
  ROBOTS_RDF_TYPE,
} from '@comity/protocol'
import { documentPaths } from '../document-paths.ts'
import { optionInvalid } from '../errors.ts'
import { SYNC_TYPE } from '../documents/sync-head.ts'

export interface SnippetOptions {
  /** Absolute URL of the home page. */
  readonly base: string
  /** Where the exported files are, when that is not the document root. */
  readonly into?: string | undefined
}

interface DocumentKind {
  /** Folder below the host's root, with slashes on both sides. */
  readonly folder: string
  /** Regular expression for the file's name, in the dialect that both servers and JavaScript share. */
  readonly name: string
  readonly type: string
  /** There may be a packed copy beside it. */
  readonly hasCopy: boolean
  /** What stands under such a name never changes. */
  readonly isFinal?: boolean
}

const STAMP = '[0-9]{8}T[0-9]{6}Z'
const YEAR = 'max-age=31536000, immutable'

function kindsBelow(root: string): readonly DocumentKind[] {
  const folder = documentPaths(root).archives
  const lists = 'resourcelist|changelist|resourcedump|changedump|capabilitylist'
  return [
    { folder: '/', name: String.raw`robots\.txt`, type: 'text/plain', hasCopy: false },
    { folder: '/.well-known/', name: lastStep(RESOURCESYNC_WELL_KNOWN), type: SYNC_TYPE, hasCopy: true },
    { folder: '/.well-known/', name: lastStep(API_CATALOG_PATH), type: API_CATALOG_TYPE, hasCopy: true },
    { folder: root, name: String.raw`sitemap(?:-[0-9a-f-]+)?\.xml`, type: SYNC_TYPE, hasCopy: true },
    { folder, name: String.raw`(?:${lists})(?:-[0-9a-f-]+)?\.xml`, type: SYNC_TYPE, hasCopy: true },
    { folder: root, name: String.raw`robots(?:\.[0-9]+)*\.rdf`, type: ROBOTS_RDF_TYPE, hasCopy: true },
    {
      folder,
      name: String.raw`(?:resource|change)dump-[0-9a-f-]+\.zip`,
      type: 'application/zip',
      hasCopy: false,
    },
    { folder, name: String.raw`site\.wacz`, type: 'application/wacz', hasCopy: false },
    { folder, name: String.raw`archives[0-9a-f.]*\.txt`, type: 'text/plain', hasCopy: true },
    // A gzip file that is to be kept as one, not a text with a coding.
    {
      folder,
      name: String.raw`${STAMP}-${STAMP}\..+\.gz`,
      type: 'application/gzip',
      hasCopy: false,
      isFinal: true,
    },
    { folder, name: String.raw`${STAMP}-\..+\.gz`, type: 'application/gzip', hasCopy: false },
  ]
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** For `include` in a `server` block of nginx, before other regular-expression locations. */
export function nginxSnippet(options: SnippetOptions): string {
  const { root, capabilityList } = placesOf(options)
  const into = options.into === undefined ? '' : `\n    root ${quoted(options.into)};`
  const locations = kindsBelow(root).map(
    (kind) => `location ~ "^${escaped(kind.folder)}${kind.name}$" {${into}
    types { }
    default_type ${kind.type};${kind.type === 'text/plain' ? '\n    charset utf-8;' : ''}
    gzip off;${kind.hasCopy ? '\n    gzip_static on;\n    gzip_vary on;' : ''}
    add_header Cache-Control "${kind.isFinal === true ? YEAR : 'no-cache'}";${catalogLink(kind, (value) => `\n    add_header Link '${value}';`)}
}`,
  )
  return `# What this site tells crawlers of itself. In the server block, before other locations with regular expressions:
#   include /path/to/this/file;

# Every page leads to what is offered. A location with an add_header of its own has to repeat this line.
add_header Link '<${capabilityList}>; rel="${RESOURCESYNC_REL}"';

${locations.join('\n')}
# Which of the files are written by comity is between it and the file system.
location ~ "/\\.comity-" {
    return 404;
}
`
}

/** For a virtual host of Apache 2.4, or for `.htaccess` when the files are in the document root. */
export function apacheSnippet(options: SnippetOptions): string {
  const { root, capabilityList } = placesOf(options)
  const kinds = kindsBelow(root)
  const files = kinds.map((kind) => filesOf(kind)).join('\n')
  const copies = kinds.filter(({ hasCopy }) => hasCopy)
  const from = options.into ?? '%{DOCUMENT_ROOT}'
  const rewrites = copies.map(
    ({ folder, name }) => `    RewriteCond %{REQUEST_URI} "^${escaped(folder)}${name}$"
    RewriteCond %{HTTP:Accept-Encoding} "\\bgzip\\b"
    RewriteCond ${quoted(`${from}%{REQUEST_URI}.gz`)} -f
    RewriteRule .* "%{REQUEST_URI}.gz" [${options.into === undefined ? 'L' : 'PT,L'}]`,
  )
  return `# What this site tells crawlers of itself. In the virtual host${options.into === undefined ? ', or as .htaccess in the document root' : ''}; needs: a2enmod headers rewrite
#   Include /path/to/this/file
${options.into === undefined ? '' : aliases(kinds, options.into)}
<IfModule mod_headers.c>
    # Every page leads to what is offered.
    Header add Link "<${capabilityList}>; rel=\\"${RESOURCESYNC_REL}\\""
    # mod_deflate puts -gzip into the tags it sends and does not know them when they come back: no 304 for packed pages.
    RequestHeader edit* If-None-Match "-gzip\\"" "\\""
</IfModule>
<IfModule mod_rewrite.c>
    RewriteEngine On
    # Which of the files are written by comity is between it and the file system.
    RewriteRule "(?:^|/)\\.comity-" - [R=404,L]
    # Packed copies for whoever takes them.
${rewrites.join('\n')}
</IfModule>
${files}
`
}

/** By name, as neither folders nor locations can be told of in \`.htaccess\`. */
function filesOf(kind: DocumentKind): string {
  const { name, type, hasCopy, isFinal } = kind
  const charset = type === 'text/plain' ? '; charset=utf-8' : ''
  const own = `<FilesMatch "^${name}$">
    ForceType "${type}${charset}"
    RemoveEncoding .gz .zip
    SetEnv no-gzip 1
    <IfModule mod_headers.c>
        Header set Cache-Control "${isFinal === true ? YEAR : 'no-cache'}"${hasCopy ? '\n        Header merge Vary Accept-Encoding' : ''}${catalogLink(kind, (value) => `\n        Header add Link "${value.replaceAll('"', String.raw`\"`)}"`)}
    </IfModule>
</FilesMatch>`
  if (!hasCopy) return own
  return `${own}
<FilesMatch "^${name}\\.gz$">
    ForceType "${type}${charset}"
    RemoveEncoding .gz
    SetEnv no-gzip 1
    <IfModule mod_headers.c>
        Header set Content-Encoding gzip
        Header set Cache-Control "no-cache"
        Header merge Vary Accept-Encoding
    </IfModule>
</FilesMatch>`
}

function aliases(kinds: readonly DocumentKind[], into: string): string {
  const lines = kinds.map(({ folder, name, hasCopy }) => {
    const copy = hasCopy ? String.raw`(?:\.gz)?` : ''
    return `AliasMatch "^(${escaped(folder)}${name}${copy})$" ${quoted(`${into}$1`)}`
  })
  return `${lines.join('\n')}
<Directory ${quoted(into)}>
    Require all granted
</Directory>
`
}

/** RFC 9727 §2: whoever asks for the catalog's head learns from it what it is. */
function catalogLink({ type }: DocumentKind, line: (value: string) => string): string {
  return type === API_CATALOG_TYPE ? line(`<${API_CATALOG_PATH}>; rel="api-catalog"`) : ''
}

function placesOf({ base, into }: SnippetOptions): { readonly root: string; readonly capabilityList: string } {
  const url = URL.parse('.', base)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw optionInvalid(`"${base}" is no site: give the URL of its home page.`)
  // All that could end a word, or be read as a variable, in either language.
  const odd = [url.pathname, into ?? ''].find((path) => /["'\\${};%\s]/.test(path.replaceAll(' ', '')))
  if (odd !== undefined)
    throw optionInvalid(
      `${JSON.stringify(odd)} cannot be written into a server's configuration: give the folder a plainer name.`,
    )
  return { root: url.pathname, capabilityList: documentPaths(url.pathname).capabilityList }
}

const quoted = (text: string): string => `"${text}"`

const escaped = (text: string): string => text.replaceAll(/[.*+?^()[\]{}|]/g, String.raw`\$&`)
