import type { Call } from '../http/call.ts';
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import type { EmailTexts, ReplaceEmailTexts } from '../types.ts';
import { Resource } from './resource.ts';

/** The texts of the site in its emails to members. */
export class EmailTextsOfSite extends Resource {
  /** The texts in each language of Gatehouse. */
  list(options?: CallOptions): Call<EmailTexts[]> {
    return this.call('listEmailTexts', {}, options);
  }

  /** The texts of one language, with the ETag for a change. */
  get(language: string, options?: CallOptions): Call<EmailTexts> {
    return this.call('getEmailTexts', { params: { language } }, options);
  }

  /** Replaces all texts of one language. */
  replace(language: string, texts: ReplaceEmailTexts, options?: ChangeOptions): Call<EmailTexts> {
    return this.call('replaceEmailTexts', { params: { language }, body: texts }, options);
  }
}
