import { type Html, html } from '../base/html.ts';
import { emphasized, fillHtml, loginAddress, type PageFrame, page, pageTexts, problemNote } from './page.ts';

export interface CheckMailPage {
  /** The address that was typed. */
  readonly email: string;
  /** Where to go after the login. */
  readonly next: string;
  /** `code_dead`: too many wrong codes, or too late. */
  readonly problem?: 'wrong_code' | 'code_dead';
}

/** Says that a mail is on its way, and takes its code. It is the same for everybody, member or not. */
export function checkMailPage(frame: PageFrame, { email, next, problem }: CheckMailPage): string {
  const { texts, named } = pageTexts(frame);
  const canTypeCode = problem !== 'code_dead';
  const intro = canTypeCode ? texts['checkMail.intro'] : texts['checkMail.introLink'];
  return page(frame, {
    heading: texts['checkMail.title'],
    body: html`<p>${fillHtml(intro, { email: emphasized(email) })}</p>
${problem === 'wrong_code' && problemNote(texts['checkMail.wrongCode'])}
${canTypeCode ? codeForm(frame, problem === 'wrong_code') : problemNote(texts['checkMail.codeDead'])}
<section class="aside">
<h2>${texts['checkMail.noMail']}</h2>
<ul>
<li>${texts['checkMail.wait']}</li>
<li>${named(texts['checkMail.address'])}</li>
</ul>
<p><a class="button quiet" href="${loginAddress(frame, next)}">${texts['checkMail.askAgain']}</a></p>
</section>`,
  });
}

/** Six digits, however they are grouped, and as a Japanese keyboard writes them. */
const codePattern = '\\s*(?:[0-9０-９][\\s.\\-–]*){6}';

function codeForm(frame: PageFrame, isWrong: boolean): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.realm.prefix}/code">
<label for="code">${texts['checkMail.code']}</label>
<input class="code" type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="${codePattern}" maxlength="50" title="${texts['checkMail.code']}" spellcheck="false" dir="ltr" required${isWrong && html` autofocus aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">${texts['checkMail.logIn']}</button>
</form>`;
}
