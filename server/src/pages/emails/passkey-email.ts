import { fill } from '@gatehouse/contract/fill';
import type { ComposedEmail, EmailFrame, PasskeyEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to a member about a passkey that was added or removed. */
export function passkeyEmail(frame: EmailFrame, { notice, url, email, origin }: PasskeyEmail): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin };
  const isNew = notice.type === 'new_passkey';
  const name = oneLine(notice.name ?? '');
  const removed = texts[notice.name === null ? 'passkeyRemoved.all' : 'passkeyRemoved.one'];
  return noticeEmail(frame, {
    subject: fill(texts[isNew ? 'passkeyAdded.subject' : 'passkeyRemoved.subject'], values),
    paragraphs: [
      fill(isNew ? texts['passkeyAdded.added'] : removed, { ...values, name }),
      texts['passkeyAdded.notYou'],
    ],
    button: texts['operatorNotice.button'],
    url,
    sentTo: fill(texts['passkeyAdded.sentTo'], values),
  });
}
