/** Keys for tests, each always the same; and the one that stands as an example in RFC 9421 §B.1.4. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { newKeyRing } from '../identity/key-ring.ts'
import type { KeyRing, RingKey } from '../identity/key-ring.ts'
import { thumbprint } from '../identity/key-set.ts'

export const exampleKey: { readonly keyId: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject } =
  (() => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
    const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'
    const privateKey = createPrivateKey({ key: { ...jwk, d }, format: 'jwk' })
    const publicKey = createPublicKey(privateKey)
    return { keyId: thumbprint(publicKey), privateKey, publicKey }
  })()

export const testRing = (number: number, at = 0): KeyRing => newKeyRing(new Uint8Array(32).fill(number), at)

export const testKey = (number: number): RingKey => testRing(number)[0]
