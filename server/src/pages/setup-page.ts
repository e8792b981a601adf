import { html } from '../base/text/html.ts';
import { sendOnceScript } from './login/send-once-script.ts';
import { type PageFrame, page, pageTexts, problemNote } from './page.ts';

export interface SetupPage {
  /** The address of the link itself. */
  readonly action: string;
  /** The address entered before, or an empty text. */
  readonly email: string;
  readonly displayName: string;
  readonly problem?: 'invalid_email' | 'invalid_name';
}

/** The page on which the first operator enters name and email address and logs in with one click. */
export function setupPage(frame: PageFrame, { action, email, displayName, problem }: SetupPage): string {
  const { texts } = pageTexts(frame);
  const wrong = html` aria-invalid="true" aria-describedby="problem"`;
  return page(frame, {
    heading: texts['setup.title'],
    body: html`<p>${texts['setup.intro']}</p>
${problem === 'invalid_email' && problemNote(texts['login.invalidEmail'])}
${problem === 'invalid_name' && problemNote(texts['account.invalidName'])}
<form method="post" action="${action}">
<label for="displayName">${texts['account.name']}</label>
<input type="text" id="displayName" name="displayName" value="${displayName}" autocomplete="name" dir="auto" required${problem !== 'invalid_email' && html` autofocus`}${problem === 'invalid_name' && wrong}>
<label for="email">${texts['login.email']}</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="email" inputmode="email" autocapitalize="none" spellcheck="false" dir="ltr" required${problem === 'invalid_email' && html` autofocus${wrong}`}>
<button type="submit">${texts['setup.button']}</button>
</form>`,
    scripts: [sendOnceScript],
  });
}
