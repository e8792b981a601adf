import { connectionOptions, MailServerUnavailable, translate } from './smtp-transport.ts';

const deadlineMilliseconds = 8_000;

/**
 * Connects to a mail server, secures the connection and logs in, as for a first email.
 * @throws {MailServerUnavailable} with a message that says what failed
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
        new MailServerUnavailable(
          `The mail server did not respond within ${deadlineMilliseconds / 1_000} s.`,
        ),
      ),
    deadlineMilliseconds,
  );
  try {
    await Promise.race([transporter.verify(), late.promise]);
  } catch (error) {
    throw error instanceof MailServerUnavailable ? error : explain(error);
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
    return new MailServerUnavailable(
      `The mail server rejected the user name or password (${responseCode ?? 'no answer'}).`,
    );
  }
  if (/certificate|altname|self.signed|CERT/i.test(message)) {
    return new MailServerUnavailable(`The certificate of the mail server is not trusted: ${message}.`);
  }
  return translate(error, () => null);
}
