/** An unpacked dump, for tests: the files of a ZIP by name, and what its manifest says. */
import { readSync, readZipDirectory, readZipEntry } from '@comity/protocol'
import { BASE } from './site-sample.ts'

interface UnpackedDump {
  readonly files: ReadonlyMap<string, string>
  readonly manifest: ReturnType<typeof readSync>
}

export async function unpackedDump(bytes: Buffer): Promise<UnpackedDump> {
  const source = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) }
  const directory = await readZipDirectory(source)
  if (directory.kind === 'bad') throw new Error(directory.message)
  const files = new Map<string, string>()
  for (const entry of directory.entries) {
    const chunks: Uint8Array[] = []
    for await (const chunk of readZipEntry(source, entry)) chunks.push(chunk)
    files.set(entry.name, Buffer.concat(chunks).toString())
  }
  return { files, manifest: readSync(Buffer.from(files.get('manifest.xml') ?? ''), BASE) }
}
