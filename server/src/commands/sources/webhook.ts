import type { SourceWebhook } from '@gatehouse/client';
import type { Command } from 'commander';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { print } from '../shared/output.ts';
import { findSource } from './named-source.ts';

interface WebhookOptions extends ConnectionOptions {
  readonly reset?: boolean;
}

export function addWebhookCommand(source: Command): void {
  addConnectionOptions(
    addCommand(source, 'webhook <source>', 'show how Notion reports changes of a source at once', [
      'source webhook Team',
    ]),
  )
    .option('--reset', 'forget the verification token, so that Notion can be connected again')
    .action(webhook);
}

async function webhook(named: string, { json, reset, ...options }: WebhookOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const { id } = await findSource(gatehouse, named);
  if (reset) await gatehouse.sources.webhook.reset(id);
  let found = await gatehouse.sources.webhook.get(id);
  // Who wants to see the address is about to enter it in Notion.
  if (found.status === 'none' && found.awaitedUntil === null) {
    await gatehouse.sources.webhook.reset(id);
    found = await gatehouse.sources.webhook.get(id);
  }
  print(json, found, describe(found));
}

function describe({ address, status, awaitedUntil, verificationToken }: SourceWebhook): string {
  if (status === 'active') return 'Notion reports changes, which are synchronized within a minute.';
  if (verificationToken === null) {
    return `Create a webhook subscription in the settings of the integration, with this URL, until ${awaitedUntil}:\n\n  ${address}\n\nThen repeat the command.`;
  }
  return `Enter this token in Notion to verify the subscription:\n\n  ${verificationToken}`;
}
