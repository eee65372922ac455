/**
 * Fuzz dictionary: words that have broken readers before, whatever the format. Every target's samples are changed with
 * these as well as with its own words; `npm run fuzz` prints how many of them it tried.
 */

/** What every object answers to without having been told. */
export const INHERITED: readonly string[] = [
  ...new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'then']),
]

/** At the edges of what numbers hold, and beyond them. */
const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '-1',
  '00',
  '+1',
  '1.5',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-1e999',
  '1e-999',
  '0x10',
  '127',
  '128',
  '255',
  '256',
  '32768',
  '65535',
  '65536',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '18446744073709551616',
  '9'.repeat(40),
  '٣',
]

/** Ends of texts and lines, where one reader goes on and another stops. */
const BREAKS: readonly string[] = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  '\t',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\ufeff',
  ' ',
  '  ',
]

/** Paths and escapes that mean another place than they seem to. */
const PLACES: readonly string[] = [
  '..',
  '../',
  '/../../../../etc/passwd',
  '..\\',
  '//',
  '/./',
  '%2e%2e%2f',
  '%2F',
  '%5c',
  '%00',
  '%0d%0a',
  '%25',
  '%',
  '%zz',
  '%c0%af',
  'http://127.0.0.1/',
  'http://[::1]/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'C:\\',
]

/** Texts of the formats around us, where they do not belong. */
const MARKUP: readonly string[] = [
  '{"toString":null}',
  '[{"valueOf":null,"toString":1}]',
  '<',
  '</',
  '<script>',
  '&#x0;',
  '&#xd800;',
  '&lt;',
  '<!--',
  ']]>',
  '"',
  "'",
  '`',
  '\\',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  '[]',
  '{}',
  'null',
  'true',
  '""',
  '{"__proto__":{"polluted":1}}',
  '{"toString":1,"valueOf":1}',
  '${x}',
  '{{x}}',
  '=cmd()',
  '*',
  '**',
  '*a*a*a*a*',
  '(((((',
  '|',
  ';',
  ',',
  ':',
  '=',
  '@',
]

/** Letters that grow, shrink, join or turn when somebody folds or compares them. */
const LETTERS: readonly string[] = [
  'İ',
  'ı',
  'ß',
  'ſ',
  'K',
  'ﬃ',
  'Å',
  'e\u0301',
  '\u0301',
  '\u202e',
  '\u200d',
  '𝒳',
  '🏴‍☠️',
  'ＡＢＣ',
  'مرحبا',
  'สวัสดี',
  '北京市',
]

const LONG: readonly string[] = [
  'a'.repeat(300),
  'A'.repeat(5_000),
  '/a'.repeat(1_000),
  '%41'.repeat(500),
  '('.repeat(400),
  '['.repeat(400),
  ' '.repeat(2_000),
  '<a>'.repeat(300),
]

/** What is no UTF-8: overlong, beyond the last character, half a pair, cut off. */
const BYTES: readonly (readonly number[])[] = [
  [0xc0, 0x80],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xf0, 0x80, 0x80, 0xaf],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xff],
  [0xfe, 0xff],
  [0x80],
  [0xff, 0xff, 0xff, 0xff],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  [0x7f, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 0],
]

/** All of them, as bytes. The empty one takes away what it stands for. */
export const dictionary: readonly Buffer[] = [
  ...['', ...INHERITED, ...NUMBERS, ...BREAKS, ...PLACES, ...MARKUP, ...LETTERS, ...LONG].map((word) =>
    Buffer.from(word),
  ),
  ...BYTES.map((bytes) => Buffer.from(bytes)),
]
