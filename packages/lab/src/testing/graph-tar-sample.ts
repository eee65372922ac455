/** Sample archives: a tar as `tar` writes it, for the tests of what reads one. */
export function tarOf(files: readonly (readonly [name: string, text: string])[]): Buffer {
  return Buffer.concat([...files.map(([name, text]) => tarEntry(name, text)), Buffer.alloc(1_024)])
}

/** One entry, header and padded bytes. `kind` is `0` for a file, `5` for a folder, `L` and `x` for long names. */
export function tarEntry(name: string, text: string, kind = '0', prefix = ''): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(512)
  head.write(name, 0, 100)
  head.write('0000644\0', 100)
  head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write(kind, 156)
  head.write('ustar\x0000', 257, 'latin1')
  head.write(prefix, 345, 155)
  head.fill(' ', 148, 156)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
