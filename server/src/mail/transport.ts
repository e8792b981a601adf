import type { Transporter } from 'nodemailer';
import type { MailContent } from './mail.ts';

export interface OutgoingMail {
  readonly id: string;
  /** One address. */
  readonly recipient: string;
  readonly content: MailContent;
}

export interface MailTransport {
  /** Hands a mail to the mail server. @throws MailRefused, or an error where the server could not be asked */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server will not take this mail, now or later. */
export class MailRefused extends Error {}

/** So many mails are on their way at once. */
export const mailsAtOnce = 5;

/**
 * Sends through a mail server (RFC 5321).
 * @param smtpUrl `smtp://user:password@host:587`, or `smtps:` for TLS from the first byte
 * @param mailFrom the address that mails come from
 */
export function createSmtpTransport(smtpUrl: string, mailFrom: string): MailTransport {
  let opened: Promise<Transporter> | undefined;
  const open = async () => {
    // Loaded when the first mail leaves: the start does not wait for it.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: mailsAtOnce,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as object);
  };
  return {
    async send({ id, recipient, content: { fromName, subject, text, html } }) {
      opened ??= open();
      const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
      try {
        await (await opened).sendMail({
          from: { name: fromName, address: mailFrom },
          // As objects, addresses are not parsed: one stays one, whatever it is made of.
          to: { name: '', address: recipient },
          envelope: { from: mailFrom, to: [recipient] },
          messageId: `<${id}@${domain}>`,
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        throw translate(error);
      }
    },
    close() {
      opened?.then((transporter) => transporter.close());
    },
  };
}

/** A refusal of the recipient or the message is final (a reply of 5xx); one of the sender may be a matter of settings. */
function translate(error: unknown): unknown {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  const isFinal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isOfThisMail = code === 'EENVELOPE' ? /RCPT/i.test(command ?? 'RCPT') : code === 'EMESSAGE';
  return isFinal && isOfThisMail ? new MailRefused(`The mail server answered ${responseCode}.`) : error;
}
