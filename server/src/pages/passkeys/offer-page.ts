import { html } from '../../base/text/html.ts';
import { formKeyField } from '../form-key-field.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import { type PageFrame, page, pageTexts } from '../page.ts';
import { addPasskeyForm } from './add-form.ts';
import { addPasskeyScript } from './add-script.ts';

export interface PasskeyOfferPage {
  /** Proves that the form comes from this page. */
  readonly formKey: string;
  /** The name of the system, as the name of the passkey. */
  readonly suggestedName: string;
  /** Where to go afterwards, in any case. */
  readonly next: string;
}

/** Offers a passkey to a member who has just logged in by email, once. */
export function passkeyOfferPage(frame: PageFrame, content: PasskeyOfferPage): string {
  const { texts, named } = pageTexts(frame);
  const { formKey, suggestedName: name, next } = content;
  return page(frame, {
    heading: texts['passkeyOffer.title'],
    body: html`<p>${named(texts['passkeyOffer.intro'])}</p>
${addPasskeyForm(texts, { keyField: formKeyField(formKey), name, hasNameField: false, next })}<p><a class="button quiet" href="${next}">${texts['passkeyOffer.notNow']}</a></p>`,
    scripts: [sendOnceScript, addPasskeyScript],
  });
}
