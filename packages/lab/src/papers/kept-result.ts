/**
 * Kept results: an experiment that was finished, by all that it was run with, so that a run of the papers goes on where it was
 * stopped, and a second one writes the same bytes, also where clocks were measured.
 *
 *   kept/<experiment>-<digest>.json   { "format": "comity-lab-kept", "version": 1, "key": …, "result": … }
 *
 * What was made by other code of the lab, what was run on another file, and what cannot be read is run again.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExperimentResult } from '../report/model.ts'
import { inSharedData } from '../webs/real-webs.ts'
import type { PaperRun } from './paper-plan.ts'

const FORMAT = { format: 'comity-lab-kept', version: 1 } as const

export class KeptResults {
  readonly #dir: string
  readonly #code: string

  /** `code` stands for all that makes a result of settings. */
  constructor(dir: string, code: string = codeDigest()) {
    this.#dir = dir
    this.#code = code
  }

  /** undefined when it is not there, or is damaged. */
  find(run: PaperRun): ExperimentResult | undefined {
    const path = this.#pathOf(run)
    if (!existsSync(path)) return undefined
    try {
      const kept: { format?: unknown; version?: unknown; key?: unknown; result: ExperimentResult } = JSON.parse(
        readFileSync(path, 'utf8'),
        revived,
      )
      const isOurs = kept.format === FORMAT.format && kept.version === FORMAT.version && kept.key === this.#keyOf(run)
      return isOurs ? kept.result : undefined
    } catch {
      // Half a file, as of a full disk: the experiment is run again and the file written anew.
      return undefined
    }
  }

  /** Gives back what a later run will find: JSON has no minus zero, and no fields without a value. */
  keep(run: PaperRun, result: ExperimentResult): ExperimentResult {
    const path = this.#pathOf(run)
    const text = JSON.stringify({ ...FORMAT, key: this.#keyOf(run), result }, replaced)
    mkdirSync(this.#dir, { recursive: true })
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
    return this.find(run) ?? result
  }

  /** All that a result depends on. */
  #keyOf({ experiment, web, settings }: PaperRun): string {
    const all = [this.#code, experiment.name, web, { ...experiment.defaults, ...settings }, filesOf(web)]
    return JSON.stringify(all, replaced)
  }

  #pathOf(run: PaperRun): string {
    return join(this.#dir, `${run.experiment.name}-${hash('sha256', this.#keyOf(run)).slice(0, 16)}.json`)
  }
}

/** What experiments are made of. How a page looks changes no result. */
const MAKING = ['advise', 'claims', 'cooperating', 'experiments', 'simulate', 'webs']
const SOURCE = join(import.meta.dirname, '..')

/** Of the lab's own code; of its siblings a released version has exactly the one that it was released with. */
function codeDigest(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(SOURCE, '../package.json'), 'utf8'))
  const files = MAKING.flatMap((folder) =>
    readdirSync(join(SOURCE, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.[jt]s$/.test(name) && !name.includes('.test.'))
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  return files.toSorted().reduce((sum, path) => hash('sha256', sum + readFileSync(path, 'utf8')), version)
}

/** Sizes and times of what is read; a web that is made has none. */
function filesOf(web: string): readonly unknown[] {
  const path = [web, inSharedData(web)].find((one) => one !== undefined && existsSync(one))
  if (path === undefined) return []
  const names = statSync(path).isDirectory()
    ? readdirSync(path)
        .toSorted()
        .map((name) => join(path, name))
    : [path]
  return names.map((name) => {
    const { size, mtimeMs } = statSync(name)
    return [size, Math.floor(mtimeMs)]
  })
}

/** JSON has no word for what is not finite; a string of ours cannot be taken for one, as it begins with a control character. */
const replaced = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? `\u0001${value}` : value
const revived = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('\u0001') ? Number(value.slice(1)) : value
