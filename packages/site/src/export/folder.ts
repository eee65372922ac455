/**
 * Export folder: files in somebody's folder, of which only our own are ever touched. Which those are stands in a manifest
 * beside them (`.comity-files.json`: paths, lengths, sums; nothing that is not public anyway).
 *
 *   stage: whole files in .comity-part/ ─▶ manifest: theirs and ours ─▶ rename one by one ─▶ remove ─▶ manifest: ours
 *
 * A kill at any point leaves every file whole, old or new, and ours known as ours: before the first rename the manifest
 * has the sums of both. A file with another sum was written by somebody else meanwhile, and is left alone.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, open, rename, rm, rmdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, pathBelow } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { exportUnwritable } from '../errors.ts'
import { readManifest, removeManifest, writeManifest } from './manifest.ts'
import type { ExportManifest, OwnFile } from './manifest.ts'

type Standing = 'absent' | 'intact' | 'outdated' | 'foreign'

interface Staged extends OwnFile {
  readonly path: string
  readonly part: string
  /** Somebody else's file with lines of ours in it: written, and never removed. */
  readonly isShared: boolean
}

const PARTS = '.comity-part'

export class ExportFolder {
  readonly dir: string
  readonly #own: Map<string, OwnFile>
  #staged: Staged[] = []
  #parts = 0

  /** What the files were made of, as the last run said. */
  readonly state: string
  #begins: ExportManifest['begins']

  private constructor(dir: string, { files, state, begins }: ExportManifest) {
    this.dir = dir
    this.#own = new Map(files)
    this.state = state
    this.#begins = begins
  }

  /** Throws by name when it is no folder that can be written. */
  static async open(dir: string): Promise<ExportFolder> {
    try {
      await rm(join(dir, PARTS), { recursive: true, force: true })
      await mkdir(join(dir, PARTS), { recursive: true })
      return new ExportFolder(dir, await readManifest(dir))
    } catch (cause) {
      throw exportUnwritable(dir, cause)
    }
  }

  /** Only to be looked at: nothing is written, and a folder that is not there has nothing in it. */
  static async look(dir: string): Promise<ExportFolder> {
    return new ExportFolder(dir, await readManifest(dir))
  }

  /** The newest change of this journal when it was first written out here, which is now unless it was before. */
  beginsAt({ id, last }: { readonly id: string; readonly last: number }): number {
    if (this.#begins?.journal !== id || this.#begins.number > last) this.#begins = { journal: id, number: last }
    return this.#begins.number
  }

  own(path: string): OwnFile | undefined {
    return this.#own.get(path)
  }

  /** Of a file that is ours, or staged. */
  lengthOf(path: string): number {
    return (this.#staged.find((staged) => staged.path === path) ?? this.#own.get(path))?.bytes ?? 0
  }

  /** What stands at a path. `outdated`: ours, but not what we last wrote there, or not known to be. */
  async standing(path: string): Promise<Standing> {
    const known = this.#own.get(path)
    const stats = await statOf(this.#fileOf(path))
    if (stats === undefined) return 'absent'
    if (!stats.isFile()) return 'foreign'
    if (known === undefined) return 'foreign'
    if (stats.size === known.bytes && stats.mtimeMs === known.mtimeMs && known.sums.length === 1) return 'intact'
    const sum = await sumOf(this.#fileOf(path))
    if (!known.sums.includes(sum)) return 'foreign'
    // Copied without its time: a server would make another validator of it, but it is the same file.
    return sum === known.sums.at(-1) && known.sums.length === 1 ? 'intact' : 'outdated'
  }

  /** Write a file that nobody sees yet. */
  async stage(
    path: string,
    name: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    modifiedAt: Instant,
    isShared = false,
  ): Promise<void> {
    const part = join(this.dir, PARTS, String(this.#parts++))
    const { sum, bytes } = await writeWhole(part, chunks)
    const before = this.#own.get(path)
    // Servers make validators of length and second: two versions may not have the same second.
    const seconds = Math.max(Math.floor(modifiedAt / 1_000), (before?.mtimeMs ?? -Infinity) / 1_000 + 1)
    await chmod(part, 0o644)
    await utimes(part, seconds, seconds)
    this.#staged.push({ path, part, isShared, name, sums: [sum], bytes, mtimeMs: seconds * 1_000 })
  }

  /** The file that was staged holds these bytes already: whoever wrote it, it is ours from now on. */
  async adopt(path: string): Promise<boolean> {
    const staged = this.#staged.at(-1)
    if (staged?.path !== path || (await sumOf(this.#fileOf(path)).catch(() => '')) !== staged.sums[0]) return false
    this.#staged.pop()
    await utimes(this.#fileOf(path), staged.mtimeMs / 1_000, staged.mtimeMs / 1_000)
    this.#own.set(path, { name: staged.name, sums: staged.sums, bytes: staged.bytes, mtimeMs: staged.mtimeMs })
    return true
  }

  /** Not to be written after all: somebody else's file stands there. */
  unstage(path: string): void {
    this.#staged = this.#staged.filter((staged) => staged.path !== path)
  }

  /**
   * Everything staged becomes visible, what leads to others after them (`rank`, the highest last); then what is not
   * `wanted` any more goes. Returns what was removed.
   */
  async commit(wanted: ReadonlySet<string>, rank: (path: string) => number, state: string): Promise<readonly string[]> {
    const staged = this.#staged.toSorted((a, b) => rank(a.path) - rank(b.path))
    this.#staged = []
    if (staged.length > 0) await this.#announce(staged)
    for (const { path, part, isShared, ...file } of staged) {
      await makeFolder(dirname(this.#fileOf(path)))
      await rename(part, this.#fileOf(path))
      if (!isShared) this.#own.set(path, file)
    }
    const removed: string[] = []
    for (const path of [...this.#own.keys()].filter((one) => !wanted.has(one))) {
      if (await this.#isOurs(path)) {
        await this.#remove(path)
        removed.push(path)
      }
      this.#own.delete(path)
    }
    await writeManifest(this.dir, { files: this.#own, state, begins: this.#begins })
    await this.close()
    return removed
  }

  /** Takes away all that is ours and as we wrote it, and the note of it. `isDry`: only tells. */
  async clear(isDry: boolean): Promise<{ readonly removed: readonly string[]; readonly left: readonly string[] }> {
    const [removed, left]: [string[], string[]] = [[], []]
    for (const path of this.#own.keys()) {
      const isThere = (await statOf(this.#fileOf(path))) !== undefined
      if (!isThere) continue
      if (!(await this.#isOurs(path))) left.push(path)
      else {
        removed.push(path)
        if (!isDry) await this.#remove(path)
      }
    }
    if (!isDry) {
      await removeManifest(this.dir)
      await this.close()
    }
    return { removed, left }
  }

  /** Where a link leads out of the folder, what stands there is somebody else's. */
  async #isOurs(path: string): Promise<boolean> {
    if (pathBelow(this.dir, path.slice(1)) === undefined) return false
    const standing = await this.standing(path)
    return standing === 'intact' || standing === 'outdated'
  }

  async #remove(path: string): Promise<void> {
    await rm(this.#fileOf(path), { force: true })
    await rmdir(dirname(this.#fileOf(path))).catch(() => undefined)
  }

  /** Every file of ours stands as it was written, by length and time. */
  async isIntact(): Promise<boolean> {
    for (const path of this.#own.keys()) if ((await this.standing(path)) !== 'intact') return false
    return true
  }

  paths(): Iterable<string> {
    return this.#own.keys()
  }

  async close(): Promise<void> {
    await rm(join(this.dir, PARTS), { recursive: true, force: true })
  }

  #fileOf(path: string): string {
    return join(this.dir, path)
  }

  /** With the sums of what is about to stand there as well. */
  async #announce(coming: readonly Staged[]): Promise<void> {
    const files = new Map(this.#own)
    for (const { path, part: _, isShared, ...file } of coming) {
      if (!isShared) files.set(path, { ...file, sums: [...(files.get(path)?.sums ?? []), ...file.sums] })
    }
    await writeManifest(this.dir, { files, state: '', begins: this.#begins })
  }
}

/** What is in it is for the server to read, whatever the umask. */
async function makeFolder(dir: string): Promise<void> {
  const made = await mkdir(dir, { recursive: true })
  if (made !== undefined) await chmod(dir, 0o755)
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function writeWhole(
  file: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ readonly sum: string; readonly bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await open(file, 'w')
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { sum: hash.digest('hex'), bytes }
}
