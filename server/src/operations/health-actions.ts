import type { ActionHandlers } from './operation-handler.ts';

export interface HealthActionInputs {
  checkWritable: null;
}

export interface HealthActionResults {
  checkWritable: null;
}

/** Actions of the service itself, to monitor it. */
export const healthActions: ActionHandlers<HealthActionInputs, HealthActionResults> = {
  checkWritable: {
    // It must not depend on the work of other requests.
    changesMany: true,
    handle: async ({ db }) => {
      await db.checkWritable();
      return null;
    },
  },
};
