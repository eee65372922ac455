/**
 * WebAssembly code, written as expressions of TypeScript that have the names of its instructions:
 *
 *   at.set(i32.add(at, 1))            at is a variable, 1 a constant of 32 bits
 *   loop(…, repeatIf(i32.ne(at, 9)))  does its statements again as long as the condition holds
 *
 * An expression is the bytes of its code, those of its operands first, as a stack machine wants them. There is no more
 * here than the program of `text/plain-words-program.ts` needs, and V8 checks types when it reads the module (WebAssembly Core
 * Specification 2.0, §5 Binary Format; §3 Validation).
 */

/** What TypeScript's libraries for Node leave out. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: WasmRun } }
}
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}
type WasmRun = (...numbers: number[]) => number

export type Code = readonly number[]
/** Code that leaves a value, a variable for its value, or a number of 32 bits. */
export type Operand = Code | Variable | number
type Instruction = (...operands: Operand[]) => Code

const PAGE_BYTES = 1 << 16
/** What every module begins with, and the version of the format. */
const MAGIC: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** Of at least so many bytes, zeros at first. */
export function createMemory(bytes: number): WasmMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) })
}

/** A function over a memory. */
export interface Program {
  /** By name; the first so many are its parameters, of 32 bits each. */
  readonly variables: Readonly<Record<string, Variable>>
  readonly parameters: number
  readonly body: readonly Code[]
  readonly result: Operand
}

export function compile({ variables: all, parameters, body, result }: Program, memory: WasmMemory): WasmRun {
  const types = Object.values(all).map(({ type }) => type)
  const locals = types.slice(parameters).map((type) => [1, type])
  const code = [...list(locals), ...body.flat(), ...codeOf(result), END]
  const bytes = Uint8Array.from([
    ...MAGIC,
    ...section(1, [[0x60, ...list(types.slice(0, parameters).map((type) => [type])), 1, I32]]),
    ...section(2, [[...name('own'), ...name('memory'), 2, 0, 1]]),
    ...section(3, [[0]]),
    ...section(7, [[...name('run'), 0, 0]]),
    ...section(10, [[...unsigned(code.length), ...code]]),
  ])
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { own: { memory } }).exports.run
}

/** Types of variables. */
export const I32 = 0x7f
export const I64 = 0x7e
export const V128 = 0x7b

class Variable {
  readonly type: number
  readonly #number: number

  constructor(number: number, type: number) {
    this.#number = number
    this.type = type
  }

  get(): Code {
    return [0x20, ...unsigned(this.#number)]
  }

  set(value: Operand): Code {
    return [...codeOf(value), 0x21, ...unsigned(this.#number)]
  }
}

export function variables<Name extends string>(
  types: Readonly<Record<Name, number>>,
): Readonly<Record<Name, Variable>> {
  const all = Object.entries<number>(types).map(([each, type], number) => [each, new Variable(number, type)])
  return Object.fromEntries(all)
}

function codeOf(operand: Operand): Code {
  if (typeof operand === 'number') return [0x41, ...signed(operand)]
  return operand instanceof Variable ? operand.get() : operand
}

type Instructions<Name extends string> = Readonly<Record<Name, Instruction>>

function instructions<Name extends string>(
  opcodes: Readonly<Record<Name, number>>,
  opcode: (number: number) => Code = (number) => [number],
): Instructions<Name> {
  const all = Object.entries<number>(opcodes).map(([each, number]): [string, Instruction] => [
    each,
    (...operands) => [...operands.flatMap(codeOf), ...opcode(number)],
  ])
  return Object.fromEntries(all) as Instructions<Name>
}

const vectorOpcode = (number: number): Code => [0xfd, ...unsigned(number)]

type Comparison = 'eq' | 'ne' | 'lt_u' | 'gt_u' | 'le_u' | 'ge_s'
type Arithmetic = 'ctz' | 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor' | 'shl' | 'shr_u'

export const i32: Instructions<Comparison | Arithmetic> = instructions({
  eq: 0x46,
  ne: 0x47,
  lt_u: 0x49,
  gt_u: 0x4b,
  le_u: 0x4d,
  ge_s: 0x4e,
  ctz: 0x68,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: 0x74,
  shr_u: 0x76,
})
export const i64: Instructions<'or' | 'shl' | 'shr_u' | 'wrap' | 'extend_i32_u'> = instructions({
  or: 0x84,
  shl: 0x86,
  shr_u: 0x88,
  wrap: 0xa7,
  extend_i32_u: 0xad,
})
export const v128: Instructions<'and' | 'or'> = instructions({ and: 0x4e, or: 0x50 }, vectorOpcode)
export const i8x16: Instructions<'lt_u' | 'bitmask' | 'narrow_i16x8_u' | 'sub'> = instructions(
  { lt_u: 0x26, bitmask: 0x64, narrow_i16x8_u: 0x66, sub: 0x71 },
  vectorOpcode,
)
export const i16x8: Instructions<'narrow_i32x4_s' | 'extend_low_i8x16_u' | 'extend_high_i8x16_u'> = instructions(
  { narrow_i32x4_s: 0x85, extend_low_i8x16_u: 0x89, extend_high_i8x16_u: 0x8a },
  vectorOpcode,
)
export const i32x4: Instructions<'dot_i16x8_s'> = instructions({ dot_i16x8_s: 0xba }, vectorOpcode)

/** One of the four numbers of a vector. */
export function lane(number: number, vector: Operand): Code {
  return [...codeOf(vector), 0xfd, 0x1b, number]
}

/** A vector of these bytes, over and over. */
export function bytesOf(...pattern: readonly number[]): Code {
  return [0xfd, 0x0c, ...Array.from({ length: 16 }, (_, place) => pattern[place % pattern.length]!)]
}

/** At an address, or so far behind it. */
type Load = (address: Operand, offset?: number) => Code
type Store = (address: Operand, offset: number, value: Operand) => Code

const load =
  (...opcode: number[]): Load =>
  (address, offset = 0) => [...codeOf(address), ...opcode, 0, ...unsigned(offset)]
const store =
  (opcode: number): Store =>
  (address, offset, value) => [...codeOf(address), ...codeOf(value), opcode, 0, ...unsigned(offset)]

export const load8: Load = load(0x2d)
export const load16: Load = load(0x2f)
export const load128: Load = load(0xfd, 0)
export const store8: Store = store(0x3a)
export const store32: Store = store(0x36)

const NO_VALUE = 0x40
const END = 0x0b

export function ifElse(condition: Operand, then: readonly Code[], otherwise: readonly Code[] = []): Code {
  return [...codeOf(condition), 0x04, NO_VALUE, ...then.flat(), 0x05, ...otherwise.flat(), END]
}

/** Ends behind its last statement, unless that repeats it. */
export function loop(...statements: readonly Code[]): Code {
  return [0x02, NO_VALUE, 0x03, NO_VALUE, ...statements.flat(), END, END]
}

/** These two are statements of a loop itself, not of a condition within it. */
export function repeatIf(condition: Operand): Code {
  return [...codeOf(condition), 0x0d, 0]
}
export function leaveIf(condition: Operand): Code {
  return [...codeOf(condition), 0x0d, 1]
}

function section(number: number, items: readonly Code[]): Code {
  const content = list(items)
  return [number, ...unsigned(content.length), ...content]
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function name(text: string): Code {
  return list(Array.from(Buffer.from(text), (byte) => [byte]))
}

/** Numbers are LEB128, §5.2.2. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  const isLast = value >= -0x40 && value < 0x40
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
