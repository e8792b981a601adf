import { connectionOptions, MailServerAway, translate } from './transport.ts';

const deadlineMilliseconds = 8_000;

/**
 * Connects to a mail server, secures the connection and logs in, as the first email would.
 * @throws MailServerAway that says what failed
 */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transporter = createTransport({
    ...connectionOptions(smtpUrl),
    connectionTimeout: deadlineMilliseconds,
    greetingTimeout: deadlineMilliseconds,
    socketTimeout: deadlineMilliseconds,
  } as object);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new MailServerAway(`The mail server gave no answer within ${deadlineMilliseconds / 1_000} s.`),
      ),
    deadlineMilliseconds,
  );
  try {
    await Promise.race([transporter.verify(), late.promise]);
  } catch (error) {
    throw error instanceof MailServerAway ? error : explain(error);
  } finally {
    clearTimeout(timer);
    transporter.close();
  }
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly message: string;
}

function explain(error: unknown): Error {
  const { code, responseCode, message } = error as SmtpError;
  if (code === 'EAUTH') {
    return new MailServerAway(
      `The mail server does not accept the user and the password (${responseCode ?? 'no answer'}).`,
    );
  }
  if (/certificate|altname|self.signed|CERT/i.test(message)) {
    return new MailServerAway(`The certificate of the mail server cannot be trusted: ${message}.`);
  }
  return translate(error);
}
