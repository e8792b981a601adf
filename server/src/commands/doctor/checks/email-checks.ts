import { normalizeEmail } from '@gatehouse/contract/email-address';
import type { Settings } from '../../../app/settings/settings.ts';
import { newId } from '../../../base/ids.ts';
import { checkMailServer } from '../../../jobs/email-delivery/mail-server-check.ts';
import { createSmtpTransport } from '../../../jobs/email-delivery/smtp-transport.ts';
import { withoutSecrets } from '../../database/database-url.ts';
import { type Check, fail, ok, reasonOf, warn, within } from './check.ts';

const sendMilliseconds = 15_000;

/** Whether emails can be sent. */
export async function checkEmail({ smtpUrl }: Settings): Promise<Check> {
  if (smtpUrl === undefined) {
    return warn(
      'email',
      'no mail server is set: emails are not sent but written to the log',
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

/** Sends a test email the same way as login links. */
export async function sendTestEmail(
  { smtpUrl, mailFrom, mailFromName }: Settings,
  recipient: string,
): Promise<Check> {
  const address = normalizeEmail(recipient);
  if (address === null) {
    return fail(
      'test email',
      `${JSON.stringify(recipient)} is not an email address`,
      'Use one: --test-email you@example.org',
    );
  }
  if (smtpUrl === undefined || mailFrom === undefined) {
    return fail('test email', 'no mail server is set', 'Set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM.');
  }
  const transport = createSmtpTransport(smtpUrl, mailFrom, mailFromName);
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
      `the mail server accepted it for ${address}, from ${mailFrom}; check that mailbox and its spam folder`,
    );
  } catch (error) {
    return fail(
      'test email',
      `not sent to ${address}: ${reasonOf(error)}`,
      'Check the log of the mail server.',
    );
  } finally {
    transport.close();
  }
}
