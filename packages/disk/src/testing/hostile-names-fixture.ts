/** Names for tests that no reader may make a path of: each leads out of its folder on some system, or is no name at all. */

// oxfmt-ignore
export const HOSTILE_NAMES: readonly string[] = [
  '', '.', '..', '../secret', '../../secret', '../../../../../../etc/passwd', '/etc/passwd', './secret', 'a/../../secret',
  '..\\secret', '\\secret', 'a\\..\\..\\secret', 'C:\\secret', 'C:secret', '\\\\host\\share\\secret', 'secret:stream',
  'secret::$DATA', 'secret\0', 'secret\0.warc.gz', 'secret\n', '\x7f', 'secret.', 'secret ', 'NUL', 'con.warc.gz', 'Lpt1',
  'a'.repeat(300), 'ü'.repeat(200),
]
