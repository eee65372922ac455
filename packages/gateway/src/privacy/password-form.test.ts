import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForPassword } from './password-form.ts'

// oxfmt-ignore
const cases: [isOne: boolean, text: string][] = [
  [true,  '<input type=password>'],
  [true,  '<INPUT name="p" TYPE = "PassWord" >'],
  [true,  `<input ${'data-x="1" '.repeat(1_000)}type='password'>`],
  [true,  '<template><input type=password></template>'],
  [true,  '<script>write("<input type=\\"password\\">")</script>'],
  [true,  '<input\ntype\n=\npassword'],
  [false, '<input type=text> type=password'],
  [false, '<input type=passwords>'],
  [false, '<inputs type=password>'],
  [false, 'write type="password" into an input'],
  [false, ''],
]
for (const [isOne, text] of cases) {
  test(`${JSON.stringify(text.slice(0, 60))} ${isOne ? 'asks' : 'does not ask'} for a password`, () =>
    assert.equal(asksForPassword(text), isOne))
}
