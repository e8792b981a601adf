import type { Call } from '../http/call.ts';
import type { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import type { CreateLabel, Label, ListLabels } from '../types.ts';
import { Resource } from './resource.ts';

/** Words with which operators mark members. */
export class Labels extends Resource {
  /** The labels of the site, newest first. `limit` is the page size. */
  list(filter: ListLabels = {}, options?: CallOptions): List<Label> {
    return this.paginate('listLabels', { query: filter }, options);
  }

  create(label: CreateLabel, options?: CreateOptions): Call<Label> {
    return this.call('createLabel', { body: label }, options);
  }

  get(labelId: string, options?: CallOptions): Call<Label> {
    return this.call('getLabel', { params: { labelId } }, options);
  }

  /** Permanent. */
  delete(labelId: string, options?: ChangeOptions): Call<void> {
    return this.call('deleteLabel', { params: { labelId } }, options);
  }
}
