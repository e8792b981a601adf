import { browserNames } from '@gatehouse/contract/browser-names';
import { fill } from '@gatehouse/contract/fill';
import type {
  ComposedEmail,
  EmailFrame,
  OperatorNotice,
  OperatorNoticeEmail,
} from '../../domain/emails/email-composer.ts';
import { type Texts, textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to an operator about a new passkey or a login in a new browser. */
export function operatorNoticeEmail(
  frame: EmailFrame,
  { notice, url, email, origin }: OperatorNoticeEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  return noticeEmail(frame, {
    subject: texts[notice.type === 'new_passkey' ? 'newPasskey.subject' : 'newBrowser.subject'],
    paragraphs: [happenedText(texts, notice), texts['operatorNotice.notYou']],
    button: texts['operatorNotice.button'],
    url,
    sentTo: fill(texts['invitation.sentTo'], { email: oneLine(email), origin }),
  });
}

function happenedText(texts: Texts, notice: OperatorNotice): string {
  if (notice.type === 'new_passkey') return fill(texts['newPasskey.added'], { name: oneLine(notice.name) });
  const { browser, system } = browserNames(notice.userAgent);
  const name = browser ?? texts['account.unknownBrowser'];
  const described =
    system === undefined ? name : fill(texts['account.browserOnSystem'], { browser: name, system });
  return fill(texts['newBrowser.loggedIn'], { browser: described, address: notice.ipAddress ?? '–' });
}
