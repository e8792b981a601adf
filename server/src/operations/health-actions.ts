import type { Change } from '../domain/events/change.ts';

export interface HealthActionInputs {
  checkWritable: null;
}

export interface HealthActionResults {
  checkWritable: null;
}

/** Actions of the service itself, to monitor it. */
export const healthActions = {
  checkWritable: async ({ tx }: Change): Promise<null> => {
    await tx.checkWritable();
    return null;
  },
};
