import type { Call } from '../http/call.ts';
import type { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { Email, EmailWithContent, ListEmails } from '../types.ts';
import { Resource } from './resource.ts';

/** The emails of the site. */
export class Emails extends Resource {
  /** The emails of the last 30 days that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListEmails = {}, options?: CallOptions): List<Email> {
    return this.paginate('listEmails', { query: filter }, options);
  }

  /**
   * One email. Its content requires the permission `login-links:write`, because anyone who reads a login link can log
   * in as that member.
   */
  get(emailId: string, options?: CallOptions): Call<EmailWithContent> {
    return this.call('getEmail', { params: { emailId } }, options);
  }

  /**
   * Sends a new email in place of a login link or an invitation that has failed, and returns it. A login link is a new one,
   * to the present address of the member. An invitation requires the permission `operators:write` as well.
   */
  resend(emailId: string, options?: CreateOptions): Call<Email> {
    return this.call('resendEmail', { params: { emailId } }, options);
  }
}
