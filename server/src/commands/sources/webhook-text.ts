import type { SourceWebhook } from '@gatehouse/contract';
import type { Addition, Calls } from '../api/addition.ts';

export const webhookSetup: Addition = {
  addOptions: (command) =>
    void command.option(
      '--connect',
      'accept the token of Notion for 15 minutes, unless it is connected already',
    ),
  before: async ({ api, params, options }) => {
    if (!options.connect) return;
    const { status, awaitedUntil } = await findWebhook({ api, params });
    if (status === 'none' && awaitedUntil === null) await api.send('resetSourceWebhook', { params });
  },
  text: async (webhook: SourceWebhook) => describe(webhook),
};

/** What has to be entered in Notion, which its reset does not return. */
export const webhookReset: Addition = {
  text: async (_, call) => describe(await findWebhook(call)),
};

async function findWebhook({ api, params }: Pick<Calls, 'api' | 'params'>): Promise<SourceWebhook> {
  return ((await api.send('getSourceWebhook', { params })) as { data: SourceWebhook }).data;
}

function describe({ address, status, awaitedUntil, verificationToken }: SourceWebhook): string {
  if (status === 'active') return 'Notion reports changes, which are synchronized within a minute.';
  if (verificationToken !== null)
    return `Enter this token in Notion to verify the subscription:\n\n  ${verificationToken}`;
  if (awaitedUntil === null)
    return 'Notion is not connected. To connect it: ./gatehouse sources webhook reset <source>';
  return `Create a webhook subscription in the settings of the integration, with this URL, until ${awaitedUntil}:\n\n  ${address}\n\nThen see ./gatehouse sources webhook get.`;
}
