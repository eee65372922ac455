/** Release rules: what a release is refused for. Pure: texts in, faults out, each with what to do. */

export interface VersionedManifest {
  readonly path: string
  readonly version: string
}

/** `## 0.1.0, unreleased` or `## 0.1.0, 2026-11-20`, with at least one entry below. */
export function changelogFault(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((one) => one.split(/[\s,]/, 1)[0] === version)
  if (section === undefined)
    return `CHANGELOG.md has no entry for ${version}: write "## ${version}, unreleased" and what changed for users`
  return /^- \S/m.test(section) ? undefined : `CHANGELOG.md says nothing about ${version}: write what changed for users`
}

/** The same text with the day in place of "unreleased". */
export const dated = (changelog: string, version: string, day: string): string =>
  changelog.replace(`\n## ${version}, unreleased\n`, () => `\n## ${version}, ${day}\n`)

export function treeFault(status: string): string | undefined {
  const changed = status.split('\n').filter((line) => line !== '')
  return changed.length === 0
    ? undefined
    : `the tree has changes that are not committed, so nobody could build the same again: ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ' …' : ''}`
}

export function versionFault(manifests: readonly VersionedManifest[]): string | undefined {
  const versions = new Set(manifests.map(({ version }) => version))
  return versions.size === 1
    ? undefined
    : `packages have one version, and these have ${[...versions].toSorted().join(' and ')}`
}

/** The text of a package.json with a new version, also in what it asks of its siblings. */
export function withVersion(manifest: string, from: string, to: string): string {
  const own = manifest.replace(`"version": "${from}"`, () => `"version": "${to}"`)
  return own.replaceAll(/("(?:@comity\/[a-z]+|comity)": ")\^?\d[^"]*"/g, (_, name: string) => `${name}^${to}"`)
}

interface Lockfile {
  readonly packages: Record<string, unknown>
}

/** The same in package-lock.json, which has a copy of each manifest. */
export function lockWithVersion(lock: string, from: string, to: string): string {
  const all = JSON.parse(lock) as Lockfile
  for (const [path, entry] of Object.entries(all.packages))
    if (/^packages\/[^/]+$/.test(path))
      all.packages[path] = JSON.parse(withVersion(JSON.stringify(entry, undefined, 1), from, to))
  return `${JSON.stringify(all, undefined, 2)}\n`
}

export interface FormatRow {
  readonly name: string
  readonly number: number
  readonly source: string
  readonly constant: string
  readonly fixture: string
}

/** The rows of the table in docs/formats.md. */
export function formatRows(markdown: string): FormatRow[] {
  const row =
    /^\| (?<name>[^|]+?) +\| (?<number>\d+) +\| `(?<source>[^`]+)`: `(?<constant>\w+)` +\| `(?<fixture>[^`]+)` +\|$/gm
  return [...markdown.matchAll(row)].map(({ groups = {} }) => ({
    name: groups['name'] ?? '',
    number: Number(groups['number']),
    source: groups['source'] ?? '',
    constant: groups['constant'] ?? '',
    fixture: groups['fixture'] ?? '',
  }))
}

/** What is kept must be of the number that the source writes now: its name ends with it. */
export function formatFaults(
  rows: readonly FormatRow[],
  read: (path: string) => string,
  isThere: (path: string) => boolean,
): string[] {
  return rows.flatMap(({ name, number, source, constant, fixture }) => {
    const written = new RegExp(`^(?:export )?const ${constant}(?:: \\w+)? = (\\d+)$`, 'm').exec(read(source))?.[1]
    if (written === undefined)
      return [`${source} has no ${constant}: docs/formats.md says that it is the number of the ${name}`]
    const kept = /(\d+)(?:\.tar\.gz)?$/.exec(fixture)?.[1]
    if (Number(written) !== number || kept !== written)
      return [
        `${name} is written as ${written}, and what docs/formats.md names is ${number} in ${fixture}: keep one of ${written} beside it, and name it there`,
      ]
    return isThere(fixture) ? [] : [`${fixture} is not there, in which a ${name} of ${number} is kept`]
  })
}

/** Packages in the order in which they can be published: each after those that it needs. */
export function inOrder(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const placed = new Set<string>()
  const place = (name: string): void => {
    if (placed.has(name)) return
    for (const other of needs.get(name) ?? []) if (needs.has(other)) place(other)
    placed.add(name)
  }
  for (const name of [...needs.keys()].toSorted()) place(name)
  return [...placed]
}
