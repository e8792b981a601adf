import {
  type Operation,
  type OperationId,
  openApiDocument,
  operations,
  permissions,
} from '@gatehouse/contract';
import { CommandFailure } from '../../../app/failure.ts';
import { ensureSecretKeys, findSecretKeys, requireSecretKey } from '../../../app/settings/secret-keys.ts';
import { serviceSettings, workspaceSettings } from '../../../app/settings/service-settings.ts';
import { readSettings, type Settings } from '../../../app/settings/settings.ts';
import { ApiError } from '../../../base/api-error.ts';
import { SecretBox } from '../../../base/encryption/secret-box.ts';
import { version } from '../../../base/version.ts';
import { hasSetupLink } from '../../../domain/operators/setup-token.ts';
import { signingKeySecrets } from '../../../domain/signing-keys/signing-key-secrets.ts';
import { ensureOperatorTenant } from '../../../domain/sites/operator-tenant.ts';
import { compileShapeCheck } from '../../../http/shared/json/validation.ts';
import { emailComposer } from '../../../pages/emails/email-composer.ts';
import { etagOf, OperationRunner } from '../../../runtime/operation-runner.ts';
import { everySealedText } from '../../../runtime/sealed-texts.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { operatorContext, requireSite, withDatabase } from '../../shared/store.ts';
import type { Parts, SiteApi } from './site-api.ts';

/** Operations that always store a secret, encrypted. */
const sealing: ReadonlySet<OperationId> = new Set<OperationId>([
  'createWebhook',
  'rotateWebhookSecret',
  'rotateSigningKeys',
]);

const hasConnection: SealingBody = ({ token, address }) => token !== undefined || address !== undefined;
const hasNoCode: SealingBody = ({ code }) => code === undefined;

type SealingBody = (body: Readonly<Record<string, unknown>>) => boolean;

/** Operations that store a secret if their body says so. */
const sealingBodies: Partial<Record<OperationId, SealingBody>> = {
  createSource: hasConnection,
  updateSource: hasConnection,
  createInvitation: ({ email }) => email === undefined || email === null,
  createPageCode: hasNoCode,
  replacePageCode: hasNoCode,
};

/** Works on a site of the configured database, on behalf of the user of the command line. */
export function withDirectApi<T>(slug: string | undefined, work: (api: SiteApi) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  return withDatabase(async (database) => {
    const site = await requireSite(database, slug);
    await ensureOperatorTenant(database, settings.publicUrl);
    const view = { db: database, siteId: site.id };
    const notes: string[] = [];
    let runner: OperationRunner | undefined;
    const send: SiteApi['send'] = async (id, parts) => {
      if (id === 'getOpenApi') return openApiDocument({ version });
      const isSealing = storesSecret(id, parts);
      if (isSealing) await requireUsableSecretKey(settings, view, id, parts);
      const secretKeys = isSealing ? ensureSecretKeys(settings) : findSecretKeys(settings);
      runner ??= new OperationRunner(database, serviceSettings({ ...settings, secretKeys }), emailComposer);
      const hadSetupLink =
        id === 'inviteOperator' && (await hasSetupLink(database, new Date().toISOString()));
      const body = await run(runner, site.id, id, parts);
      if (hadSetupLink)
        notes.push(
          'The setup link that the service printed no longer works, because there is an operator now.',
        );
      return body;
    };
    try {
      const timeZone = async () => site.timeZone;
      return await work({
        send,
        read: async (id, parts) => {
          const body = await send(id, parts);
          return { body, etag: etagOf(JSON.stringify(body)) };
        },
        waitForRun: async (run, onProgress, signal) => {
          const { runToItsEnd } = await import('./run-here.ts');
          const workspaces = workspaceSettings({ ...settings, secretKeys: findSecretKeys(settings) });
          return runToItsEnd(view, workspaces, run, { onProgress, signal });
        },
        unfinishedRun:
          'If the service is running, it continues the synchronization; otherwise repeat the command.',
        findTimeZone: timeZone,
        timeZoneForDays: timeZone,
        notes,
      });
    } finally {
      await runner?.close();
    }
  });
}

async function run(
  runner: OperationRunner,
  siteId: string,
  operationId: OperationId,
  { params = {}, query = {}, body, ifMatch }: Parts,
): Promise<unknown> {
  const operation: Operation = operations[operationId];
  const { method, readOnly } = operation;
  const shape = { params: { ...params }, query: { ...query }, body };
  // As for a request: it also fills in the defaults.
  compileShapeCheck(operation)(shape);
  const response = await runner.run({
    operationId,
    changes: method !== 'GET' && !readOnly,
    siteId,
    permissions,
    changeContext: operatorContext(),
    ...shape,
    target: '',
    ifMatch,
    idempotency: undefined,
  });
  if (response.kind === 'rejected') throw new ApiError(response.code, response.message, response.details);
  return response.payload === null ? undefined : JSON.parse(response.payload);
}

/** Whether an operation stores a secret. */
function storesSecret(id: OperationId, { body }: Parts): boolean {
  return sealing.has(id) || (sealingBodies[id]?.(body as Readonly<Record<string, unknown>>) ?? false);
}

/** What is encrypted with another key than that of the service, it could not use. @throws {CommandFailure} */
async function requireUsableSecretKey(settings: Settings, view: SiteData, id: OperationId, { body }: Parts) {
  requireSecretKey(settings);
  const isRotation = id === 'rotateSigningKeys';
  if (isRotation && (body as { revokeOld?: boolean }).revokeOld) return;
  const secrets = new SecretBox(findSecretKeys(settings));
  const states = await Promise.all(
    (isRotation ? [signingKeySecrets] : everySealedText).map((each) => each.inspect(view, secrets)),
  );
  const [unreadable] = states.flatMap((state) => state.unreadable);
  // Secrets of a lost key have to be entered again, so others than signing keys may be unreadable.
  const isKnown = states.some((state) => state.stored > state.unreadable.length);
  if (unreadable === undefined || (isKnown && !isRotation)) return;
  throw new CommandFailure(
    'secret_key_unusable',
    `The ${unreadable} of the site cannot be opened. Set GATEHOUSE_SECRET_KEY as for the service, or use ` +
      `${isRotation ? '--revoke-old' : 'its API with --url and --key'}.`,
  );
}
