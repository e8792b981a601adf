import { fill } from '@gatehouse/contract/fill';
import { type Html, html } from '../../base/text/html.ts';
import { loginPath, offersLoginField } from '../../domain/sites/page-addresses.ts';
import { inMinutes, type Texts } from '../../i18n/languages.ts';
import { type PageFrame, page, pageTexts, problemNote } from '../page.ts';
import { sendOnceScript } from './send-once-script.ts';

export interface PageCodePage {
  /** Where to go with the right code. */
  readonly next: string;
  /** Whether a login gives access too. */
  readonly offersLogin: boolean;
  /** `paused`: the code is wrong, or chosen codes are not accepted at the moment. The page does not say which. */
  readonly problem?: 'wrong' | 'paused' | 'no_cookie' | 'too_many';
  /** When to try again after `too_many`. */
  readonly waitMinutes?: number;
  /** Whether the browser has access by a code. */
  readonly hasEntered?: boolean;
}

/** The page on which a page code is entered. */
export function pageCodePage(frame: PageFrame, content: PageCodePage): string {
  const { texts, named } = pageTexts(frame);
  const problem = problemText(texts, frame.language, content);
  const isWrong = content.problem === 'wrong' || content.problem === 'paused';
  return page(frame, {
    heading: texts['pageCode.title'],
    body: html`<p>${named(texts['pageCode.intro'])}</p>
${problem !== undefined && problemNote(problem)}
<form method="post" action="${frame.addresses.prefix}/page-code">
<input type="hidden" name="next" value="${content.next}">
${content.offersLogin && html`<input type="hidden" name="${offersLoginField}" value="yes">`}
<label for="code">${texts['pageCode.code']}</label>
<input type="text" id="code" name="code" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="500" required autofocus${isWrong && html` aria-invalid="true"`}${problem !== undefined && html` aria-describedby="problem"`}>
<button type="submit">${texts['pageCode.open']}</button>
</form>
${(content.hasEntered || content.offersLogin) && otherPart(frame, content)}`,
    scripts: [sendOnceScript],
  });
}

function otherPart(frame: PageFrame, { next, hasEntered, offersLogin }: PageCodePage): Html {
  const { texts } = pageTexts(frame);
  const login = loginPath(frame.addresses, next, { offersCode: true });
  return html`<section class="aside">
${hasEntered && leaveForm(frame)}
${offersLogin && html`<p><a class="button quiet" href="${login}">${texts['pageCode.logIn']}</a></p>`}
</section>`;
}

function leaveForm(frame: PageFrame): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.addresses.prefix}/page-code/leave">
<p>${texts['pageCode.entered']}</p>
<button class="quiet" type="submit">${texts['pageCode.leave']}</button>
</form>`;
}

function problemText(
  texts: Texts,
  language: string,
  { problem, waitMinutes }: PageCodePage,
): string | undefined {
  if (problem === 'wrong') return texts['pageCode.wrong'];
  if (problem === 'paused') return texts['pageCode.paused'];
  if (problem === 'no_cookie') return texts['pageCode.noCookie'];
  if (problem !== 'too_many') return undefined;
  return waitMinutes === undefined
    ? texts['pageCode.tooManyLater']
    : fill(texts['pageCode.tooMany'], { time: inMinutes(language, waitMinutes) });
}
