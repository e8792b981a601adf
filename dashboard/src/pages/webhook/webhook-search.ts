const states = ['waiting', 'succeeded', 'failed'] as const;

/** The search parameters of the page: the filters of the deliveries, and the open one. */
export interface WebhookSearch {
  status?: (typeof states)[number] | undefined;
  type?: string | undefined;
  delivery?: string | undefined;
}

/** Parses the search parameters. Invalid ones are left out. */
export function readWebhookSearch({ status, type, delivery }: Record<string, unknown>): WebhookSearch {
  const known = states.find((each) => each === status);
  return {
    ...(known && { status: known }),
    ...(typeof type === 'string' && { type }),
    ...(typeof delivery === 'string' && { delivery }),
  };
}

export { states as deliveryStates };
