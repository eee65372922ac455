/**
 * Expressions over metrics: IC(P) of 003 §2, a weighted combination such as `0.7*pagerank + 0.3*topic`.
 *
 *   sum = product { ("+" | "-") product }     product = factor { ("*" | "/") factor }
 *   factor = number | name | "-" factor | ("log" | "sqrt") "(" sum ")" | "(" sum ")"
 *
 * `log(x)` is ln(1 + x), as most metrics start at 0. What divides by zero is 0.
 */
interface Expression {
  /** Names of the metrics in it, each once. */
  readonly names: readonly string[]
  /** Its value, given theirs in the order of `names`. */
  evaluate(values: (n: number) => number): number
}

type Evaluate = (values: (n: number) => number) => number

const MAX_LENGTH = 1_000
const MAX_NESTING = 50
const TOKEN = /\s*(?:((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)|([a-z]+)|([-+*/()]))/iy

/** The expression, or a sentence that says what is wrong with it. */
export function parseExpression(text: string, isName: (name: string) => boolean): Expression | string {
  if (text.length > MAX_LENGTH) return `an expression has at most ${MAX_LENGTH} characters`
  const tokens = tokensOf(text)
  if (typeof tokens === 'string') return tokens
  const parser = new Parser(tokens, isName)
  try {
    return { evaluate: parser.whole(), names: parser.names }
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}

function tokensOf(text: string): string[] | string {
  const tokens: string[] = []
  const end = text.trimEnd().length
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) return `"${text.slice(from).trim()}" is no number, name or sign`
    tokens.push(match[0].trim().toLowerCase())
  }
  return tokens
}

class Parser {
  readonly names: string[] = []
  readonly #tokens: readonly string[]
  readonly #isName: (name: string) => boolean
  #at = 0
  #nesting = 0

  constructor(tokens: readonly string[], isName: (name: string) => boolean) {
    this.#tokens = tokens
    this.#isName = isName
  }

  whole(): Evaluate {
    const sum = this.#sum()
    if (this.#at < this.#tokens.length) throw new SyntaxError(`"${this.#tokens[this.#at]}" comes unexpected`)
    return sum
  }

  #sum(): Evaluate {
    let left = this.#product()
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      const [a, b] = [left, this.#product()]
      left = sign === '+' ? (values) => a(values) + b(values) : (values) => a(values) - b(values)
    }
    return left
  }

  #product(): Evaluate {
    let left = this.#factor()
    for (let sign = this.#take('*', '/'); sign !== undefined; sign = this.#take('*', '/')) {
      const [a, b] = [left, this.#factor()]
      left = sign === '*' ? (values) => a(values) * b(values) : (values) => finite(a(values) / b(values))
    }
    return left
  }

  #factor(): Evaluate {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxError(`more than ${MAX_NESTING} brackets deep`)
    const factor = this.#atom()
    this.#nesting--
    return factor
  }

  #atom(): Evaluate {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new SyntaxError('it ends too early')
    if (/^[\d.]/.test(token)) {
      const number = Number(token)
      return () => number
    }
    if (token === '(') return this.#inBrackets()
    if (token === '-') {
      const factor = this.#factor()
      return (values) => -factor(values)
    }
    if (token === 'log' || token === 'sqrt') {
      if (this.#take('(') === undefined) throw new SyntaxError(`${token} needs brackets`)
      const inner = this.#inBrackets()
      return token === 'log'
        ? (values) => finite(Math.log1p(inner(values)))
        : (values) => finite(Math.sqrt(inner(values)))
    }
    if (!this.#isName(token)) throw new SyntaxError(`there is no metric "${token}"`)
    const known = this.names.indexOf(token)
    const n = known === -1 ? this.names.push(token) - 1 : known
    return (values) => values(n)
  }

  #inBrackets(): Evaluate {
    const sum = this.#sum()
    if (this.#take(')') === undefined) throw new SyntaxError('a bracket is not closed')
    return sum
  }

  #take(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || !signs.includes(token)) return undefined
    this.#at++
    return token
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
