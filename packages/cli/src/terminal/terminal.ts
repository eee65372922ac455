/**
 * Terminal: where a command's words go. Results on stdout, progress on stderr; colour only where somebody looks, and
 * never against their wish (no-color.org).
 */
import type { WriteStream } from 'node:tty'

/** Where results go. */
interface StandardOutput {
  /** Colours for stdout, which may be a file. */
  readonly paint: Paint
  /** One line, or several, to stdout. */
  print(text: string): void
  /** Text to stdout as it is; resolves when there is room for more. */
  write(text: string): Promise<void>
}

/** Where progress goes. */
interface StandardError {
  /** Colours for stderr, which may be a file. */
  readonly errorPaint: Paint
  /** Width of stderr when it is a screen that can rewrite a line. */
  liveColumns(): number | undefined
  /** One line, or several, to stderr. */
  say(text: string): void
  /** Text to stderr as it is, without a line end. */
  draw(text: string): void
}

export interface Terminal extends StandardOutput, StandardError {
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (colour: Colour, text: string) => string

// oxfmt-ignore
const CODES: Readonly<Record<Colour, readonly [on: number, off: number]>> = {
  bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39],
}

export const plain: Paint = (_, text) => text
const coloured: Paint = (colour, text) => `\x1b[${CODES[colour][0]}m${text}\x1b[${CODES[colour][1]}m`

/** The real one. A reader that has gone away ends the command as a success: `comity … | head -1` is normal use. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  // Nobody reads our progress; that is no reason to stop.
  stderr.on('error', () => undefined)
  const mayPaint = (stream: WriteStream): boolean => stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    env,
    paint: mayPaint(stdout) ? coloured : plain,
    errorPaint: mayPaint(stderr) ? coloured : plain,
    liveColumns: () => (stderr.isTTY && env['TERM'] !== 'dumb' ? stderr.columns || 80 : undefined),
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    draw: (text) => void stderr.write(text),
    write: (text) =>
      new Promise((resolve) => {
        if (stdout.write(text)) resolve()
        else stdout.once('drain', resolve)
      }),
  }
}

/** A word that a shell reads back as it was. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** How this command was started, so that what we advise can be pasted. */
export function ownName(script: string, env: Terminal['env']): string {
  const isInstalled = /(^|\/)comity(\.js)?$/.test(script) && env['npm_command'] === undefined
  return isInstalled ? 'comity' : 'npx comity'
}

/** A stranger's words without what could move a cursor, paint, or turn the direction of writing (C0, C1, bidi). */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
