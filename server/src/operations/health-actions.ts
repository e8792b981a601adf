import type { Change } from '../domain/events/change.ts';

export interface HealthActionInputs {
  checkWritable: null;
}

export interface HealthActionResults {
  checkWritable: null;
}

/** Actions of the service itself, to monitor it. */
export const healthActions = {
  checkWritable: async ({ db }: Change): Promise<null> => {
    await db.checkWritable();
    return null;
  },
};
