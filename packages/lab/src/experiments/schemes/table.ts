/** All schemes of 002 Table 6.2, those that are polled and those that are sent, each in the forms that we have. */
import { BASE_FORM, KNOWING_FORM, PULLED_FORMS } from './pulled.ts'
import type { PulledForm } from './pulled.ts'
import { PUSHED_FORMS } from './pushed.ts'
import type { PushedForm } from './pushed.ts'

export type SchemeForm = PulledForm | PushedForm

/** No cooperation first, then in the paper's order. */
export const SCHEME_FORMS: readonly SchemeForm[] = [
  ...PULLED_FORMS.filter(({ id }) => id.startsWith(BASE_FORM)),
  ...PUSHED_FORMS,
  ...PULLED_FORMS.filter(({ id }) => !id.startsWith(BASE_FORM)),
]

export const schemeForm = (id: string): SchemeForm => {
  const form = SCHEME_FORMS.find((one) => one.id === id)
  if (form === undefined)
    throw new RangeError(`there is no scheme ${id}; use ${SCHEME_FORMS.map((one) => one.id).join(', ')}`)
  return form
}

const ALL_FORMS = 'all'

/** The usual ones when none is named, and every one for `all`; what all are compared with are always among them. */
export function chosenForms(ids: readonly string[]): readonly SchemeForm[] {
  if (ids.includes(ALL_FORMS)) return SCHEME_FORMS
  if (ids.length === 0) return SCHEME_FORMS.filter(({ isSeldom }) => isSeldom !== true)
  const chosen = new Set([BASE_FORM, KNOWING_FORM, ...ids].map(schemeForm))
  return SCHEME_FORMS.filter((form) => chosen.has(form))
}
