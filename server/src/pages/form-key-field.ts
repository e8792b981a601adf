import { type Html, html } from '../base/text/html.ts';

/** The field that proves that a form comes from a page of its session. */
export function formKeyField(formKey: string): Html {
  return html`<input type="hidden" name="formKey" value="${formKey}">
`;
}
