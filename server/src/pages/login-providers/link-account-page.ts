import { html } from '../../base/text/html.ts';
import { formKeyField } from '../form-key-field.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import { emphasized, fillHtml, isolated, type PageFrame, page, pageTexts } from '../page.ts';

export interface LinkAccountPage {
  /** The name of the provider. */
  readonly provider: string;
  /** How the person knows the account there. */
  readonly account: string;
  /** The email address of the member who is logged in. */
  readonly email: string;
  /** Where to go afterwards. */
  readonly next: string;
  /** Of sessions that are shown then. */
  readonly sessionIds: readonly string[];
  /** Proves that the form comes from this page. */
  readonly formKey: string;
}

/** Asks whether an account with which a login was begun in this browser belongs to the member who has just logged in. */
export function linkAccountPage(frame: PageFrame, content: LinkAccountPage): string {
  const { texts } = pageTexts(frame);
  const { provider, account, email, next, sessionIds, formKey } = content;
  const names = { email: emphasized(email), account: emphasized(account), provider: isolated(provider) };
  return page(frame, {
    heading: texts['linkAccount.title'],
    body: html`<p>${fillHtml(texts['linkAccount.intro'], names)}</p>
<p>${texts['linkAccount.onlyYours']}</p>
<form class="choice" method="post" action="${frame.addresses.prefix}/link-account">
${formKeyField(formKey)}<input type="hidden" name="next" value="${next}">
${sessionIds.map((id) => html`<input type="hidden" name="id" value="${id}">\n`)}<button type="submit" name="answer" value="link">${texts['linkAccount.link']}</button>
<button class="quiet" type="submit" name="answer" value="not_now">${texts['linkAccount.notNow']}</button>
</form>`,
    scripts: [sendOnceScript],
  });
}
