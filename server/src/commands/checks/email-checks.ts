import { newId } from '../../base/ids.ts';
import { checkMailServer } from '../../mail/mail-server-check.ts';
import { createSmtpTransport } from '../../mail/transport.ts';
import { normalizeEmail } from '../../members/email.ts';
import { withoutSecrets } from '../database-url.ts';
import type { Settings } from '../settings.ts';
import { type Check, fail, ok, reasonOf, warn, within } from './check.ts';

const sendMilliseconds = 15_000;

/** Whether emails can leave. */
export async function checkEmail({ smtpUrl }: Settings): Promise<Check> {
  if (smtpUrl === undefined) {
    return warn(
      'email',
      'no mail server is set, so emails are not sent: their text is in the log',
      'Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM.',
    );
  }
  const shown = withoutSecrets(smtpUrl);
  try {
    await checkMailServer(smtpUrl);
    return ok('email', `the mail server accepts connection and login: ${shown}`);
  } catch (error) {
    return fail('email', `${shown}: ${reasonOf(error)}`, 'Correct GATEHOUSE_SMTP_URL, or the mail server.');
  }
}

/** Sends an email to an address, by the way that login links go. */
export async function sendTestEmail({ smtpUrl, mailFrom }: Settings, recipient: string): Promise<Check> {
  const address = normalizeEmail(recipient);
  if (address === null) {
    return fail(
      'test email',
      `${JSON.stringify(recipient)} is no email address`,
      'Give one: --test-email you@example.org',
    );
  }
  if (smtpUrl === undefined || mailFrom === undefined) {
    return fail('test email', 'no mail server is set', 'Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM.');
  }
  const transport = createSmtpTransport(smtpUrl, mailFrom);
  const text = `This is the test email of "./gatehouse doctor --test-email". Login links will arrive in the same way.`;
  const content = {
    fromName: 'Gatehouse',
    subject: 'Test email from Gatehouse',
    text,
    html: `<p>${text.replaceAll('"', '&quot;')}</p>`,
  };
  try {
    await within(sendMilliseconds, transport.send({ id: newId(), recipient: address, content }));
    return ok(
      'test email',
      `the mail server took it for ${address}, from ${mailFrom}; look into that mailbox, and its spam`,
    );
  } catch (error) {
    return fail(
      'test email',
      `not sent to ${address}: ${reasonOf(error)}`,
      'Look at what the mail server logs about it.',
    );
  } finally {
    transport.close();
  }
}
