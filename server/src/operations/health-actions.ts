import type { ActionHandlers } from './operation-handler.ts';

export interface HealthActionInputs {
  checkWritable: null;
}

/** Actions of the service itself, to monitor it. */
export const healthActions: ActionHandlers<HealthActionInputs, object> = {
  checkWritable: {
    // It must not depend on the work of other requests.
    changesMany: true,
    handle: ({ db }) => db.checkWritable(),
  },
};
