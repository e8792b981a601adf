import type { Transporter } from 'nodemailer';
import type { MailContent } from './mail.ts';

export interface OutgoingMail {
  readonly id: string;
  /** One address. */
  readonly recipient: string;
  readonly content: MailContent;
}

/** What it throws says nothing that a mail server said: that may repeat the mail, and a link in it works for anybody. */
export interface MailTransport {
  /**
   * Hands a mail to the mail server, within a minute.
   * @throws MailRefused, MailDelayed or MailServerAway
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Ends every connection, and fails what is still being sent. */
  close(): void;
}

/** The mail server will not take this mail, now or later. */
export class MailRefused extends Error {}

/** The mail server will not take this mail now, and may take others. */
export class MailDelayed extends Error {}

/** The mail server cannot be reached, or takes no mail at all. */
export class MailServerAway extends Error {}

/** So many mails are on their way at once. */
export const mailsAtOnce = 5;

/** However slowly a mail server answers: no timeout of a connection notices one that says a little now and then. */
const sendMilliseconds = 60_000;

// Nothing by which a parser would see a second address, or another one.
const plainAddress = /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u;

/**
 * Sends through a mail server (RFC 5321).
 * @param smtpUrl `smtp://user:password@host:587`, or `smtps:` for TLS from the first byte
 * @param mailFrom the address that mails come from
 */
export function createSmtpTransport(smtpUrl: string, mailFrom: string): MailTransport {
  let opened: Promise<Transporter> | undefined;
  return {
    async send(mail) {
      if (!plainAddress.test(mail.recipient))
        throw new MailRefused('The recipient is not one plain address.');
      opened ??= openPool(smtpUrl);
      try {
        await (await opened).sendMail(messageOf(mail, mailFrom));
      } catch (error) {
        throw translate(error);
      }
    },
    close() {
      opened?.then(
        (transporter) => (transporter as ForceableClose).close({ force: true }),
        () => {},
      );
    },
  };
}

interface ForceableClose {
  close(options: { force: boolean }): void;
}

async function openPool(smtpUrl: string): Promise<Transporter> {
  // Loaded when the first mail leaves: the start does not wait for it.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...connectionOptions(smtpUrl),
    pool: true,
    maxConnections: mailsAtOnce,
    // Once, for a connection that was closed while it was idle.
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as object);
}

/** How a mail server is reached, whatever is to be done there. */
export function connectionOptions(smtpUrl: string): object {
  return {
    url: smtpUrl,
    // Who stands in between could take STARTTLS out of the answers, and be told the password and every link.
    ...requiredTls(smtpUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A password goes through TLS alone, unless the address says `?ignoreTLS=true` or `?requireTLS=false`. */
function requiredTls(smtpUrl: string): object {
  const { password, searchParams } = new URL(smtpUrl);
  const isChosen = searchParams.has('ignoreTLS') || searchParams.has('requireTLS');
  return password === '' || isChosen ? {} : { requireTLS: true };
}

function messageOf({ id, recipient, content }: OutgoingMail, mailFrom: string): object {
  const { fromName, subject, text, html } = content;
  // As objects, addresses are not parsed, neither in a header nor in the envelope: one stays one.
  const to = { name: '', address: recipient };
  return {
    from: { name: fromName.replace(/\p{Cc}+/gu, ' '), address: mailFrom },
    to,
    envelope: { from: mailFrom, to: [to] },
    messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    signal: AbortSignal.timeout(sendMilliseconds),
  };
}

interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** Whether the mail server is away, or refused the recipient or the message, for good (5xx) or for now (4xx). */
export function translate(error: unknown): Error {
  const { code, originalCode, command, responseCode } = error as SmtpError;
  const answer = `The mail server answered ${responseCode}.`;
  if (code === 'ETLS') {
    return new MailServerAway(
      'The mail server offers no TLS, which a password takes. On a network of your own, end GATEHOUSE_SMTP_URL with ?ignoreTLS=true.',
    );
  }
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || isOfEveryMail(command, responseCode)) {
    const reason = `The mail server could not be reached (${originalCode ?? code ?? 'no code'}).`;
    return new MailServerAway(responseCode === undefined ? reason : answer);
  }
  if (responseCode === undefined) return new MailRefused('The mail cannot be sent in this form.');
  return responseCode >= 500 ? new MailRefused(answer) : new MailDelayed(answer);
}

/** What is said of the sender or the session may be a matter of settings, and will be said of the next mail too. */
function isOfEveryMail(command: string | undefined, responseCode: number | undefined): boolean {
  if (responseCode === undefined) return false;
  return command === 'MAIL FROM' || [421, 503, 530].includes(responseCode);
}
