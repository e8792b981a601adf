import { type Call, dataOf, toCall, whole } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { Email, EmailWithContent, ListEmails } from '../types.ts';

/** The emails of the site. */
export class Emails {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The emails of the last 30 days that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListEmails = {}, options?: CallOptions): List<Email> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listEmails', { query: { ...filter, after } }, options), whole),
    );
  }

  /**
   * One email. Its content requires the permission `login-links:write`, because anyone who reads a login link can log
   * in as that member.
   */
  get(emailId: string, options?: CallOptions): Call<EmailWithContent> {
    return toCall(this.#connection.send('getEmail', { params: { emailId } }, options), dataOf);
  }

  /**
   * Sends a new email in place of a login link or an invitation that has failed, and returns it. A login link is a new one,
   * to the present address of the member. An invitation requires the permission `operators:write` as well.
   */
  resend(emailId: string, options?: CreateOptions): Call<Email> {
    return toCall(this.#connection.send('resendEmail', { params: { emailId } }, options), dataOf);
  }
}
