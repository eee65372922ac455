/** Listen: where a server of ours is reached; loopback and a free port unless told otherwise. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListenOptions {
  readonly port?: number | undefined
  readonly host?: string | undefined
}

/** Returns where it listens, or rejects when that place is taken. */
export async function listenAt(http: Server, { port = 0, host = '127.0.0.1' }: ListenOptions): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
  return http.address() as AddressInfo
}
