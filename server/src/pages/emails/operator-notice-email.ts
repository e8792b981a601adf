import { browserNames } from '@gatehouse/contract/browser-names';
import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type {
  ComposedEmail,
  EmailFrame,
  OperatorNotice,
  OperatorNoticeEmail,
} from '../../domain/emails/email-composer.ts';
import { type Texts, textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to an operator about a new passkey or a login in a new browser. */
export function operatorNoticeEmail(
  frame: EmailFrame,
  { notice, url, email, origin }: OperatorNoticeEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const subject = texts[notice.type === 'new_passkey' ? 'newPasskey.subject' : 'newBrowser.subject'];
  const hello = texts['email.hello'];
  const happened = happenedText(texts, notice);
  const notYou = texts['operatorNotice.notYou'];
  const sentTo = fill(texts['invitation.sentTo'], { email: oneLine(email), origin });
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${happened}</p>
<p style="${paragraph}">${notYou}</p>
${emailButton(frame, url, texts['operatorNotice.button'])}
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, happened, notYou, url, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}

function happenedText(texts: Texts, notice: OperatorNotice): string {
  if (notice.type === 'new_passkey') return fill(texts['newPasskey.added'], { name: oneLine(notice.name) });
  const { browser, system } = browserNames(notice.userAgent);
  const name = browser ?? texts['account.unknownBrowser'];
  const described =
    system === undefined ? name : fill(texts['account.browserOnSystem'], { browser: name, system });
  return fill(texts['newBrowser.loggedIn'], { browser: described, address: notice.ipAddress ?? '–' });
}
