import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  CreatePageCode,
  ListPageCodes,
  PageCode,
  ReplacePageCode,
  UpdatePageCode,
} from '../../types.ts';
import { Resource } from '../resource.ts';

/** Codes that give access to pages without a login, where an access rule accepts them. */
export class PageCodes extends Resource {
  /** The page codes of the site, newest first. `limit` is the page size. */
  list(filter: ListPageCodes = {}, options?: CallOptions): List<PageCode> {
    return this.paginate('listPageCodes', { query: filter }, options);
  }

  /** Creates a code: the given one, or by default some words that Gatehouse chooses. */
  create(pageCode: CreatePageCode, options?: CreateOptions): Call<PageCode> {
    return this.call('createPageCode', { body: pageCode }, options);
  }

  get(pageCodeId: string, options?: CallOptions): Call<PageCode> {
    return this.call('getPageCode', { params: { pageCodeId } }, options);
  }

  /** Changes the given fields, at least one. The code itself stays the same. */
  update(pageCodeId: string, changes: UpdatePageCode, options?: ChangeOptions): Call<PageCode> {
    return this.call('updatePageCode', { params: { pageCodeId }, body: changes }, options);
  }

  /** Gives it another code. Access by the former one ends at once. */
  replace(pageCodeId: string, code: ReplacePageCode = {}, options?: CreateOptions): Call<PageCode> {
    return this.call('replacePageCode', { params: { pageCodeId }, body: code }, options);
  }

  /** Permanent. Access by it ends at once; access rules that name it stay. */
  delete(pageCodeId: string, options?: ChangeOptions): Call<void> {
    return this.call('deletePageCode', { params: { pageCodeId } }, options);
  }
}
