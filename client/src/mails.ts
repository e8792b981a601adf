import { type Call, dataOf, toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { List } from './list.ts';
import type { CallOptions } from './options.ts';
import type { ListMails, Mail, MailWithContent } from './types.ts';

/** The mails that the site has written. */
export class Mails {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The mails of the last 30 days that match every filter given, newest first. `limit` is the size of a page. */
  list(filter: ListMails = {}, options?: CallOptions): List<Mail> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listMails', { query: { ...filter, after } }, options), whole),
    );
  }

  /** One mail. What it says takes the permission `login-links:write`: whoever reads a login link is that member. */
  get(mailId: string, options?: CallOptions): Call<MailWithContent> {
    return toCall(this.#connection.send('getMail', { params: { mailId } }, options), dataOf);
  }
}
