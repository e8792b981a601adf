import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { LoginMethods as Numbers } from '../../types.ts';
import { Resource } from '../resource.ts';

/** How many members use each way to log in. */
export class LoginMethods extends Resource {
  get(options?: CallOptions): Call<Numbers> {
    return this.call('getLoginMethods', {}, options);
  }
}
