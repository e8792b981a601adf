import { html } from '../base/html.ts';
import { type PageFrame, page, pageTexts, problemNote } from './page.ts';

export interface WelcomePage {
  /** The address of the link itself. */
  readonly action: string;
  /** What was typed before, or nothing. */
  readonly email: string;
  readonly displayName: string;
  readonly problem?: 'invalid_email' | 'invalid_name';
}

/** Where the first operator says who he or she is, and comes in with one press. */
export function welcomePage(frame: PageFrame, { action, email, displayName, problem }: WelcomePage): string {
  const { texts } = pageTexts(frame);
  const wrong = html` aria-invalid="true" aria-describedby="problem"`;
  return page(frame, {
    heading: texts['welcome.title'],
    body: html`<p>${texts['welcome.intro']}</p>
${problem === 'invalid_email' && problemNote(texts['login.invalidEmail'])}
${problem === 'invalid_name' && problemNote(texts['account.invalidName'])}
<form method="post" action="${action}">
<label for="displayName">${texts['account.name']}</label>
<input type="text" id="displayName" name="displayName" value="${displayName}" autocomplete="name" dir="auto" required${problem !== 'invalid_email' && html` autofocus`}${problem === 'invalid_name' && wrong}>
<label for="email">${texts['login.email']}</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="email" inputmode="email" autocapitalize="none" spellcheck="false" dir="ltr" required${problem === 'invalid_email' && html` autofocus${wrong}`}>
<button type="submit">${texts['welcome.button']}</button>
</form>`,
  });
}
